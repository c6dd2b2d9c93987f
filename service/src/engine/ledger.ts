import { type RawBuilder, sql } from 'kysely'
import type { SoughtRecord } from '../connectors/contract/contract.ts'
import { rowsWith } from '../db/find-in-ledger.ts'
import type { Db, Tx } from '../db/open-database.ts'
import type { RecordState, UndoFinding } from '../db/schema.ts'
import type { RecordRef } from '../families/record.ts'
import type { WarningCode } from '../warnings/codes.ts'
import type { Changing } from './half-changed.ts'
import { recordKey } from './record-key.ts'

/** One row of the ledger: everything that is known of a record. */
export interface LedgerRow {
  entity: string
  source_id: string
  state: RecordState
  run_id: string
  destination_id: string | null
  destination_url: string | null
  /** Hex, as all hashes here. */
  written_hash: string | null
  /** The hash of content that was sent and has no outcome yet, or was refused. */
  sent_hash: string | null
  /** The hash of the record as it was read back, without times. */
  stored_hash: string | null
  is_incomplete: boolean
  /** An earlier request with other content may still take effect. */
  is_doubtful: boolean
  destination_version: string | null
  code: string | null
  /** Codes of the warnings about this record. */
  warned: WarningCode[] | null
  /** Milliseconds since it was sent; null if it surely was not sent. */
  sent_ms_ago: number | null
  /** Sends that were announced so far. */
  attempts: number
  /** Attempts of the same run that ended with an error. */
  failures: number
  /** Whether it counts for the price: it was sent at least once. */
  is_counted: boolean
  /** Hashes of a change that may have arrived in part. */
  changing: Changing | null
  /** Its position among the parts of its parent; null for a record sent by itself. */
  carried_at: number | null
}

/** Whether the destination has the record: the import wrote it, or it was there before. */
export const isInDestination = (row: Pick<LedgerRow, 'state'> | undefined): boolean =>
  row?.state === 'written' || row?.state === 'matched'

/** Whether the record was sent inside its parent, and may be in the destination. */
export const hasComeInside = (row: LedgerRow | undefined): boolean =>
  row?.carried_at != null && (row.state === 'written' || (row.state === 'intended' && row.sent_ms_ago !== null))

/** The key of a record in a map: `entity/source id`. */
export const refKey = ({ entity, sourceId }: RecordRef) => `${entity}/${sourceId}`

/**
 * Keeps a lookup from becoming a join. The planner has no statistics of a new import, and might read all its rows
 * instead of using the key for each record.
 */
const eachByItself = sql`offset 0`

const hashes = sql`encode(m.written_hash, 'hex') as written_hash, encode(m.sent_hash, 'hex') as sent_hash,
  encode(m.stored_hash, 'hex') as stored_hash`

/** The rows of these records, by `refKey`. Records without a row are missing. */
export async function findRows(
  db: Db | Tx,
  importId: string,
  refs: readonly RecordRef[],
): Promise<Map<string, LedgerRow>> {
  if (refs.length === 0) return new Map()
  const wanted = [...new Map(refs.map((ref) => [refKey(ref), ref])).values()]
  const { rows } = await sql<LedgerRow>`
    select m.entity, m.source_id, m.state, m.run_id, m.destination_id, m.destination_url, ${hashes},
      m.is_incomplete, m.is_doubtful, m.destination_version, m.code, m.warned, m.attempts, m.failures, m.is_counted, m.carried_at, m.changing,
      (extract(epoch from clock_timestamp() - m.sent_at) * 1000)::float8 as sent_ms_ago
    from unnest(${wanted.map(({ entity }) => entity)}::text[], ${wanted.map(({ sourceId }) => sourceId)}::text[])
      as wanted(entity, source_id)
    cross join lateral (
      select * from id_map k
      where k.import_id = ${importId} and k.entity = wanted.entity and k.source_id = wanted.source_id ${eachByItself}
    ) m`.execute(db)
  return new Map(rows.map((row) => [refKey({ entity: row.entity, sourceId: row.source_id }), row]))
}

/** The place of a record that others refer to. */
export type Place = Pick<LedgerRow, 'entity' | 'source_id' | 'state' | 'destination_id' | 'destination_url'>

/** The places of these records, by `refKey`. Records without a row are missing. */
export async function findPlaces(db: Db, importId: string, refs: readonly RecordRef[]): Promise<Map<string, Place>> {
  const wanted = new Map(refs.map((ref) => [refKey(ref), ref])).values().toArray()
  if (wanted.length === 0) return new Map()
  const { rows } = await sql<Place>`
    select m.entity, m.source_id, m.state, m.destination_id, m.destination_url
    from unnest(${wanted.map(({ entity }) => entity)}::text[], ${wanted.map(({ sourceId }) => sourceId)}::text[])
      as wanted(entity, source_id)
    cross join lateral (
      select * from id_map k
      where k.import_id = ${importId} and k.entity = wanted.entity and k.source_id = wanted.source_id ${eachByItself}
    ) m`.execute(db)
  return new Map(rows.map((row) => [refKey({ entity: row.entity, sourceId: row.source_id }), row]))
}

/** The places of this import's records that have these addresses in the source. */
export async function findLinks(db: Db, importId: string, urls: readonly string[]) {
  if (urls.length === 0) return []
  const { rows } = await sql<Place & { source_url: string }>`
    select m.source_url, m.entity, m.source_id, m.destination_id, m.destination_url, m.state
    from ${rowsWith('source_url', importId, urls)} m`.execute(db)
  return rows
}

/** Places of records that others refer to, by their ids and by their addresses in the source. */
export interface Places {
  byRef(refs: readonly RecordRef[]): Promise<Map<string, Place>>
  byUrl(urls: readonly string[]): Promise<(Place & { source_url: string })[]>
}

export const ledgerPlaces = ({ db, importId }: { db: Db; importId: string }): Places => ({
  byRef: (refs) => findPlaces(db, importId, refs),
  byUrl: (urls) => findLinks(db, importId, urls),
})

/** Rows of announced records without an outcome. Once an entity is written, only records that left the source have one. */
export const lacksOutcome = sql<boolean>`(m.state = 'intended' and m.code is distinct from 'unknown')`

/** A row of the ledger with the id of its parent in the destination. */
export interface PlacedRow {
  source_id: string
  state: RecordState
  destination_id: string | null
  destination_version: string | null
  written_hash: string | null
  sent_hash: string | null
  stored_hash: string | null
  sent_ms_ago: number | null
  is_doubtful: boolean
  undo_finding: UndoFinding | null
  attempts: number
  changing: Changing | null
  warned: WarningCode[] | null
  code: string | null
  message: string | null
  parent_entity: string | null
  parent_state: RecordState | null
  parent_destination_id: string | null
  /** Its position among the parts of its parent; null for a record sent by itself. */
  carried_at: number | null
  /** The source no longer has it. */
  is_gone: boolean
  is_parent_gone: boolean
}

/** The next rows of an entity that meet the condition, by source id; or the one row of a record. */
export async function findPlacedRows(
  db: Db,
  place: { importId: string; entity: string } & ({ after: string | null; limit: number } | { sourceId: string }),
  condition: RawBuilder<unknown> = sql`true`,
): Promise<PlacedRow[]> {
  const within =
    'sourceId' in place
      ? sql`m.source_id = ${place.sourceId}`
      : sql`(${place.after}::text is null or m.source_id > ${place.after})`
  const { rows } = await sql<PlacedRow>`
    select m.source_id, m.state, m.destination_id, m.destination_version, ${hashes}, m.warned, m.code,
      m.message, m.attempts, m.is_doubtful, m.undo_finding, m.carried_at, m.changing,
      (extract(epoch from clock_timestamp() - m.sent_at) * 1000)::float8 as sent_ms_ago,
      m.parent_entity, p.state as parent_state, p.destination_id as parent_destination_id,
      m.gone_from_source_at is not null as is_gone, p.gone_from_source_at is not null as is_parent_gone
    from id_map m
    left join lateral (
      select * from id_map k
      where k.import_id = m.import_id and k.entity = m.parent_entity and k.source_id = m.parent_source_id ${eachByItself}
    ) p on true
    where m.import_id = ${place.importId} and m.entity = ${place.entity} and ${within} and (${condition})
    order by m.source_id limit ${'limit' in place ? place.limit : 1}`.execute(db)
  return rows
}

/** The values by which the destination is asked for the record of a row. */
export function soughtRecord(importId: string, entity: string, row: PlacedRow): SoughtRecord {
  const { parent_entity, parent_destination_id, destination_id, carried_at } = row
  return {
    key: recordKey(importId, entity, row.source_id),
    destinationId: destination_id,
    parent:
      parent_entity !== null && parent_destination_id !== null
        ? { entity: parent_entity, destinationId: parent_destination_id }
        : null,
    ...(destination_id === null && carried_at !== null && { position: carried_at }),
  }
}
