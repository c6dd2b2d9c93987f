import type { Tx } from '../db/open-database.ts'
import { queueMail } from './queue-mail.ts'
import type { MailTemplate, MailValues } from './templates.ts'

/** Queues a mail to the customer if there is an address; `values` is called only then. */
export async function tellCustomer<T extends MailTemplate>(
  tx: Tx,
  importId: string,
  template: T,
  values: () => Promise<MailValues[T]> | MailValues[T],
): Promise<void> {
  const contact = await tx
    .selectFrom('import_contacts')
    .select(['address', 'language'])
    .where('import_id', '=', importId)
    .executeTakeFirst()
  if (!contact) return
  const { address, language } = contact
  await queueMail(tx, { importId, to: address, language, template, values: await values() })
}
