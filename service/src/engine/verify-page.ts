import { sql } from 'kysely'
import type { FoundRecord } from '../connectors/contract/contract.ts'
import { capabilitiesOf } from '../connectors/entity-capabilities.ts'
import type { Tx } from '../db/open-database.ts'
import { entityOf } from '../families/index.ts'
import type { FamilyRecord } from '../families/record.ts'
import { askInParts } from '../outbound/ask-for-less.ts'
import { changeRows } from './change-ledger.ts'
import { findPlaced } from './find-placed.ts'
import { isHalfChanged } from './half-changed.ts'
import { isAsSent, listDifferences, storedContent } from './hash-record.ts'
import { areKnown } from './known-losses.ts'
import { readInTurn, splitBySize } from './large-pages.ts'
import { findPlacedRows, findRows, hasComeInside, type PlacedRow, refKey } from './ledger.ts'
import { moveStage } from './move-stage.ts'
import { prepareRecords } from './prepare-records.ts'
import { pagesOf } from './read-by-ids.ts'
import { markDeleted } from './recheck-page.ts'
import { waitForDestination } from './reconcile.ts'
import { recordKey } from './record-key.ts'
import type { RunContext, Stage } from './run-context.ts'
import { isFileEntity } from './send-batches.ts'
import { countWarned, orNull, uniteCodes } from './warnings.ts'

/** Of a full migration one record in ten is read back, of a sample and by a check every one. */
const shareOfFull = 26 // of 256
const mostExplained = 100
/** Rounds of requests between two commits. */
const roundsPerCommit = 2
/** The most records below one parent, on average, that are looked for among the next ones. */
const siblingsExpected = 8

const isRefusedUpdate = sql`m.warned && array['refused', 'not_protected']`

/** Reads one batch of records back and compares them with the sent content. */
export async function verifyPage(context: RunContext, stage: Stage): Promise<void> {
  const { db, run, importId, mapping } = context
  const { entity, cursor } = stage
  const { batchSize, concurrency } = capabilitiesOf(mapping.destination, entity)
  const limit = batchSize * concurrency * roundsPerCommit
  const isBelow = mapping.destination.entities[entity]?.removal === 'with parent'
  // All parts of one record in ten, because the destination shows them together.
  const chosenBy = isBelow ? sql`coalesce(m.parent_source_id, m.source_id)` : sql`m.source_id`
  const share = run.kind === 'full' ? sql`get_byte(decode(md5(${chosenBy}), 'hex'), 0) < ${shareOfFull}` : sql`true`
  const most = isBelow ? limit * siblingsExpected : limit
  const next = await findPlacedRows(
    db,
    { importId, entity, after: cursor, limit: most },
    run.kind === 'check'
      ? sql`m.state = 'written'`
      : sql`m.state = 'written' and m.run_id = ${run.id} and m.code is distinct from 'edited' and ${share}`,
  )
  const rows = isBelow ? belowFewParents(next, limit) : next
  const foundOf = await findSettled(context, entity, rows)
  const deleted = rows.filter((row) => !foundOf(row))
  const otherSizes = await findOtherSizes(context, entity, rows, foundOf)
  const isSame = (row: PlacedRow) => {
    const record = foundOf(row)
    return record !== undefined && isAsSent(row.written_hash, record) && !otherSizes.has(row.source_id)
  }
  const found = rows.filter((row) => foundOf(row))
  const differing = found.filter((row) => !isSame(row))
  const differences = await explainDifferences(
    context,
    entity,
    differing.flatMap((row) => {
      const record = foundOf(row)
      return record && !record.isUnreadable ? [{ sourceId: row.source_id, record }] : []
    }),
  )
  const definitions = entityOf(context.family, entity).fields
  const findings = found.map((row) => {
    // A version other than ours means that somebody changed the record.
    const isUnreadable = foundOf(row)?.isUnreadable === true
    const isEdited =
      !isUnreadable &&
      row.destination_version !== null &&
      foundOf(row)?.version !== row.destination_version &&
      !isHalfChanged(row.changing, foundOf(row) as FoundRecord)
    const fields = differences.get(recordKey(importId, entity, row.source_id))
    const isKnown = fields !== undefined && !otherSizes.has(row.source_id) && areKnown(fields, row.warned, definitions)
    const code = isSame(row) || (isKnown && !isEdited) ? null : isEdited ? 'edited' : 'differs'
    const others = row.warned?.filter((warning) => warning !== 'differs')
    return {
      source_id: row.source_id,
      code,
      message:
        code === null
          ? null
          : isUnreadable
            ? foundOf(row)?.isHidden
              ? 'The destination no longer shows it, so it cannot be compared.'
              : 'The destination shows it in a form that cannot be read.'
            : otherSizes.has(row.source_id)
              ? (otherSizes.get(row.source_id) ?? null)
              : fields === undefined
                ? null
                : `Not as it was sent: ${fields.join(', ') || 'it has changed in the source since'}`,
      before: row.warned,
      after: orNull(uniteCodes(others, code === null ? [] : [code])),
    }
  })
  await run.lease.commit(async (tx) => {
    await changeRows(
      tx,
      run,
      entity,
      findings.map(({ before, after, ...finding }) => ({ ...finding, warned: after, state: 'written' })),
      { state: 'text', code: 'text', message: 'text', warned: 'text[]' },
      // The reason of a change that was refused later stays.
      sql`is_verified = excluded.code is null,
        code = case when excluded.code is null and ${isRefusedUpdate} then m.code else excluded.code end,
        message = case when excluded.code is null and ${isRefusedUpdate} then m.message else excluded.message end,
        warned = excluded.warned`,
    )
    await countWarned(tx, importId, entity, findings)
    await markDeleted(tx, context, entity, deleted)
    if (run.kind === 'check') await countRead(tx, run.id, stage, rows.length)
    await moveStage(tx, context, stage, {
      cursor: rows.at(-1)?.source_id ?? cursor,
      isDone: next.length < most && rows.length === next.length,
    })
  })
}

/** The first of these rows, below at most `most` parents. */
function belowFewParents(rows: PlacedRow[], most: number): PlacedRow[] {
  const parents = new Set<string>()
  const end = rows.findIndex((row) => parents.add(placeOfParent(row)).size > most)
  return end === -1 ? rows : rows.slice(0, end)
}

const placeOfParent = ({ source_id, parent_entity, parent_destination_id }: PlacedRow) =>
  parent_destination_id === null ? `/${source_id}` : `${parent_entity}/${parent_destination_id}`

/**
 * The destination's records, read back at once: even where a search is behind, most tools show a record by its id. If
 * one is missing or not as sent, the destination may not show the last changes yet, and is asked again.
 */
async function findSettled(context: RunContext, entity: string, rows: PlacedRow[]): ReturnType<typeof findPlaced> {
  const { settleMs } = capabilitiesOf(context.mapping.destination, entity)
  const foundOf = await findPlaced(context, entity, rows)
  const unsettled = rows.filter((row) => {
    const record = foundOf(row)
    return record === undefined || !isAsSent(row.written_hash, record)
  })
  const waitMs = settleMs - Math.min(...unsettled.map((row) => row.sent_ms_ago ?? Number.POSITIVE_INFINITY))
  if (waitMs <= 0) return foundOf
  await waitForDestination(waitMs)
  return findPlaced(context, entity, rows)
}

async function countRead(tx: Tx, runId: string, { position }: Stage, count: number): Promise<void> {
  await tx
    .updateTable('run_stages')
    .set({ done: sql`done + ${count}::int` })
    .where('run_id', '=', runId)
    .where('position', '=', position)
    .execute()
}

/** Messages about files whose size differs between source and destination, by source id. */
async function findOtherSizes(
  { reader: { readSome } }: RunContext,
  entity: string,
  rows: PlacedRow[],
  foundOf: (row: PlacedRow) => FoundRecord | undefined,
): Promise<Map<string, string>> {
  // If the source stated a wrong size, a warning said so when the file was sent.
  const comparable = rows.filter(
    (row) => foundOf(row)?.fileSize !== undefined && !row.warned?.includes('file_size_differs'),
  )
  const other = new Map<string, string>()
  if (!isFileEntity(entity) || comparable.length === 0 || !readSome) return other
  const byId = new Map(comparable.map((row) => [row.source_id, foundOf(row)?.fileSize]))
  for (let at = 0; at < comparable.length; at += mostExplained) {
    const ids = comparable.slice(at, at + mostExplained).map(({ source_id }) => source_id)
    for await (const { items } of pagesOf((at) => readSome(entity, { ids }, at)))
      for (const { sourceId, fields } of items) {
        const size = byId.get(sourceId)
        if (typeof fields.size !== 'number' || size === undefined || size === fields.size) continue
        other.set(sourceId, `The file has ${size} bytes; in the source it has ${fields.size}.`)
      }
  }
  return other
}

/** The names of the differing fields, by key. Empty if the source cannot be asked for single records. */
async function explainDifferences(
  context: RunContext,
  entity: string,
  found: { sourceId: string; record: FoundRecord }[],
): Promise<Map<string, string[]>> {
  const { db, importId, reader } = context
  const explained = new Map<string, string[]>()
  if (found.length === 0 || !reader.readSome) return explained
  const byKey = new Map(found.map(({ record }) => [record.key, record]))
  // Any tool can be asked for this many records at once. The others are listed without their fields.
  const ids = found.slice(0, mostExplained).map(({ sourceId }) => sourceId)
  const { readSome } = reader
  const explain = async (items: FamilyRecord[]) => {
    const known = await findRows(db, importId, items)
    for (const part of splitBySize(items, items.length)) {
      for (const { record, sending } of await prepareRecords(context, entity, part, { known, isLastPass: true })) {
        const stored = sending && byKey.get(sending.outgoing.key)
        if (!stored) continue
        const isInside = hasComeInside(known.get(refKey(record)))
        const sent = await storedContent(context, entity, sending.outgoing, isInside)
        explained.set(sending.outgoing.key, listDifferences(sent, stored))
      }
    }
  }
  await askInParts(ids, async (some) => {
    const read = async (at: string | null) => {
      const { page, endTurn } = await readInTurn(() => readSome(entity, { ids: some }, at))
      return { ...page, endTurn }
    }
    for await (const { items, endTurn } of pagesOf(read)) await explain(items).finally(() => endTurn?.())
    return []
  })
  return explained
}
