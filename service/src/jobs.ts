import { setTimeout as sleep } from 'node:timers/promises'
import { type Job, PgBoss, type StopOptions, type WorkOptions } from 'pg-boss'
import type { Logger } from 'pino'
import { listenDirectly } from './db/listen-directly.ts'
import { createPulse, type Pulse } from './pulse.ts'

/** Jobs for later begin at most this much late. */
const lookMs = 1_000
/** Behind a pooler nobody can listen, so a new job waits for the next look, too. */
const deafLookMs = 500
/** Every job has a heartbeat, so a lost one is noticed this long after the heartbeat's end. */
const lostLookMs = 5_000
/** Deletes old jobs and counts the rest, which reads the whole table. */
const superviseSeconds = 60

/** The longest time between two fetches of a worker that nobody wakes. */
const rarelySeconds = 60

/**
 * The queue of background jobs, on the same Postgres. Any number of processes may open it. A new job wakes the workers
 * by NOTIFY. One look a second, for all queues at once, finds jobs for later, and new ones where NOTIFY does not come
 * through. So workers need not poll.
 */
export async function openJobs(
  databaseUrl: string,
  log: Pick<Logger, 'warn'>,
  isWorker: boolean,
  { pulse = createPulse(), directUrl = databaseUrl }: { pulse?: Pulse; directUrl?: string } = {},
): Promise<PgBoss> {
  const boss = new WatchedBoss({
    connectionString: databaseUrl,
    application_name: 'wherry jobs',
    max: isWorker ? 6 : 2,
    // Only workers look after jobs that others have left behind.
    supervise: isWorker,
    schedule: isWorker,
    superviseIntervalSeconds: superviseSeconds,
    maintenanceIntervalSeconds: superviseSeconds,
    // Allows a pass for lost jobs at any time.
    monitorIntervalSeconds: 1,
    cronWorkerIntervalSeconds: 45,
    // No job of ours depends on another.
    flowIntervalSeconds: 3_600,
    useListenNotify: isWorker,
  })
  if (directUrl !== databaseUrl) listenDirectly(boss, directUrl)
  // Behind a pooler that shares connections LISTEN does not work: the log says so once, and jobs are found by polling.
  let isTold = false
  let isDeaf = false
  boss.on('error', (error) => {
    const isOfListening = error.message.startsWith('LISTEN/NOTIFY')
    isDeaf ||= error.message === 'LISTEN/NOTIFY channel registration was lost'
    // pg-boss goes on by itself when the database is back.
    if (!isOfListening || !isTold) log.warn({ err: error }, 'background work met an error')
    isTold ||= isOfListening
  })
  await boss.start()
  if (isWorker) boss.stopLooking = lookForWork(boss, pulse, () => (isDeaf ? deafLookMs : lookMs), log)
  return boss
}

/** Ends the looks before the connections that they use. */
class WatchedBoss extends PgBoss {
  stopLooking = async () => {}

  override async stop(options?: StopOptions): Promise<void> {
    await this.stopLooking()
    return super.stop(options)
  }
}

/** Works off a queue whose workers are woken. A worker that had jobs fetches the next ones at once. */
export function workWoken<Data extends object>(
  boss: PgBoss,
  queue: string,
  options: Pick<WorkOptions, 'batchSize' | 'localConcurrency'>,
  handle: (jobs: Job<Data>[]) => Promise<void>,
): Promise<string> {
  return boss.work<Data>(queue, { ...options, pollingIntervalSeconds: rarelySeconds }, async (jobs) => {
    try {
      await handle(jobs)
    } finally {
      for (const { id, name, count } of boss.getWipData()) if (name === queue && count > 0) boss.notifyWorker(id)
    }
  })
}

/** Looks until the signal aborts. */
function lookForWork(
  boss: PgBoss,
  pulse: Pulse,
  everyMs: () => number,
  log: Pick<Logger, 'warn'>,
): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  const db = boss.getDb()
  let passing: Promise<void> | null = null
  /** Hands on the jobs whose heartbeat has run out; the next look repeats a pass that failed. */
  const handOnLost = () => {
    passing ??= boss.supervise().finally(() => {
      passing = null
    })
    return passing
  }
  const look = async () => {
    const { rows } = await db.executeSql('select work from waiting_work() work', [])
    const found = rows.map(({ work }: { work: string }) => work)
    wakeWorkers(boss, found)
    pulse.tell(found)
    // Not awaited: a pass may take long, and other workers must be woken meanwhile.
    if (found.includes('lost slices')) void handOnLost().catch(() => {})
  }
  const repeat = async (act: () => Promise<void>, pauseMs: () => number) => {
    let isTold = false
    while (!signal.aborted) {
      try {
        await act()
        isTold = false
      } catch (error) {
        // Once per outage: the next look finds everything.
        if (!isTold && !signal.aborted) log.warn({ err: error }, 'waiting work could not be looked for')
        isTold = true
      }
      await sleep(pauseMs(), undefined, { signal }).catch(() => {})
    }
  }
  const lookForLost = async () => {
    const { rows } = await db.executeSql(`select from pgboss.job where ${isLost} limit 1`, [])
    if (rows.length > 0) await handOnLost()
  }
  const looking = Promise.all([repeat(look, everyMs), repeat(lookForLost, () => lostLookMs)])
  return async () => {
    stopping.abort()
    await looking
  }
}

const isLost = `state = 'active' and heartbeat_on + heartbeat_seconds * interval '1 second' < now()`

function wakeWorkers(boss: PgBoss, found: readonly string[]): void {
  if (!found.some((work) => work.startsWith('queue '))) return
  for (const { id, name, count } of boss.getWipData({ includeInternal: true })) {
    // A worker that has jobs fetches again when they are done.
    if (count === 0 && found.includes(`queue ${name}`)) boss.notifyWorker(id)
  }
}
