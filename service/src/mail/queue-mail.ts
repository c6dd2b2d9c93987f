import { sql } from 'kysely'
import type { Tx } from '../db/open-database.ts'
import { newId } from '../ids.ts'
import type { Language } from '../languages.ts'
import { isMailAddress } from '../mail-address.ts'
import type { MailTemplate, MailValues } from './templates.ts'
import { mailJob } from './wake-mail.ts'

export interface NewMail<T extends MailTemplate> {
  importId: string
  to: string
  template: T
  values: MailValues[T]
  /** By default the language that the customer used last. */
  language?: Language
}

/** Queues a mail in the transaction of the change that it reports: no commit, no mail. Answers its id. */
export async function queueMail<T extends MailTemplate>(tx: Tx, mail: NewMail<T>): Promise<string> {
  const { importId, to, template, values } = mail
  if (!isMailAddress(to)) throw new Error('a mail is to be sent to something that is no address')
  const id = newId('mail')
  const language = mail.language ?? (await languageOf(tx, importId))
  await sql`
    with mail as (
      insert into mails (id, import_id, address, language, template, values)
      values (${id}, ${importId}, ${to}, ${language}, ${template}, ${JSON.stringify(values)})
      returning id, due_at)
    select ${mailJob(sql`id`, sql`due_at`)} from mail`.execute(tx)
  return id
}

async function languageOf(tx: Tx, importId: string): Promise<Language> {
  const contact = await tx
    .selectFrom('import_contacts')
    .select('language')
    .where('import_id', '=', importId)
    .executeTakeFirst()
  return contact?.language ?? 'en'
}
