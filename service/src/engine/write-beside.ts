import { setTimeout as sleep } from 'node:timers/promises'
import { familyDefinitions } from '../families/index.ts'
import type { FamilyRecord, RecordRef } from '../families/record.ts'
import { findRows, refKey } from './ledger.ts'
import type { RunContext, Stage } from './run-context.ts'
import { type Slice, writePages } from './write-pages.ts'

const lookAgainMs = 200

/**
 * Writes the pages of a stage. Where the destination limits new records and their parts apart, it writes the parts of
 * the next stage beside them: each page of parts waits until its parents have their outcomes. So the order of a record
 * and its parts stays the same, and both stages have their own checkpoints.
 */
export async function writeBeside(context: RunContext, stage: Stage, slice: Slice): Promise<void> {
  const parts = await findParts(context, stage)
  if (!parts) return writePages(context, stage, slice)
  const end = new AbortController()
  const isOver = () => end.signal.aborted || slice.isOver()
  const mayWrite = async (records: readonly FamilyRecord[], isLarge: boolean) => {
    while (!(await haveParents(context, parts.entity, records))) {
      // A large page holds a turn, for which the parents may wait.
      if (isLarge || isOver()) return false
      await sleep(lookAgainMs)
    }
    return true
  }
  // The stage of the parts meets a failure again in its own turn, and reports it then.
  const beside = writePages(context, parts, { ...slice, pace: { goal: 1 }, isOver, mayWrite }).catch(() => {})
  try {
    await writePages(context, stage, slice)
  } finally {
    end.abort()
    await beside
  }
}

/**
 * The stage of the parts of these records, if it may go on beside theirs. While the run fails it may not: its progress
 * would hide that the records make none.
 */
async function findParts({ db, run, mapping, family }: RunContext, { position, entity }: Stage): Promise<Stage | null> {
  if (run.kind !== 'full' || run.since !== null) return null
  const parts = familyDefinitions[family].entities.find(({ parent, fields }) => {
    const { to = [] } = fields[parent ?? ''] ?? {}
    return to.length === 1 && to[0] === entity
  })
  if (!parts || mapping.destination.entities[parts.name]?.besideParents !== true) return null
  const next = await db
    .selectFrom('run_stages as s')
    .innerJoin('runs as r', 'r.id', 's.run_id')
    .select(['s.position', 's.stage', 's.cursor', 's.passes', 's.skipped', 's.cursor_watch'])
    .where('s.run_id', '=', run.id)
    .where('s.position', '=', position + 1)
    .where('s.stage', '=', 'write')
    .where('s.entity', '=', parts.name)
    .where('s.is_done', '=', false)
    .where('r.failures', '=', 0)
    .where('r.budget_windows', '=', 0)
    .executeTakeFirst()
  return next ? { ...next, entity: parts.name } : null
}

/** Whether the parent of each record has its outcome, or is known to get none in this run. */
async function haveParents(
  { db, importId, family }: RunContext,
  entity: string,
  records: readonly FamilyRecord[],
): Promise<boolean> {
  const { parent = '' } = familyDefinitions[family].entities.find(({ name }) => name === entity) ?? {}
  const refs = records.flatMap(({ fields }) => (fields[parent] ?? []) as RecordRef | RecordRef[])
  const rows = await findRows(db, importId, refs)
  return refs.every((ref) => {
    const row = rows.get(refKey(ref))
    return row !== undefined && (row.state !== 'intended' || row.code === 'unknown')
  })
}
