import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { forgetOldSignIns } from './authorizations/finish-sign-in.ts'
import { type OpenRunParts, openRun } from './engine/open-run.ts'
import { createRunStarter, workRuns } from './engine/run-queue.ts'
import { forgetOldKeys } from './imports/forget-old-keys.ts'
import { forgetOldMails } from './mail/forget-mails.ts'
import { workMails } from './mail/mail-queue.ts'
import type { SendParts } from './mail/send-mails.ts'
import { sweepUploads } from './uploads/erase-uploads.ts'
import { workUploads } from './uploads/upload-queue.ts'
import { forgetOldDeliveries } from './webhooks/forget-old-deliveries.ts'

const housekeeping = 'housekeeping'
/** Runs that one process works on at the same time. */
const runsAtOnce = 4

/** Works off background jobs; any number of processes may do so on one database. */
export async function startWorker(
  boss: PgBoss,
  parts: OpenRunParts & {
    uploadLimitBytes: number
    /** Null without a mail server. */
    mail: Omit<SendParts, 'db' | 'connectors'> | null
    log: Pick<Logger, 'warn' | 'info'>
  },
): Promise<void> {
  const { db, log } = parts
  await boss.createQueue(housekeeping, { policy: 'singleton', retryLimit: 3, heartbeatSeconds: 10 })
  await boss.schedule(housekeeping, '17 * * * *')
  await boss.work(housekeeping, async () => {
    const forgotten = await forgetOldKeys(db)
    log.info({ forgotten }, 'old idempotency keys forgotten')
    await forgetOldDeliveries(db)
    await forgetOldMails(db)
    await forgetOldSignIns(db)
    log.info(await sweepUploads(db), 'old uploads erased')
  })
  if (parts.mail) {
    const onError = (error: unknown, mail: string) => log.warn({ err: error, mail }, 'a mail could not be looked after')
    await workMails(boss, { ...parts.mail, db, connectors: parts.connectors, onError })
  }
  await workUploads(boss, {
    db,
    keyRing: parts.keyRing,
    connectors: parts.connectors,
    uploadLimitBytes: parts.uploadLimitBytes,
    signal: parts.signal,
    onError: (error, uploadId) => log.warn({ err: error, upload: uploadId }, 'an upload could not be read'),
  })
  await workRuns(
    boss,
    {
      db,
      openContext: (run) => openRun(parts, run),
      starter: createRunStarter(() => boss),
      signal: parts.signal,
      onError: (error, runId) => log.warn({ err: error, run: runId }, 'a slice of a run did not end well'),
    },
    runsAtOnce,
  )
}
