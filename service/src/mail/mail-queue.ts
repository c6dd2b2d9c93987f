import { sql } from 'kysely'
import type { PgBoss } from 'pg-boss'
import type { Db } from '../db/open-database.ts'
import { type SendParts, sendMail } from './send-mails.ts'
import { mailJob, mailQueue } from './wake-mail.ts'

/** Mails that one process sends at the same time. */
const mailsAtOnce = 4

/** Sends mails as they become due; any number of processes may do so. */
export async function workMails(
  boss: PgBoss,
  parts: SendParts & { onError(error: unknown, mailId: string): void },
): Promise<void> {
  await boss.work<{ mailId: string }>(
    mailQueue,
    { batchSize: 1, localConcurrency: mailsAtOnce, pollingIntervalSeconds: 1 },
    async ([job]) => {
      if (!job) return
      const { mailId } = job.data
      try {
        await sendMail(parts, mailId)
      } catch (error) {
        parts.onError(error, mailId)
        // Tried again by the queue.
        throw error
      }
    },
  )
  await wakeWaiting(parts.db)
}

/** A job for everything that waits: a worker that starts needs no trust in what was queued before. */
async function wakeWaiting(db: Db): Promise<void> {
  await sql`select ${mailJob(sql`id`, sql`due_at`)} from mails where state = 'waiting'`.execute(db)
}
