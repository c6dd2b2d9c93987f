import { sql } from 'kysely'
import { rowsWith } from '../db/find-in-ledger.ts'
import type { Db } from '../db/open-database.ts'
import type { RecordState, UndoFinding } from '../db/schema.ts'
import { families, familyDefinitions } from '../families/index.ts'

export interface RecordFilter {
  entity?: string | undefined
  state?: RecordState | undefined
  code?: string | undefined
  finding?: UndoFinding | undefined
  verdict?: 'fine' | 'flagged' | undefined
  /** The id in the source or in the destination. */
  id?: string | undefined
}

/**
 * The code of a removed record that counts nowhere: an undo came before it arrived, or the customer has started over
 * since.
 */
export const neverThere = 'never_there'

const everyEntity = [
  ...new Set(families.flatMap((family) => familyDefinitions[family].entities.map(({ name }) => name))),
]

/** The records that an import has found. Every number and every list of records covers exactly these. */
const isFound = sql<boolean>`not (state = 'removed' and code is not distinct from ${sql.lit(neverThere)})`

/** A record of an import in lists and reports. */
export interface ListedRecord {
  entity: string
  source_id: string
  state: RecordState
  code: string | null
  message: string | null
  source_url: string | null
  destination_id: string | null
  destination_url: string | null
  is_verified: boolean
  undo_finding: UndoFinding | null
  gone_from_source_at: Date | null
  verdict: 'fine' | 'flagged' | null
  /** The codes of its warnings. */
  warned: string[] | null
  /** Why the sample has chosen it; null for a record that only belongs to a chosen one. */
  sample_reason: string | null
}

/** Records of an import in a fixed order, from after the given one. */
export async function listRecords(
  db: Db,
  importId: string,
  filter: RecordFilter,
  page: { after: { entity: string; sourceId: string } | null; limit: number },
): Promise<ListedRecord[]> {
  const { after, limit } = page
  return db
    .selectFrom('id_map')
    .select(['entity', 'source_id', 'state', 'code', 'message', 'source_url'])
    .select([
      'destination_id',
      'destination_url',
      'is_verified',
      'undo_finding',
      'warned',
      'verdict',
      'gone_from_source_at',
    ])
    .select((eb) =>
      eb
        .selectFrom('sample_records as s')
        .select('s.reason')
        .whereRef('s.import_id', '=', 'id_map.import_id')
        .whereRef('s.entity', '=', 'id_map.entity')
        .whereRef('s.source_id', '=', 'id_map.source_id')
        .as('sample_reason'),
    )
    .where('import_id', '=', importId)
    .where(isFound)
    .$if(filter.entity !== undefined, (query) => query.where('entity', '=', String(filter.entity)))
    .$if(filter.state !== undefined, (query) => query.where('state', '=', filter.state as RecordState))
    .$if(filter.code !== undefined, (query) =>
      query.where(sql<boolean>`(code = ${filter.code} or warned @> array[${filter.code}]::text[])`),
    )
    .$if(filter.finding !== undefined, (query) => query.where('undo_finding', '=', filter.finding as UndoFinding))
    .$if(filter.verdict !== undefined, (query) => query.where('verdict', '=', filter.verdict as 'fine'))
    .$if(filter.id !== undefined, (query) =>
      // Each of the two ids is found by its index, however many records there are.
      query.where(sql<boolean>`(entity, source_id) in (
        select entity, source_id from id_map
        where import_id = ${importId} and entity = any(${everyEntity}::text[]) and source_id = ${filter.id}
        union all
        select entity, source_id from ${rowsWith('destination_id', importId, [String(filter.id)])} d)`),
    )
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(entity, source_id) > (${after?.entity}, ${after?.sourceId})`),
    )
    .orderBy('entity')
    .orderBy('source_id')
    .limit(limit)
    .execute()
}

/** The number of records of each entity by state, by the result of reading back, and by the result of a preview. */
export async function sumRecords(db: Db, importId: string) {
  const { rows } = await sql<{
    entity: string
    state: RecordState
    undo_finding: UndoFinding | null
    is_gone: boolean
    is_verified: boolean
    is_different: boolean
    count: number
  }>`
    select entity, state, undo_finding, gone_from_source_at is not null as is_gone, is_verified,
      code in ('differs', 'edited') is true as is_different, count(*)::int as count
    from id_map
    where import_id = ${importId} and ${isFound}
    group by entity, state, undo_finding, is_gone, is_verified, is_different order by entity`.execute(db)
  return rows
}
