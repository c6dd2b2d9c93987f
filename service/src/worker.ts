import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { forgetOldBuckets } from './accounts/account-budget.ts'
import { retentionQueue } from './accounts/withdraw-access.ts'
import { forgetOldSignIns } from './authorizations/finish-sign-in.ts'
import type { Presence } from './db/presence.ts'
import { type OpenRunParts, openRun } from './engine/open-run.ts'
import { restoreIdle } from './engine/restore-idle.ts'
import { createRunStarter } from './engine/run-queue.ts'
import { watchHolders } from './engine/take-over.ts'
import { restoreLater, workRuns } from './engine/work-runs.ts'
import { forgetOldKeys } from './imports/forget-old-keys.ts'
import { workWoken } from './jobs.ts'
import { forgetOldMails } from './mail/forget-mails.ts'
import { workMails } from './mail/mail-queue.ts'
import type { SendParts } from './mail/send-mails.ts'
import { forgetOldSessions } from './portal-sessions.ts'
import type { Pulse } from './pulse.ts'
import { eraseDue } from './retention/erase-due.ts'
import { sweepUploads } from './uploads/erase-uploads.ts'
import { workUploads } from './uploads/upload-queue.ts'
import { forgetOldDeliveries } from './webhooks/forget-old-deliveries.ts'

const housekeeping = 'housekeeping'
const tidying = 'tidying'
/** Runs that one process works on at the same time. */
const runsAtOnce = 4

/** Works off background jobs; any number of processes may do so on one database. */
export async function startWorker(
  boss: PgBoss,
  parts: OpenRunParts & {
    uploadLimitBytes: number
    /** Null without a mail server. */
    mail: Omit<SendParts, 'db' | 'connectors'> | null
    presence: Presence
    pulse: Pulse
    log: Pick<Logger, 'warn' | 'info'>
  },
): Promise<void> {
  const { db, log, presence, pulse, signal } = parts
  await boss.createQueue(housekeeping, { policy: 'singleton', retryLimit: 3, heartbeatSeconds: 10 })
  await boss.schedule(housekeeping, '17 * * * *')
  await workWoken(boss, housekeeping, {}, async () => {
    const forgotten = await forgetOldKeys(db)
    log.info({ forgotten }, 'old idempotency keys forgotten')
    await forgetOldDeliveries(db)
    await forgetOldMails(db)
    await forgetOldSignIns(db)
    log.info({ forgotten: await forgetOldSessions(db) }, 'old portal sessions forgotten')
    await forgetOldBuckets(db)
    log.info(await sweepUploads(db), 'old uploads erased')
  })
  await boss.createQueue(tidying, { policy: 'singleton', retryLimit: 0, heartbeatSeconds: 10 })
  await boss.schedule(tidying, '*/5 * * * *')
  await workWoken(boss, tidying, {}, () => restoreLater(boss, db))
  await boss.schedule(retentionQueue, '* * * * *')
  await workWoken(boss, retentionQueue, {}, async () => {
    const erased = await eraseDue(parts)
    if (erased.accounts + erased.texts > 0) log.info(erased, 'data erased whose time had come')
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
    signal,
    onError: (error, uploadId) => log.warn({ err: error, upload: uploadId }, 'an upload could not be read'),
  })
  await workRuns(
    boss,
    {
      db,
      openContext: (run) => openRun(parts, run),
      restoreIdle: (importId) => restoreIdle(parts, importId),
      starter: createRunStarter(() => boss),
      signal,
      presence,
      onError: (error, runId) => log.warn({ err: error, run: runId }, 'a slice of a run did not end well'),
    },
    runsAtOnce,
  )
  void watchHolders(boss, {
    db,
    signal,
    until: (ended) => pulse.until('held runs', ended),
    onTaken: (runId) => log.info({ run: runId }, 'the worker of a run is gone; the run goes on'),
    onError: (error) => log.warn({ err: error }, 'workers could not be watched'),
  })
}
