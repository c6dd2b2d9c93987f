// A worker process that sends one mail, unless it is killed before. The crash test runs it.
import { connectors } from '../../service/src/connectors/registry.ts'
import { openDatabase } from '../../service/src/db/open-database.ts'
import { loadInstallation } from '../../service/src/installation.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { sendMail } from '../../service/src/mail/send-mails.ts'
import { createMailTransport } from '../../service/src/mail/smtp.ts'

const [databaseUrl = '', keys = '', smtpUrl = '', mailId = ''] = process.argv.slice(2)
const { db } = openDatabase(databaseUrl, { poolSize: 2 })
const { links } = await loadInstallation(db, parseKeyRing(keys))
await sendMail(
  {
    db,
    connectors,
    links,
    origin: () => 'https://import.example.com',
    transport: createMailTransport({ url: smtpUrl, from: { name: 'Wherry', address: 'import@wherry.example' } }),
    messageDomain: 'wherry.example',
  },
  mailId,
)
