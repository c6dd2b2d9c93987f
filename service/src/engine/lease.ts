import { hostname } from 'node:os'
import { sql } from 'kysely'
import type { Db, Tx } from '../db/open-database.ts'
import type { Presence } from '../db/presence.ts'
import type { RunHolder, RunKind, RunOptions, RunState, SliceAttempt } from '../db/schema.ts'

/** Another worker has taken the run over, or it was stopped: nothing more may be sent or committed. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError'
}

export interface ClaimedRun {
  id: string
  importId: string
  kind: RunKind
  since: Date | null
  options: RunOptions
  mappingVersion: number
  lease: Lease
}

export interface Lease {
  /** Runs `act` in a transaction that holds the rows of the import and of the run, if the run is still ours. */
  commit<T>(act: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * The same for outcomes of sent records. They are committed even if the run was paused meanwhile, or stopped a moment
   * ago. An undo after a stop waits longer than that moment for records without an outcome.
   */
  commitOutcome<T>(act: (tx: Tx, state: RunState) => Promise<T>): Promise<T>
  /** Call this before a request: a worker that was frozen checks first that it still has the run. */
  beforeSend(): Promise<void>
  /** Call this when the request leaves: the last check may be too old by then. */
  atSend(): void
  /** Whether this worker still has the run. */
  isOurs(): Promise<boolean>
}

/** A check whether this worker has the run is valid for this time. */
const trustedMs = 1_000
/** The highest age of that check when a request leaves. Others take over no sooner than this after a worker freezes. */
export const longestTrustedMs = 5_000
/** Outcomes of requests under way are still noted for this time after a stop. An undo waits far longer. */
const lateOutcomeSeconds = 20

/** Takes the run over from the worker that had it; null when there is nothing to work on. */
export async function claimRun(
  db: Db,
  runId: string,
  presence: Presence | null = null,
  slice: SliceAttempt | null = null,
): Promise<ClaimedRun | null> {
  const asked = performance.now()
  const worker = presence?.worker() ?? null
  const holder: RunHolder | null =
    worker === null || slice === null ? null : { worker, host: hostname(), pid: process.pid, slice }
  const run = await db
    .updateTable('runs')
    .set({ epoch: sql`epoch + 1`, holder: holder && JSON.stringify(holder) })
    .where('id', '=', runId)
    .where('state', '=', 'working')
    .returning(['id', 'import_id', 'kind', 'since', 'options', 'mapping_version', 'epoch'])
    .executeTakeFirst()
  if (!run) return null
  return {
    id: run.id,
    importId: run.import_id,
    kind: run.kind,
    since: run.since,
    options: run.options,
    mappingVersion: run.mapping_version,
    lease: createLease(db, run, asked, presence),
  }
}

function createLease(
  db: Db,
  { id: runId, epoch }: { id: string; epoch: number },
  claimedAt: number,
  presence: Presence | null,
): Lease {
  // Monotonic: a check must not stay valid longer because somebody sets the clock back.
  let confirmedAt = claimedAt
  // A worker that no longer sees this process may take over at once.
  const isTrusted = (ms: number) => {
    const isSeen = presence === null || presence.lostAt() < confirmedAt
    return isSeen && performance.now() - confirmedAt <= ms
  }
  const isWorking = sql<boolean>`r.state = 'working'`
  // An erased import takes no outcomes: they would bring back texts that nobody erases again.
  const takesOutcomes = sql<boolean>`i.erased_at is null and (r.state in ('working', 'paused')
    or r.state = 'stopped' and r.finished_at > now() - make_interval(secs => ${lateOutcomeSeconds}))`
  const confirm = async (executor: Db | Tx, lock: boolean, condition = isWorking): Promise<RunState> => {
    const query = executor
      .selectFrom('imports as i')
      .innerJoin('runs as r', 'r.import_id', 'i.id')
      .select('r.state')
      .where('r.id', '=', runId)
      .where('r.epoch', '=', epoch)
      .where(condition)
    const asked = performance.now()
    // The import first, then the run: the order of everyone who locks both (docs/architecture.md, "Locks").
    const found = await (lock ? query.forNoKeyUpdate(['i', 'r']) : query).executeTakeFirst()
    if (!found) throw new LeaseLostError(`run ${runId} is no longer ours`)
    if (found.state === 'working') confirmedAt = asked
    return found.state
  }
  return {
    commit: (act) =>
      db.transaction().execute(async (tx) => {
        await confirm(tx, true)
        return act(tx)
      }),
    commitOutcome: (act) =>
      db.transaction().execute(async (tx) => {
        return act(tx, await confirm(tx, true, takesOutcomes))
      }),
    async beforeSend() {
      if (!isTrusted(trustedMs)) await confirm(db, false)
    },
    atSend() {
      if (!isTrusted(longestTrustedMs)) throw new LeaseLostError(`run ${runId} may be no longer ours`)
    },
    async isOurs() {
      const found = await db
        .selectFrom('runs as r')
        .select('r.id')
        .where('r.id', '=', runId)
        .where('r.epoch', '=', epoch)
        .where(isWorking)
        .executeTakeFirst()
      return found !== undefined
    },
  }
}
