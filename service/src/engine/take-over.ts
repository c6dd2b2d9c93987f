import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { PgBoss } from 'pg-boss'
import { processExists } from '../db/embedded-postgres-server.ts'
import type { Db } from '../db/open-database.ts'
import { isPresent } from '../db/presence.ts'
import type { RunHolder, RunState } from '../db/schema.ts'
import { longestTrustedMs } from './lease.ts'
import { handOn } from './work-runs.ts'

const lookEveryMs = 1_000
/** A worker that lives and has only lost its connection has it back within this time. */
const goneForMs = 500

interface Abandoned {
  id: string
  state: RunState
  holder: RunHolder
}

interface TakeOverParts {
  db: Db
  signal: AbortSignal
  /** Resolves when there may be work. */
  until?: (signal: AbortSignal) => Promise<void>
  onTaken(runId: string): void
  onError(error: unknown): void
}

/** Hands on the runs of workers that are gone, without waiting for their heartbeats to run out. */
export async function watchHolders(
  boss: PgBoss,
  { db, signal, until = aWhile, onTaken, onError }: TakeOverParts,
): Promise<void> {
  while (!signal.aborted) {
    try {
      let gone = await findAbandoned(db)
      if (gone.length > 0) {
        await sleep(goneForMs, undefined, { signal })
        const before = new Set(gone.map(nameHolder))
        gone = (await findAbandoned(db)).filter((run) => before.has(nameHolder(run)))
      }
      for (const run of gone) if (await takeOver(boss, db, run)) onTaken(run.id)
    } catch (error) {
      if (!signal.aborted) onError(error)
    }
    await until(signal)
  }
}

const aWhile = (signal: AbortSignal) => sleep(lookEveryMs, undefined, { signal }).catch(() => {})

const nameHolder = ({ id, holder: { worker, slice } }: Abandoned) => `${id} ${worker} ${slice.id} ${slice.retryCount}`

/**
 * Runs whose worker Postgres does not know any more. All locks are gone when Postgres itself was restarted: a worker
 * that was frozen meanwhile trusts its last look at its run for a moment longer, unless we can see that it is dead.
 */
async function findAbandoned(db: Db): Promise<Abandoned[]> {
  const { rows } = await sql<Abandoned & { isSettled: boolean }>`
    select r.id, r.state, r.holder,
      pg_postmaster_start_time() < now() - make_interval(secs => ${longestTrustedMs / 1000}) as "isSettled"
    from runs r
    where r.state in ('working', 'paused') and r.holder is not null
      and not ${isPresent(sql<number>`(r.holder->>'worker')::bigint`)}`.execute(db)
  return rows.filter(({ holder, isSettled }) => isSettled || isDeadHere(holder))
}

/** A process of this machine that is surely over. Our own number belonged to another process before us. */
const isDeadHere = ({ host, pid }: RunHolder): boolean =>
  host === hostname() && (pid === process.pid || !processExists(pid))

/**
 * Ends the slice that the dead worker had, and puts the next one in the queue. A paused run is only tidied up after.
 */
async function takeOver(boss: PgBoss, db: Db, { id, state, holder }: Abandoned): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const released = await tx
      .updateTable('runs')
      .set({ holder: null })
      .where('id', '=', id)
      .where('state', '=', state)
      .where('holder', '=', sql<RunHolder>`${JSON.stringify(holder)}::jsonb`)
      .returning('id')
      .executeTakeFirst()
    const next = { runId: id, ...(state === 'paused' && { isRestoring: true as const }) }
    return released !== undefined && handOn(boss, tx, next, holder.slice, 0)
  })
}
