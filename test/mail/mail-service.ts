import { connectors } from '../../service/src/connectors/registry.ts'
import { openDatabase } from '../../service/src/db/open-database.ts'
import { createImport } from '../../service/src/imports/create-import.ts'
import { loadInstallation } from '../../service/src/installation.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import type { Language } from '../../service/src/languages.ts'
import { queueMail } from '../../service/src/mail/queue-mail.ts'
import { type SendParts, sendMail } from '../../service/src/mail/send-mails.ts'
import { createMailTransport } from '../../service/src/mail/smtp.ts'
import type { MailTemplate, MailValues } from '../../service/src/mail/templates.ts'
import { createPartner } from '../../service/src/partners/create-partner.ts'
import { createTestDatabase } from '../support/database.ts'
import { testKeys } from '../support/service.ts'

export const mailFrom = { name: 'Wherry', address: 'import@wherry.example' }

/** A database with imports, and the parts that a worker needs to send their mails. */
export async function openMailService() {
  const own = await createTestDatabase()
  const database = openDatabase(own.url, { poolSize: 6 })
  const { db } = database
  const keyRing = parseKeyRing(testKeys)
  const { links } = await loadInstallation(db, keyRing)
  return {
    db,
    databaseUrl: own.url,
    sender: (url: string): SendParts => ({
      db,
      connectors,
      links,
      origin: () => 'https://import.example.com',
      transport: createMailTransport({ url, from: mailFrom }),
      messageDomain: 'wherry.example',
    }),
    async createImport(partnerName = 'Harbour') {
      const partner = await createPartner(
        db,
        { connectors, keyRing },
        { name: partnerName, destination: 'open', families: ['helpdesk'] },
      )
      const imp = await createImport(
        db,
        keyRing,
        { id: partner.id, destinationTool: 'open' },
        {
          sourceTool: 'fernhill',
          family: 'helpdesk',
          instanceUrl: null,
          username: null,
          token: null,
          startFull: false,
          checked: null,
        },
        null,
      )
      return { id: imp.id, link: `https://import.example.com/imports/${imp.id}/${links.token(imp)}` }
    },
    queue: <T extends MailTemplate>(
      importId: string,
      template: T,
      values: MailValues[T],
      options: { to?: string; language?: Language } = {},
    ) =>
      db
        .transaction()
        .execute((tx) => queueMail(tx, { importId, to: 'kim@example.com', template, values, ...options })),
    /** Sends all due mails, as the jobs would. */
    async sendDue(parts: SendParts): Promise<number> {
      const due = await db.selectFrom('mails').select('id').where('state', '=', 'waiting').execute()
      for (const { id } of due) await sendMail(parts, id)
      return due.length
    },
    mail: (id: string) => db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    /** Makes a mail due now. */
    makeDue: (id: string) =>
      db
        .updateTable('mails')
        .set({ due_at: new Date(0) })
        .where('id', '=', id)
        .execute(),
    async close() {
      await database.close()
      await own.drop()
    },
  }
}

export type MailService = Awaited<ReturnType<typeof openMailService>>
