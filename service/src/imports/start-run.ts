import { sql } from 'kysely'
import { audit } from '../audit.ts'
import type { Db, Tx } from '../db/open-database.ts'
import type { RunKind } from '../db/schema.ts'
import { RequestError, ValidationError } from '../errors.ts'
import type { Family } from '../families/index.ts'
import { newId } from '../ids.ts'
import type { ImportStatus, MoveEvent } from './lifecycle.ts'
import { moveImport } from './move-import.ts'
import { clearObstacle } from './obstacles.ts'

/** Plans what a run does, and hands it to the workers; both in the transaction that makes the run exist. */
export interface RunStarter {
  plan(family: Family, kind: RunKind): { position: number; stage: string; entity: string | null }[]
  enqueue(tx: Tx, runId: string): Promise<void>
}

const starts: { kind: RunKind; event: MoveEvent }[] = [
  { kind: 'sample', event: 'customer starts the sample' },
  { kind: 'full', event: 'customer starts the full migration' },
  { kind: 'delta', event: 'customer asks for the changes since' },
  { kind: 'undo', event: 'customer undoes' },
  { kind: 'undo', event: 'customer stops and undoes' },
]

/** Moves the import and starts the run that belongs to the move. Refused where the table of moves has no such move. */
export async function startRun(
  db: Db,
  starter: RunStarter,
  importId: string,
  kind: RunKind,
): Promise<{ runId: string; status: ImportStatus }> {
  return db.transaction().execute(async (tx) => {
    const imp = await tx
      .selectFrom('imports')
      .select(['family', 'status'])
      .where('id', '=', importId)
      .where('ended_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!imp) throw new RequestError('not_found', 'There is no such import.')
    const since = kind === 'delta' ? await lastStart(tx, importId) : null
    // A run under way is stopped by the undo that follows it.
    if (kind === 'undo') await stopRunUnderWay(tx, importId)
    const status = await moveBy(tx, importId, kind)
    if (!status) throw new ValidationError({ status: [`does not allow this now: ${imp.status.replaceAll('_', ' ')}`] })
    const runId = newId('run')
    await tx.insertInto('runs').values({ id: runId, import_id: importId, kind, state: 'working', since }).execute()
    await tx
      .insertInto('run_stages')
      .values(starter.plan(imp.family, kind).map((stage) => ({ ...stage, run_id: runId }) as never))
      .execute()
    await tx
      .updateTable('imports')
      .set({ progress: JSON.stringify({ done: 0, total: null }) })
      .where('id', '=', importId)
      .execute()
    await audit(tx, {
      actor: `customer ${importId}`,
      act: `${kind} started`,
      subject: importId,
      details: { run: runId },
    })
    await starter.enqueue(tx, runId)
    return { runId, status }
  })
}

async function moveBy(tx: Tx, importId: string, kind: RunKind): Promise<ImportStatus | null> {
  for (const { event } of starts.filter((start) => start.kind === kind)) {
    const status = await moveImport(tx, importId, event)
    if (status) return status
  }
  return null
}

async function stopRunUnderWay(tx: Tx, importId: string): Promise<void> {
  await tx
    .updateTable('runs')
    .set({ state: 'stopped', finished_at: sql`now()` })
    .where('import_id', '=', importId)
    .where('state', 'in', ['working', 'paused'])
    .execute()
}

/** The beginning of the last run that read everything: what changed while it ran is read again rather than missed. */
async function lastStart(tx: Tx, importId: string): Promise<Date | null> {
  const run = await tx
    .selectFrom('runs')
    .select('created_at')
    .where('import_id', '=', importId)
    .where('kind', 'in', ['full', 'delta'])
    .where('state', '=', 'finished')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return run?.created_at ?? null
}

/** Goes on with a paused run from its checkpoint. Answers false when there is none. */
export async function resumeRun(db: Db, starter: RunStarter, importId: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const run = await tx
      .updateTable('runs')
      .set({ state: 'working', obstacle: null, failures: 0 })
      .where('import_id', '=', importId)
      .where('state', '=', 'paused')
      .returning('id')
      .executeTakeFirst()
    if (run) {
      await clearObstacle(tx, importId)
      await starter.enqueue(tx, run.id)
    }
    return run !== undefined
  })
}
