import { sql } from 'kysely'
import type { FoundRecord, RemovableRecord, SoughtRecord } from '../connectors/contract/contract.ts'
import { capabilitiesOf } from '../connectors/entity-capabilities.ts'
import { othersAdded } from '../connectors/kit/remove.ts'
import { rowsWith } from '../db/find-in-ledger.ts'
import type { UndoFinding } from '../db/schema.ts'
import { familyDefinitions } from '../families/index.ts'
import { countOthers } from './count-others.ts'
import { isHalfChanged } from './half-changed.ts'
import { isAsSent } from './hash-record.ts'
import { referredMessage } from './keep-referred.ts'
import { type LedgerRow, type PlacedRow, soughtRecord } from './ledger.ts'
import { recordKey } from './record-key.ts'
import type { RunContext } from './run-context.ts'

/** The code of a row whose record is in the destination more than once. */
export const doubledCode = 'doubled'

/** The finding about a record that an undo is about to remove. */
export interface RemovalJudgement {
  row: PlacedRow
  finding: UndoFinding
  /** The records to remove; several only if a record was written twice. */
  records: RemovableRecord[]
  message: string | null
}

/**
 * Reads these records from the destination, and tells which of them nobody has changed since we wrote them, by their
 * version or by their content.
 */
export async function judgeRemoval(
  context: RunContext,
  entity: string,
  rows: PlacedRow[],
): Promise<RemovalJudgement[]> {
  const { importId, writer, mapping } = context
  const { deliveryClass } = capabilitiesOf(mapping.destination, entity)
  const isLost = (row: PlacedRow) => deliveryClass === 'D' && row.destination_id === null
  const askable = rows.filter((row) => !isLost(row))
  const find = async (sought: SoughtRecord[]) => (sought.length === 0 ? [] : writer.find(entity, sought))
  const placed = await find(askable.map((row) => soughtRecord(importId, entity, row)))
  // The sweep left a second copy, which has another id.
  const doubled = askable.filter(({ code }) => code === doubledCode)
  const copies = await find(doubled.map((row) => ({ ...soughtRecord(importId, entity, row), destinationId: null })))
  const known = new Set(placed.map(({ destinationId }) => destinationId))
  const found = [...placed, ...copies.filter(({ destinationId }) => !known.has(destinationId))]
  const rowOf = new Map(rows.map((row) => [recordKey(importId, entity, row.source_id), row]))
  const filled = found.flatMap(({ key, destinationId, inside }) =>
    inside ? [{ row: rowOf.get(key), destinationId, inside }] : [],
  )
  const counts = await countOthers(context, entity, filled)
  const added = new Set(filled.flatMap(({ row }, index) => (counts[index] ? [row] : [])))
  return rows.map((row): RemovalJudgement => {
    const key = recordKey(importId, entity, row.source_id)
    const there = found.filter((record) => record.key === key)
    const { parent } = soughtRecord(importId, entity, row)
    const revision = row.attempts
    const records = there.map(({ destinationId, version }) => ({ key, destinationId, version, parent, revision }))
    const judge = (finding: UndoFinding, message: string | null = null) => ({ row, finding, records, message })
    if (isLost(row)) return judge('unknown', 'It may be there or not; nobody can look for it.')
    if (there.length === 0) return judge('missing')
    if (there.some(({ isUnreadable, isHidden }) => isUnreadable && !isHidden)) {
      return judge('unknown', 'The destination shows it in a form that cannot be read.')
    }
    const isEdited = !there.every((record) => record.isHidden || isHalfOurs(row, record) || isAsWritten(row, record))
    if (!isEdited && added.has(row)) return judge('edited', othersAdded)
    return isEdited ? judge('edited', row.state === 'intended' ? neverKnown : changedMessage) : judge('removable')
  })
}

const changedMessage = 'It was changed in the destination after it was written.'
/** Its answer was lost or could not be read. */
export const neverKnown =
  'It is not as it was sent. The destination kept it in another form, or someone changed it there.'
const mergedMessage = 'Another record of this import was merged with it.'
const editedChildMessage = 'Something that belongs to it was changed in the destination after it was written.'

/** Rows that stay because a kept record needs them, with the reason for each. */
export async function findNeeded(
  context: RunContext,
  entity: string,
  rows: PlacedRow[],
): Promise<ReadonlyMap<PlacedRow, string>> {
  const withEditedChild = await findWithEditedChild(context, entity, rows)
  const merged = await findMerged(context, entity, rows)
  // This run has marked them: a kept record refers to them, or people edited them.
  const marked = rows.filter(({ undo_finding }) => undo_finding === 'edited')
  return new Map([
    ...[...withEditedChild].map((row) => [row, editedChildMessage] as const),
    // After its children: those of a kept record are marked, too.
    ...marked.map((row) => [row, row.message ?? referredMessage] as const),
    ...merged.map((row) => [row, mergedMessage] as const),
  ])
}

/** Rows whose copy is that of another record, too. An undo removes it; a removal leaves it to the other record. */
async function findMerged({ db, importId, run }: RunContext, entity: string, rows: PlacedRow[]): Promise<PlacedRow[]> {
  const ids = rows.flatMap(({ destination_id }) => destination_id ?? [])
  if (run.kind !== 'removal' || ids.length === 0) return []
  const { rows: others } = await sql<{ destination_id: string }>`
    select m.destination_id from ${rowsWith('destination_id', importId, ids)} m
    where m.entity = ${entity} and m.state = 'matched'`.execute(db)
  const shared = new Set(others.map(({ destination_id }) => destination_id))
  return rows.filter(({ destination_id }) => destination_id !== null && shared.has(destination_id))
}

/** Rows with a child that people edited: the removal would delete the child, too. Children are judged first. */
async function findWithEditedChild(
  { db, importId, family }: RunContext,
  entity: string,
  rows: PlacedRow[],
): Promise<Set<PlacedRow>> {
  const children = familyDefinitions[family].entities
    .filter(({ parent, fields }) => parent !== undefined && fields[parent]?.to?.includes(entity))
    .map(({ name }) => name)
  if (children.length === 0 || rows.length === 0) return new Set()
  const held = await db
    .selectFrom('id_map')
    .select('parent_source_id')
    .distinct()
    .where('import_id', '=', importId)
    .where('undo_finding', '=', 'edited')
    .where('entity', 'in', children)
    .where('parent_entity', '=', entity)
    .where(
      'parent_source_id',
      'in',
      rows.map(({ source_id }) => source_id),
    )
    .execute()
  const ids = new Set(held.map(({ parent_source_id }) => parent_source_id))
  return new Set(rows.filter(({ source_id }) => ids.has(source_id)))
}

/**
 * Whether the record is unfinished because a sending of ours broke off. In a record whose last sending has its outcome,
 * the mark comes from an earlier request that took effect late. A second record of the same key was never finished.
 */
export const isHalfOurs = (
  { state, sent_hash, destination_id }: Pick<LedgerRow, 'state' | 'sent_hash' | 'destination_id'>,
  record: FoundRecord,
): boolean =>
  record.isUnfinished === true && (state !== 'written' || sent_hash !== null || record.destinationId !== destination_id)

/** Whether nobody has changed the record since we wrote it: by its version, or else by its content. */
export function isAsWritten(
  row: Pick<
    LedgerRow,
    'destination_version' | 'written_hash' | 'sent_hash' | 'stored_hash' | 'is_doubtful' | 'changing'
  >,
  record: FoundRecord,
): boolean {
  if (row.destination_version !== null && record.version === row.destination_version) return true
  // An update may have arrived although its answer was lost. Then its version is unknown, too.
  if (row.sent_hash !== null && isAsSent(row.sent_hash, record)) return true
  if (isHalfChanged(row.changing, record)) return true
  // An earlier request that took effect late changes the version, too.
  const isComparable = row.destination_version === null || record.version === null || row.is_doubtful
  return isComparable && (isAsSent(row.written_hash, record) || isAsSent(row.stored_hash, record))
}
