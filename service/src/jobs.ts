import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { listenDirectly } from './db/listen-directly.ts'

/** The queue of background jobs, on the same Postgres. Any number of processes may open it. */
export async function openJobs(
  databaseUrl: string,
  log: Pick<Logger, 'warn'>,
  isWorker: boolean,
  directUrl: string = databaseUrl,
): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: 'wherry jobs',
    max: isWorker ? 6 : 2,
    // Only workers look after jobs that others have left behind.
    supervise: isWorker,
    schedule: isWorker,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
    // A new job wakes a worker at once; looking now and then stays as the safety net.
    useListenNotify: isWorker,
    // It leaves alone what it believes another worker has; one that died a moment ago must not be believed for long.
    queueCacheIntervalSeconds: 2,
  })
  if (directUrl !== databaseUrl) listenDirectly(boss, directUrl)
  // Behind a pooler that shares connections nobody can listen: it is told once, and jobs are found by looking.
  let isTold = false
  boss.on('error', (error) => {
    const isDeaf = error.message.startsWith('LISTEN/NOTIFY')
    // pg-boss goes on by itself when the database is back.
    if (!isDeaf || !isTold) log.warn({ err: error }, 'background work met an error')
    isTold ||= isDeaf
  })
  await boss.start()
  return boss
}
