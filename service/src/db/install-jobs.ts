import { type Kysely, sql } from 'kysely'
import { PgBoss, type Queue } from 'pg-boss'

/** Queues that `send_job` puts jobs into. They must exist before the first worker starts. */
const queues: Record<string, Omit<Queue, 'name'>> = {
  'webhook-deliveries': {
    // A look at a target is short. If its worker dies, another worker repeats the job after this time.
    heartbeatSeconds: 10,
    retryLimit: 1_000_000,
    retryDelay: 1,
    deleteAfterSeconds: 60,
  },
  // A job looks for everything that is due, so a lost one costs nothing but a minute.
  retention: { heartbeatSeconds: 20, retryLimit: 3, retryDelay: 5, deleteAfterSeconds: 60 },
  mails: {
    heartbeatSeconds: 20,
    retryLimit: 1_000_000,
    retryDelay: 1,
    deleteAfterSeconds: 60,
  },
}

/** Creates the queue's own tables if they are missing; opening the queue updates them. */
export async function installJobs(db: Kysely<unknown>, databaseUrl: string): Promise<void> {
  if (await isInstalled(db)) return
  // Safe when many processes start at once: pg-boss takes a lock.
  const boss = new PgBoss({ connectionString: databaseUrl, max: 1, supervise: false, schedule: false })
  // The calls below throw the errors that matter.
  boss.on('error', () => {})
  await boss.start()
  try {
    for (const [name, settings] of Object.entries(queues)) await boss.createQueue(name, settings)
  } finally {
    await boss.stop({ graceful: false })
  }
}

async function isInstalled(db: Kysely<unknown>): Promise<boolean> {
  const { rows: tables } = await sql<{ is_there: boolean }>`
    select to_regclass('pgboss.queue') is not null as is_there`.execute(db)
  if (!tables[0]?.is_there) return false
  const names = Object.keys(queues)
  const { rows } = await sql`select from pgboss.queue where name = any(${names})`.execute(db)
  return rows.length === names.length
}
