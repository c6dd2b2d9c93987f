import { sql } from 'kysely'
import type { FoundRecord } from '../connectors/contract/contract.ts'
import { capabilitiesOf } from '../connectors/entity-capabilities.ts'
import { othersAdded } from '../connectors/kit/remove.ts'
import type { Tx } from '../db/open-database.ts'
import { neverThere } from '../imports/list-records.ts'
import type { WarningCode } from '../warnings/codes.ts'
import { changeRows, countUp } from './change-ledger.ts'
import { countOthers } from './count-others.ts'
import { isAsSent } from './hash-record.ts'
import { findPlacedRows, lacksOutcome, type PlacedRow, soughtRecord } from './ledger.ts'
import { moveStage } from './move-stage.ts'
import { lateMsOf, waitForDestination } from './reconcile.ts'
import { recordKey } from './record-key.ts'
import type { RunContext, Stage } from './run-context.ts'
import { lossesOf } from './to-outcome-row.ts'
import { countWarned, orNull, uniteCodes } from './warnings.ts'

/** The final outcome of a row that was open. */
type FinalOutcome =
  | { row: PlacedRow; result: 'arrived'; there: FoundRecord; isEdited: boolean }
  | { row: PlacedRow; result: 'unknown' | 'vanished' | typeof neverThere }

/**
 * Finds the outcome of every record that still lacks one when everything is written. Doubles of records that were sent
 * again in doubt are removed. A record that arrived late counts as written. A record that vanished from the source
 * before it was sent is listed.
 */
export async function sweepPage(context: RunContext, stage: Stage): Promise<void> {
  const { db, run, importId, writer, mapping } = context
  const { entity, cursor } = stage
  const { batchSize: limit, settleMs, deliveryClass, keepsRevisions } = capabilitiesOf(mapping.destination, entity)
  if (cursor === null) await markDoubtful(context, entity)
  const rows = await findPlacedRows(db, { importId, entity, after: cursor, limit }, sql`m.is_doubtful`)
  // With a unique key no record can exist twice. A destination that keeps revisions ignores late arrivals after an
  // undo, so no waiting is needed.
  const isUndone = run.kind === 'undo' && keepsRevisions === true
  const mayDouble = (row: PlacedRow) => deliveryClass !== 'A' && row.carried_at === null
  // A part exists twice only if its parent does, and goes with the second parent.
  const sought = isUndone ? [] : rows.filter((row) => row.state !== 'written' || mayDouble(row))
  // The last request may still take effect and be found only then.
  const sentAgo = sought.map((row) => row.sent_ms_ago ?? Number.POSITIVE_INFINITY)
  await waitForDestination(lateMsOf(context, entity) + settleMs - Math.min(...sentAgo))
  // By its marker, not by the id we know: the double has another.
  const unplaced = sought.map((row) => ({ ...soughtRecord(importId, entity, row), destinationId: null }))
  // Without its parent nothing is there that came inside it.
  const placed = unplaced.filter(({ parent, position }) => position === undefined || parent !== null)
  const found = placed.length === 0 ? [] : await writer.find(entity, placed)
  const thereOf = (row: PlacedRow) =>
    found.filter((record) => record.key === recordKey(importId, entity, row.source_id))
  const doubled = await removeDoubles(context, entity, rows, thereOf)
  const finalOutcomes = sought.flatMap((row) => concludeRow(context, entity, row, thereOf(row)[0]) ?? [])
  await run.lease.commit(async (tx) => {
    await commitFinalOutcomes(tx, context, entity, finalOutcomes)
    await commitDoubled(tx, context, entity, doubled)
    await sql`
      update id_map set is_doubtful = false
      where import_id = ${importId} and entity = ${entity} and source_id = any(${rows.map((row) => row.source_id)})`.execute(
      tx,
    )
    await moveStage(tx, context, stage, { cursor: rows.at(-1)?.source_id ?? cursor, isDone: rows.length < limit })
  })
}

async function markDoubtful({ run, importId }: RunContext, entity: string): Promise<void> {
  await run.lease.commit((tx) =>
    sql`update id_map m set is_doubtful = true
      where m.import_id = ${importId} and m.entity = ${entity} and ${lacksOutcome}`.execute(tx),
  )
}

/** Null for a row of which nothing is open. */
function concludeRow(
  { run, mapping }: RunContext,
  entity: string,
  row: PlacedRow,
  there: FoundRecord | undefined,
): FinalOutcome | null {
  const isGivenUp = row.state === 'refused' && row.code === 'failing'
  if (row.state !== 'intended' && !isGivenUp) return null
  if (there?.isUnreadable) return isGivenUp ? null : { row, result: 'unknown' }
  if (there) {
    const isEdited = there.isUnfinished === true || !isAsSent(row.sent_hash, there)
    return { row, result: 'arrived', there, isEdited }
  }
  if (isGivenUp) return null
  const isUnfindable = capabilitiesOf(mapping.destination, entity).deliveryClass === 'D' && row.sent_ms_ago !== null
  return { row, result: isUnfindable ? 'unknown' : run.kind === 'undo' ? neverThere : 'vanished' }
}

interface Change {
  source_id: string
  state: 'written' | 'refused' | 'intended' | 'removed'
  destination_id?: string
  destination_url?: string | null
  destination_version?: string | null
  code: string | null
  message: string | null
  warned: WarningCode[] | null
}

const messages = {
  unknown: 'It may be there or not.',
  vanished: 'It vanished from the source before it was copied. It is not in the destination.',
  edited: 'It is not as it was sent: someone may have changed it.',
  doubled: 'It is there more than once: the destination did not let us remove the other one.',
  doubledWithOthers: 'It is there more than once: other people or programs have added messages to the other one.',
}

function toChange(outcome: FinalOutcome): Change {
  const { source_id, warned } = outcome.row
  if (outcome.result === neverThere) {
    return { source_id, state: 'removed', code: neverThere, message: null, warned: null }
  }
  if (outcome.result !== 'arrived') {
    const code = outcome.result
    return {
      source_id,
      state: code === 'unknown' ? 'intended' : 'refused',
      code,
      message: messages[code],
      warned: [code],
    }
  }
  const { there, isEdited } = outcome
  return {
    source_id,
    state: 'written',
    destination_id: there.destinationId,
    destination_url: there.url,
    // Without a version an undo compares the content, and keeps a record that people have changed.
    destination_version: isEdited ? null : there.version,
    code: isEdited ? 'edited' : null,
    message: isEdited ? messages.edited : null,
    warned: orNull(
      uniteCodes(
        warned?.filter((code) => code !== 'refused'),
        isEdited ? ['edited'] : lossesOf(there),
      ),
    ),
  }
}

async function commitFinalOutcomes(
  tx: Tx,
  { run, importId }: RunContext,
  entity: string,
  finalOutcomes: FinalOutcome[],
): Promise<void> {
  const changes = finalOutcomes.map(toChange)
  await changeRows(
    tx,
    run,
    entity,
    changes,
    {
      state: 'text',
      destination_id: 'text',
      destination_url: 'text',
      destination_version: 'text',
      code: 'text',
      message: 'text',
      warned: 'text[]',
    },
    sql`state = excluded.state, destination_id = excluded.destination_id, destination_url = excluded.destination_url,
      destination_version = excluded.destination_version, code = excluded.code, message = excluded.message,
      warned = excluded.warned,
      written_hash = case when excluded.state = 'written' then m.sent_hash else m.written_hash end,
      sent_hash = case when excluded.state = 'written' then null else m.sent_hash end`,
  )
  const arrived = finalOutcomes.filter(({ result }) => result === 'arrived').length
  await countUp(tx, importId, { entity, items: arrived, done: 0 })
  await countWarned(
    tx,
    importId,
    entity,
    finalOutcomes.map(({ row }, index) => ({ before: row.warned, after: changes[index]?.warned ?? null })),
  )
}

/** Removes all but one of each, and answers the rows of which the destination kept more, with the reason. */
async function removeDoubles(
  context: RunContext,
  entity: string,
  rows: PlacedRow[],
  thereOf: (row: PlacedRow) => FoundRecord[],
): Promise<Map<PlacedRow, string>> {
  const { run, importId, writer } = context
  const doubles = rows.flatMap((row) => {
    const isOurs = (record: FoundRecord, index: number) =>
      row.state === 'written' ? record.destinationId === row.destination_id : index === 0
    return thereOf(row)
      .filter(({ isUnreadable }) => !isUnreadable)
      .filter((record, index) => !isOurs(record, index))
      .map((record) => ({ row, record }))
  })
  if (doubles.length === 0) return new Map()
  await run.lease.beforeSend()
  const rowOf = new Map(doubles.map(({ row, record }) => [record.key, row]))
  const outcomes = await writer.remove(
    entity,
    doubles.map(({ row, record: { key, destinationId, version, inside } }) => {
      const { parent } = soughtRecord(importId, entity, row)
      // With a version, the connector also asks about messages of others.
      return { key, destinationId, version: inside ? version : null, parent, revision: row.attempts }
    }),
    (filled) =>
      countOthers(
        context,
        entity,
        filled.map(({ key, ...one }) => ({ ...one, row: rowOf.get(key) })),
      ),
  )
  return new Map(
    outcomes.flatMap((outcome) => {
      const row = rowOf.get(outcome.key)
      return row && outcome.result === 'kept' ? [[row, outcome.message]] : []
    }),
  )
}

async function commitDoubled(
  tx: Tx,
  { run, importId }: RunContext,
  entity: string,
  doubled: ReadonlyMap<PlacedRow, string>,
): Promise<void> {
  const rows = [...doubled.keys()]
  const changes = rows.map((row) => ({
    source_id: row.source_id,
    state: row.state,
    code: 'doubled',
    message: doubled.get(row) === othersAdded ? messages.doubledWithOthers : messages.doubled,
    warned: uniteCodes(row.warned, ['doubled']),
  }))
  await changeRows(
    tx,
    run,
    entity,
    changes,
    { state: 'text', code: 'text', message: 'text', warned: 'text[]' },
    sql`code = excluded.code, message = excluded.message, warned = excluded.warned`,
  )
  await countWarned(
    tx,
    importId,
    entity,
    changes.map(({ warned }, index) => ({ before: rows[index]?.warned, after: warned })),
  )
}
