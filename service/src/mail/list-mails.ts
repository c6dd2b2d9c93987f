import type { Connector } from '../connectors/contract/contract.ts'
import type { Db } from '../db/open-database.ts'
import { OperatorError } from '../errors.ts'
import { composeMail } from './compose-mail.ts'

export interface MailFilter {
  importId?: string | undefined
  state?: 'waiting' | 'sent' | 'given_up' | undefined
  limit: number
}

const select = (db: Db) =>
  db
    .selectFrom('mails')
    .innerJoin('imports', 'imports.id', 'mails.import_id')
    .innerJoin('partners', 'partners.id', 'imports.partner_id')
    .select([
      'mails.id',
      'mails.import_id',
      'mails.address',
      'mails.language',
      'mails.template',
      'mails.values',
      'mails.state',
      'mails.attempts',
      'mails.due_at',
      'mails.trouble',
      'mails.created_at',
      'mails.settled_at',
      'imports.source_tool',
      'imports.destination_tool',
      'partners.name as partner_name',
    ])

type MailRow = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]

export async function listMails(db: Db, connectors: readonly Connector[], filter: MailFilter) {
  const { importId, state, limit } = filter
  const rows = await select(db)
    .$if(importId !== undefined, (query) => query.where('mails.import_id', '=', String(importId)))
    .$if(state !== undefined, (query) => query.where('mails.state', '=', state ?? 'waiting'))
    .orderBy('mails.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => present(row, connectors))
}

/** One mail with its text, without the customer's link, because the link opens the import. */
export async function showMail(db: Db, connectors: readonly Connector[], mailId: string) {
  const row = await select(db).where('mails.id', '=', mailId).executeTakeFirst()
  if (!row) throw new OperatorError(`There is no mail ${mailId}. "wherry mail list" shows the newest.`)
  return { ...present(row, connectors), ...words(row, connectors) }
}

/** The mails of one import with their texts, as the portal shows them. */
export async function listMailsOfImport(db: Db, connectors: readonly Connector[], importId: string, limit: number) {
  const rows = await select(db)
    .where('mails.import_id', '=', importId)
    .orderBy('mails.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    ...present(row, connectors),
    template: row.template,
    paragraphs: composeMail(row, connectors, null).paragraphs,
  }))
}

function present(row: MailRow, connectors: readonly Connector[]) {
  const { id, import_id, address, state, attempts, trouble, created_at, settled_at } = row
  const { subject } = words(row, connectors)
  const next_try_at = state === 'waiting' ? row.due_at : null
  return { id, import_id, to: address, subject, state, attempts, created_at, settled_at, next_try_at, trouble }
}

function words(row: MailRow, connectors: readonly Connector[]) {
  const { subject, text } = composeMail(row, connectors, null)
  return { subject, text }
}
