import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Db } from './db/open-database.ts'
import { forgetOldKeys } from './imports/forget-old-keys.ts'

export interface Worker {
  stop(): Promise<void>
}

const housekeeping = 'housekeeping'

/** Works off background jobs; any number of processes may do so on one database. */
export async function startWorker(parts: {
  databaseUrl: string
  db: Db
  log: Pick<Logger, 'warn' | 'info'>
}): Promise<Worker> {
  const { db, log } = parts
  const boss = new PgBoss({
    connectionString: parts.databaseUrl,
    application_name: 'wherry worker',
    max: 4,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
  })
  // pg-boss goes on by itself when the database is back.
  boss.on('error', (error) => log.warn({ err: error }, 'background work met an error'))
  await boss.start()
  await boss.createQueue(housekeeping, { policy: 'singleton', retryLimit: 3, heartbeatSeconds: 10 })
  await boss.schedule(housekeeping, '17 * * * *')
  await boss.work(housekeeping, async () => {
    const forgotten = await forgetOldKeys(db)
    log.info({ forgotten }, 'old idempotency keys forgotten')
  })
  return { stop: () => boss.stop({ graceful: true, timeout: 10_000 }) }
}
