import { sql } from 'kysely'
import type { RemovableRecord, RemoveOutcome } from '../connectors/contract/contract.ts'
import { capabilitiesOf } from '../connectors/entity-capabilities.ts'
import { chunksOf } from '../connectors/kit/find.ts'
import { isLimit, RetryableError } from '../errors.ts'
import { neverThere } from '../imports/list-records.ts'
import { type Change, commitRemoval, inUse } from './commit-removal.ts'
import { countOthers } from './count-others.ts'
import { findPlaced } from './find-placed.ts'
import { mayBlame, reasonOf } from './give-up-failing.ts'
import { doubledCode, findNeeded, judgeRemoval } from './judge-removal.ts'
import { keepReferred } from './keep-referred.ts'
import { findPlacedRows, type PlacedRow, soughtRecord } from './ledger.ts'
import { isSelfReferring } from './plan-stages.ts'
import { longestWaitMs, waitForDestination } from './reconcile.ts'
import { recordKey } from './record-key.ts'
import { isRemovable } from './removable-rows.ts'
import type { RunContext, Stage } from './run-context.ts'
import { countFailures } from './stuck-page.ts'

/**
 * Removes one batch of records that we created, by the ledger. Records edited in the destination since then are kept
 * and listed.
 */
export async function removePage(context: RunContext, stage: Stage): Promise<void> {
  const { db, run, importId, mapping, family } = context
  const { entity, cursor } = stage
  const removal = mapping.destination.entities[entity]?.removal ?? 'itself'
  const limit = capabilitiesOf(mapping.destination, entity).batchSize
  // Records that a worker was sending when it died may be in the destination.
  const rows = await findPlacedRows(
    db,
    { importId, entity, after: cursor, limit },
    sql`m.state in ('written', 'intended', 'deleted') and ${removal !== 'with parent'} and ${isRemovable(run)}`,
  )
  const isNested = removal === 'itself' && isSelfReferring(family, entity)
  if (isNested && rows.length === 0) return removeFreed(context, stage, limit)
  await run.lease.beforeSend()
  const { changes, limit: met } =
    removal === 'never'
      ? { changes: rows.map((row) => markKept(row, 'kept', 'The destination offers no way to remove it.')) }
      : await remove(context, entity, rows)
  await context.crashPoint('removal sent')
  if (met) return stopAtLimit(context, stage, changes, met)
  const waiting = isNested ? changes.filter(({ isInUse }) => isInUse) : []
  const settled = changes.filter((change) => !waiting.includes(change))
  await settleRemoval(context, stage, settled, waiting, {
    cursor: rows.at(-1)?.source_id ?? cursor,
    isDone: rows.length < limit && !isNested,
  })
}

/**
 * Tries the records in use again, now that the others are gone: a category is empty only after its inner ones. Each
 * call must remove at least one; otherwise all of them stay.
 */
async function removeFreed(context: RunContext, stage: Stage, limit: number): Promise<void> {
  const { db, run, importId } = context
  const { entity, cursor } = stage
  const rows = await findPlacedRows(
    db,
    { importId, entity, after: null, limit: mostInUse },
    sql`m.state in ('written', 'intended', 'deleted') and m.code = ${inUse} and ${isRemovable(run)}`,
  )
  await run.lease.beforeSend()
  const changes: Change[] = []
  for (const some of chunksOf(rows, limit)) {
    const removed = await remove(context, entity, some)
    changes.push(...removed.changes)
    if (removed.limit) return stopAtLimit(context, stage, changes, removed.limit)
  }
  await context.crashPoint('removal sent')
  const removed = changes.filter(({ isRemoved }) => isRemoved)
  const isDone = removed.length === 0
  await settleRemoval(context, stage, isDone ? changes : removed, [], { cursor, isDone })
}

/** Settles what was removed before a limit, so that a run that removes only a few at a time makes headway. */
async function stopAtLimit(context: RunContext, stage: Stage, changes: Change[], limit: Error): Promise<never> {
  const removed = changes.filter(({ isRemoved }) => isRemoved)
  if (removed.length > 0) await settleRemoval(context, stage, removed, [], { cursor: stage.cursor, isDone: false })
  throw limit
}

async function settleRemoval(
  context: RunContext,
  stage: Stage,
  changes: Change[],
  waiting: readonly Change[],
  to: { cursor: string | null; isDone: boolean },
): Promise<void> {
  const [removed, kept] = [changes.filter(({ isRemoved }) => isRemoved), changes.filter(({ isRemoved }) => !isRemoved)]
  const rowsOf = (some: Change[]) => some.map(({ row }) => row)
  await keepReferred(context, stage.entity, rowsOf(kept), rowsOf(removed))
  await commitRemoval(context, stage, changes, waiting, to)
  await context.crashPoint('removal committed')
}

/** Marks children that were removed or kept with their parents. This stage comes after all other removals. */
export async function followPage(context: RunContext, stage: Stage): Promise<void> {
  const { db, run, importId, mapping } = context
  const { entity, cursor } = stage
  const isFollowing = mapping.destination.entities[entity]?.removal === 'with parent'
  const limit = 500
  const rows = await findPlacedRows(
    db,
    { importId, entity, after: cursor, limit },
    sql`m.state in ('written', 'intended', 'deleted') and ${isFollowing} and ${isRemovable(run)}`,
  )
  const changes = rows.map((row) =>
    row.parent_state === 'removed' || row.parent_state === null
      ? markRemoved(row)
      : markKept(row, 'kept', 'It stays with the record it belongs to.'),
  )
  await commitRemoval(context, stage, changes, [], {
    cursor: rows.at(-1)?.source_id ?? cursor,
    isDone: rows.length < limit,
  })
}

const markRemoved = (row: PlacedRow, isMissing = false): Change => ({
  row,
  source_id: row.source_id,
  isRemoved: true,
  // Sums count only records that existed.
  code: isMissing && row.state === 'intended' ? neverThere : null,
  message: null,
})
const markKept = (row: PlacedRow, code: string, message: string | null): Change => ({
  row,
  source_id: row.source_id,
  isRemoved: false,
  code,
  message,
})

/** The most records in use that are tried again at once. */
const mostInUse = 10_000

/** With a version the destination itself compares. Without one we read the record first, to see whether people changed it. */
async function remove(context: RunContext, entity: string, rows: PlacedRow[]): Promise<Removed> {
  const { importId, run, mapping } = context
  // A destination that keeps revisions refuses a late request for a record that it was told to remove.
  const isOnItsWay = (row: PlacedRow) =>
    mapping.destination.capabilities.keepsRevisions === true && row.sent_hash !== null
  const absent = (row: PlacedRow): RemovableRecord => ({
    ...soughtRecord(importId, entity, row),
    destinationId: row.destination_id ?? '',
    version: null,
    revision: row.attempts,
  })
  const needed = run.options.remove_edited ? new Map<PlacedRow, string>() : await findNeeded(context, entity, rows)
  // A record that people deleted cannot be kept.
  const foundOf = needed.size === 0 ? () => undefined : await findPlaced(context, entity, [...needed.keys()])
  const changes = [...needed].map(([row, reason]) =>
    foundOf(row) ? markKept(row, 'edited', reason) : markRemoved(row, true),
  )
  const free = rows.filter((row) => !needed.has(row))
  const isSure = (row: PlacedRow) =>
    row.destination_version !== null &&
    row.destination_id !== null &&
    row.sent_hash === null &&
    row.changing === null &&
    row.code !== doubledCode
  const sure = run.options.remove_edited ? [] : free.filter(isSure)
  const unsure = free.filter((row) => !sure.includes(row))
  const judged = unsure.length === 0 ? [] : await judgeRemoval(context, entity, unsure)
  const removable: Removal[] = sure.map((row) => ({
    row,
    record: {
      ...soughtRecord(importId, entity, row),
      destinationId: String(row.destination_id),
      version: row.destination_version,
      revision: row.attempts,
    },
  }))
  for (const { row, finding, records, message } of judged) {
    const isForced = finding === 'edited' && run.options.remove_edited === true
    if (finding === 'missing' && isOnItsWay(row)) removable.push({ row, record: absent(row) })
    else if (finding === 'missing') changes.push(markRemoved(row, true))
    else if (finding === 'removable' || isForced) {
      removable.push(...records.map((record) => ({ row, record: isForced ? { ...record, version: null } : record })))
    } else changes.push(markKept(row, finding, message))
  }
  const removed = await removeRecords(context, entity, removable)
  return { ...removed, changes: [...changes, ...removed.changes] }
}

interface Removed {
  changes: Change[]
  /** A limit of the tool that has stopped the rest. */
  limit?: Error
}

interface Removal {
  row: PlacedRow
  record: RemovableRecord
}

/** After this many failures in a row, records are removed one by one to find the failing one. */
const failuresUntilAlone = 2
/** A record that is removed alone is given up after this many failures in a row, whether or not others are removed. */
const enoughAlone = 6

async function removeRecords(context: RunContext, entity: string, removals: Removal[]): Promise<Removed> {
  if (removals.length === 0) return { changes: [] }
  try {
    return { changes: await removeAll(context, entity, removals) }
  } catch (error) {
    const failures = await countFailures(context)
    if (!(error instanceof RetryableError) || failures < failuresUntilAlone) throw error
    return removeOneByOne(context, entity, removals, failures)
  }
}

/** A record whose removal always fails is kept with the answer as its reason; the others go. */
async function removeOneByOne(
  context: RunContext,
  entity: string,
  removals: Removal[],
  failures: number,
): Promise<Removed> {
  const changes: Change[] = []
  const failed: { row: PlacedRow; error: unknown }[] = []
  for (const [row, ofRow] of Map.groupBy(removals, (removal) => removal.row)) {
    try {
      changes.push(...(await removeAll(context, entity, ofRow)))
    } catch (error) {
      if (isLimit(error)) return { changes, limit: error as Error }
      if (!mayBlame(error)) throw error
      failed.push({ row, error })
    }
  }
  // The next attempt finds the removed ones missing, and tries the others again.
  if (failed[0] && failures < enoughAlone) throw failed[0].error
  const isGone = await findGone(
    context,
    entity,
    failed.map(({ row }) => row),
  )
  const given = failed.map(({ row, error }) =>
    isGone(row) ? markRemoved(row) : markKept(row, 'failing', `It could not be removed: ${reasonOf(error)}`),
  )
  return { changes: [...changes, ...given] }
}

/** A removal may have taken effect although its answer was an error. */
async function findGone(context: RunContext, entity: string, rows: PlacedRow[]): Promise<(row: PlacedRow) => boolean> {
  if (rows.length === 0) return () => false
  try {
    const { settleMs } = capabilitiesOf(context.mapping.destination, entity)
    await waitForDestination(Math.min(settleMs, longestWaitMs))
    const foundOf = await findPlaced(context, entity, rows)
    return (row) => foundOf(row) === undefined
  } catch (error) {
    if (!mayBlame(error)) throw error
    return () => false
  }
}

async function removeAll(context: RunContext, entity: string, removals: Removal[]): Promise<Change[]> {
  const { importId, writer } = context
  const rowOf = new Map(removals.map(({ row, record }) => [record.key, row]))
  const outcomes = await writer.remove(
    entity,
    removals.map(({ record }) => record),
    // Others may have added to it since it was inspected.
    (filled) =>
      countOthers(
        context,
        entity,
        filled.map(({ key, ...one }) => ({ ...one, row: rowOf.get(key) })),
      ),
  )
  const kept = new Map(
    outcomes.flatMap((outcome: RemoveOutcome) => (outcome.result === 'kept' ? [[outcome.key, outcome]] : [])),
  )
  const removed = new Set(outcomes.flatMap(({ key, result }) => (result === 'removed' ? [key] : [])))
  const rows = [...new Set(removals.map(({ row }) => row))]
  return rows.map((row) => {
    const key = recordKey(importId, entity, row.source_id)
    const staying = kept.get(key)
    if (!staying) return markRemoved(row, !removed.has(key))
    return { ...markKept(row, 'edited', staying.message), isInUse: staying.isInUse === true }
  })
}
