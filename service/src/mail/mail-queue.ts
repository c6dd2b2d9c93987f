import { sql } from 'kysely'
import type { PgBoss } from 'pg-boss'
import type { Db } from '../db/open-database.ts'
import { workWoken } from '../jobs.ts'
import { type SendParts, sendMail } from './send-mails.ts'
import { mailJob, mailQueue } from './wake-mail.ts'

/** Mails that one process sends at the same time. */
const mailsAtOnce = 4

/** Sends mails when they are due; any number of processes may do so. */
export async function workMails(
  boss: PgBoss,
  parts: SendParts & { onError(error: unknown, mailId: string): void },
): Promise<void> {
  await workWoken<{ mailId: string }>(
    boss,
    mailQueue,
    { batchSize: 1, localConcurrency: mailsAtOnce },
    async ([job]) => {
      if (!job) return
      const { mailId } = job.data
      try {
        await sendMail(parts, mailId)
      } catch (error) {
        parts.onError(error, mailId)
        // The queue tries the job again.
        throw error
      }
    },
  )
  await wakeWaiting(parts.db)
}

/** Queues a job for every waiting mail, so that a starting worker need not trust older jobs. */
async function wakeWaiting(db: Db): Promise<void> {
  await sql`select ${mailJob(sql`id`, sql`due_at`)} from mails where state = 'waiting'`.execute(db)
}
