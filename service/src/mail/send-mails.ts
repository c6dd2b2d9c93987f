import { sql } from 'kysely'
import type { Connector } from '../connectors/contract/contract.ts'
import type { Db } from '../db/open-database.ts'
import type { Language } from '../languages.ts'
import type { PortalLinks } from '../portal-link.ts'
import { tell as tellSignal } from '../signals/signals.ts'
import { composeMail } from './compose-mail.ts'
import { MailRefusedError, type MailTransport } from './smtp.ts'
import { mailJob } from './wake-mail.ts'

export interface SendParts {
  db: Db
  connectors: readonly Connector[]
  links: PortalLinks
  /** Public address of the service. */
  origin: () => string
  transport: MailTransport
  /** The part after the @ of our message ids. */
  messageDomain: string
  random?: () => number
}

/** A claim lasts longer than the longest attempt. */
const claimMs = 3 * 60_000
/** A mail older than this is outdated and not sent, even if the mail server was set only now. */
const longestHours = 84
const minute = 60_000
const hour = 60 * minute
const delaysMs = [minute, 5 * minute, 15 * minute, hour, 3 * hour, 6 * hour, 12 * hour, 24 * hour, 24 * hour]

interface ClaimedMail {
  id: string
  import_id: string
  link_version: number
  address: string
  language: Language
  template: string
  values: Record<string, unknown>
  attempts: number
  is_old: boolean
  partner_name: string
  source_tool: string
  destination_tool: string
}

/** Sends one mail, if it is due and no other worker has claimed it. */
export async function sendMail(parts: SendParts, mailId: string): Promise<void> {
  const mail = await claim(parts.db, mailId)
  if (mail) await tryMail(parts, mail)
}

/** Claims the mail, and queues a job for the end of the claim in case this worker is lost. */
async function claim(db: Db, mailId: string): Promise<ClaimedMail | null> {
  const { rows } = await sql<ClaimedMail>`
    with claimed as (
      update mails set attempts = attempts + 1, due_at = now() + make_interval(secs => ${claimMs / 1000})
      where id = ${mailId} and state = 'waiting' and due_at <= now()
      returning *)
    select claimed.*, ${mailJob(sql`claimed.id`, sql`claimed.due_at`)}, claimed.created_at < now() - make_interval(hours => ${longestHours}) as is_old,
      i.link_version, i.source_tool, i.destination_tool, p.name as partner_name
    from claimed join imports i on i.id = claimed.import_id join partners p on p.id = i.partner_id`.execute(db)
  return rows[0] ?? null
}

async function tryMail(parts: SendParts, mail: ClaimedMail): Promise<void> {
  if (mail.is_old) return giveUp(parts.db, mail, 'The message was outdated before it could be sent.')
  const imp = { id: mail.import_id, link_version: mail.link_version }
  const link = `${parts.origin()}/imports/${imp.id}/${parts.links.token(imp)}`
  const messageId = `<${mail.id}@${parts.messageDomain}>`
  try {
    await parts.transport.send({ messageId, to: mail.address }, composeMail(mail, parts.connectors, link))
  } catch (error) {
    const trouble = tell(error)
    if (error instanceof MailRefusedError) return giveUp(parts.db, mail, trouble)
    const delay = delaysMs[mail.attempts - 1]
    return delay === undefined ? giveUp(parts.db, mail, trouble) : putOff(parts, mail, trouble, delay)
  }
  // The mail was sent, even if another worker has claimed it by now.
  await parts.db
    .updateTable('mails')
    .set({ state: 'sent', settled_at: sql`now()`, trouble: null })
    .where('id', '=', mail.id)
    .execute()
  tellSignal('mail tried', { outcome: 'sent' })
}

async function giveUp(db: Db, { id, attempts }: ClaimedMail, trouble: string): Promise<void> {
  await db
    .updateTable('mails')
    .set({ state: 'given_up', settled_at: sql`now()`, trouble })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'waiting')
    .execute()
  tellSignal('mail tried', { outcome: 'given_up' })
}

/** Up to a tenth longer or shorter, so that mails that failed together are not repeated together. */
async function putOff({ db, random = Math.random }: SendParts, mail: ClaimedMail, trouble: string, delayMs: number) {
  const seconds = (delayMs * (0.9 + 0.2 * random())) / 1000
  await sql`
    with mail as (
      update mails set trouble = ${trouble}, due_at = now() + make_interval(secs => ${seconds})
      where id = ${mail.id} and attempts = ${mail.attempts} and state = 'waiting'
      returning id, due_at)
    select ${mailJob(sql`id`, sql`due_at`)} from mail`.execute(db)
  tellSignal('mail tried', { outcome: 'put_off' })
  tellSignal('retried', { work: 'mail' })
}

/** The server's answer in one line, for the outbox. */
function tell(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  return text.replace(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, 300)
}
