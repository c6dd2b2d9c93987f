import type { PgBoss } from 'pg-boss'
import { type SendParts, sendDueMails } from './send-mails.ts'

const sweep = 'mail-sweep'

/** Sends what is due, every minute; any number of processes may do so. */
export async function workMails(
  boss: PgBoss,
  parts: SendParts & { signal: AbortSignal; onError(error: unknown): void },
): Promise<void> {
  await boss.createQueue(sweep, { policy: 'singleton', retryLimit: 3, heartbeatSeconds: 20 })
  await boss.schedule(sweep, '* * * * *')
  await boss.work(sweep, { pollingIntervalSeconds: 1 }, async () => {
    try {
      await sendDueMails(parts, parts.signal)
    } catch (error) {
      parts.onError(error)
      throw error
    }
  })
}
