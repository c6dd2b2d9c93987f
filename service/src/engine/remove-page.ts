import { sql } from 'kysely'
import type { RemovableRecord, RemoveOutcome } from '../connectors/contract/contract.ts'
import { capabilitiesOf } from '../connectors/entity-capabilities.ts'
import { chunksOf } from '../connectors/kit/find.ts'
import { neverThere } from '../imports/list-records.ts'
import { countOutcomes, tell } from '../signals/signals.ts'
import type { WarningCode } from '../warnings/codes.ts'
import { changeRows, countUp } from './change-ledger.ts'
import { countOthers } from './count-others.ts'
import { findPlaced } from './find-placed.ts'
import { mayBlame, reasonOf } from './give-up-failing.ts'
import { doubledCode, findNeeded, judgeRemoval } from './judge-removal.ts'
import { keepReferred } from './keep-referred.ts'
import { findPlacedRows, type PlacedRow, soughtRecord } from './ledger.ts'
import { moveStage } from './move-stage.ts'
import { isSelfReferring } from './plan-stages.ts'
import { longestWaitMs, waitForDestination } from './reconcile.ts'
import { recordKey } from './record-key.ts'
import { goneFromSource, isRemovable } from './removable-rows.ts'
import type { RunContext, Stage } from './run-context.ts'
import { countFailures } from './stuck-page.ts'
import { countWarned, uniteCodes } from './warnings.ts'

interface Change {
  row: PlacedRow
  source_id: string
  isRemoved: boolean
  code: string | null
  message: string | null
  /** Other records need it now. */
  isInUse?: boolean
}

/** The code of a row that is tried again after the other records of its entity. */
const inUse = 'in_use'

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
  const changes =
    removal === 'never'
      ? rows.map((row) => markKept(row, 'kept', 'The destination offers no way to remove it.'))
      : await remove(context, entity, rows)
  await context.crashPoint('removal sent')
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
  for (const some of chunksOf(rows, limit)) changes.push(...(await remove(context, entity, some)))
  await context.crashPoint('removal sent')
  const removed = changes.filter(({ isRemoved }) => isRemoved)
  const isDone = removed.length === 0
  await settleRemoval(context, stage, isDone ? changes : removed, [], { cursor, isDone })
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
async function remove(context: RunContext, entity: string, rows: PlacedRow[]): Promise<Change[]> {
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
  return [...changes, ...(await removeRecords(context, entity, removable))]
}

interface Removal {
  row: PlacedRow
  record: RemovableRecord
}

/** After this many failures in a row, records are removed one by one to find the failing one. */
const failuresUntilAlone = 2
/** A record that is removed alone is given up after this many failures in a row, whether or not others are removed. */
const enoughAlone = 6

async function removeRecords(context: RunContext, entity: string, removals: Removal[]): Promise<Change[]> {
  if (removals.length === 0) return []
  try {
    return await removeAll(context, entity, removals)
  } catch (error) {
    const failures = await countFailures(context)
    if (!mayBlame(error) || failures < failuresUntilAlone) throw error
    return removeOneByOne(context, entity, removals, failures)
  }
}

/** A record whose removal always fails is kept with the answer as its reason; the others go. */
async function removeOneByOne(
  context: RunContext,
  entity: string,
  removals: Removal[],
  failures: number,
): Promise<Change[]> {
  const changes: Change[] = []
  const failed: { row: PlacedRow; error: unknown }[] = []
  for (const [row, ofRow] of Map.groupBy(removals, (removal) => removal.row)) {
    try {
      changes.push(...(await removeAll(context, entity, ofRow)))
    } catch (error) {
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
  return [
    ...changes,
    ...failed.map(({ row, error }) =>
      isGone(row) ? markRemoved(row) : markKept(row, 'failing', `It could not be removed: ${reasonOf(error)}`),
    ),
  ]
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

/** An undo has dropped all earlier warnings. After a removal the other warnings of a kept record still hold. */
const keptWarnings = ({ warned }: PlacedRow): WarningCode[] =>
  uniteCodes(
    warned?.filter((code) => code !== goneFromSource),
    ['kept'],
  )

async function commitRemoval(
  context: RunContext,
  stage: Stage,
  changes: Change[],
  waiting: readonly Change[],
  to: { cursor: string | null; isDone: boolean },
): Promise<void> {
  const { run, importId } = context
  const { entity } = stage
  await run.lease.commitOutcome(async (tx) => {
    if (waiting.length > 0) {
      await sql`
        update id_map set code = ${inUse}
        where import_id = ${importId} and entity = ${entity}
          and source_id = any(${waiting.map(({ source_id }) => source_id)})`.execute(tx)
    }
    const isNowRemoved = sql`excluded.state = 'removed'`
    await changeRows(
      tx,
      run,
      entity,
      changes.map(({ row, isRemoved, code, isInUse: _isInUse, ...change }) => ({
        ...change,
        code: code ?? (isRemoved && run.kind === 'removal' ? goneFromSource : null),
        state: isRemoved ? 'removed' : row.state,
        warned: isRemoved ? null : keptWarnings(row),
      })),
      { state: 'text', code: 'text', message: 'text', warned: 'text[]' },
      sql`
        state = case when ${isNowRemoved} then 'removed' else m.state end,
        -- The certificate of this run counts its removals.
        run_id = case when ${isNowRemoved} then excluded.run_id else m.run_id end,
        code = excluded.code,
        message = excluded.message,
        warned = excluded.warned,
        written_hash = case when ${isNowRemoved} then null else m.written_hash end,
        sent_hash = case when ${isNowRemoved} then null else m.sent_hash end,
        destination_version = case when ${isNowRemoved} then null else m.destination_version end,
        destination_id = case when ${isNowRemoved} then null else m.destination_id end,
        destination_url = case when ${isNowRemoved} then null else m.destination_url end,
        is_incomplete = m.is_incomplete and not ${isNowRemoved},
        changing = case when not ${isNowRemoved} then m.changing end,
        undo_finding = case when excluded.code = 'edited' then 'edited' end,
        is_doubtful = m.is_doubtful and not ${isNowRemoved}`,
    )
    const removed = changes.filter(({ row, isRemoved }) => isRemoved && row.state === 'written').length
    await countUp(tx, importId, { entity, items: -removed, done: changes.length, runId: run.id })
    const warned = changes.map(({ row, isRemoved }) => ({
      before: row.warned,
      after: isRemoved ? null : keptWarnings(row),
    }))
    await countWarned(tx, importId, entity, warned)
    await moveStage(tx, context, stage, to)
  })
  const outcomes = changes.map(({ isRemoved }) => (isRemoved ? 'removed' : 'kept'))
  tell('records settled', { tool: context.destinationTool, outcomes: countOutcomes(outcomes) })
}
