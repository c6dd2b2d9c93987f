import { sql } from 'kysely'
import type { Fate, RecordState } from '../db/run-tables.ts'
import type { RecordRef } from '../families/record.ts'
import { type Place, type Places, refKey } from './ledger.ts'
import { isWrittenLater } from './plan-stages.ts'
import type { RunContext } from './run-context.ts'

/**
 * The states that the ledger would have. `sent` is `matched`, because for `written` the engine would ask the
 * destination for the address.
 */
const states: Record<Fate, RecordState> = { sent: 'matched', refused: 'refused', held: 'held', filtered: 'filtered' }

/** A longer address is in no index, and links seldom have one. */
export const longestUrl = 1_000

/**
 * Places of records after a run, as far as the plan has met them. Records beyond the plan's limit count as present. A
 * record that the source's last page did not have is missing.
 */
export async function plannedPlaces(
  { db, importId, family, mapping }: RunContext,
  { entity, isLastPass }: { entity: string; isLastPass: boolean },
): Promise<Places> {
  const surveyed = await db
    .selectFrom('plan_entities')
    .select(['entity', 'is_read_whole', 'looked_at', 'total'])
    .where('import_id', '=', importId)
    .execute()
  const stateOf = new Map(surveyed.map((row) => [row.entity, row]))
  const isTaken = (name: string) => mapping.destination.entities[name] !== undefined
  // A run does not know later records in its first pass either. It maps such references again in the link stage.
  const isMappedAgain = (name: string) => !isLastPass && isWrittenLater(family, name, entity)
  const mayBeThere = (name: string) => isTaken(name) && stateOf.get(name)?.is_read_whole !== true
  const there = (ref: RecordRef): Place => ({
    entity: ref.entity,
    source_id: ref.sourceId,
    state: 'matched',
    destination_id: ref.sourceId,
    destination_url: 'https://destination.invalid/',
  })
  const placed = (row: { entity: string; source_id: string; fate: Fate }): Place => ({
    ...there({ entity: row.entity, sourceId: row.source_id }),
    state: states[row.fate],
    ...(row.fate !== 'sent' && { destination_id: null, destination_url: null }),
  })
  const isAllRead = surveyed.every((row) => row.is_read_whole || !isTaken(row.entity))
  return {
    async byRef(refs) {
      const wanted = [...new Map(refs.map((ref) => [refKey(ref), ref])).values()]
      if (wanted.length === 0) return new Map()
      const { rows } = await sql<{ entity: string; source_id: string; fate: Fate }>`
        select p.entity, p.source_id, p.fate
        from unnest(${wanted.map((ref) => ref.entity)}::text[], ${wanted.map(({ sourceId }) => sourceId)}::text[])
          as wanted(entity, source_id)
        join plan_records p
          on p.import_id = ${importId} and p.entity = wanted.entity and p.source_id = wanted.source_id`.execute(db)
      const places = new Map(rows.map((row) => [refKey({ entity: row.entity, sourceId: row.source_id }), placed(row)]))
      for (const ref of wanted) {
        const key = refKey(ref)
        if (!places.has(key) && mayBeThere(ref.entity) && !isMappedAgain(ref.entity)) places.set(key, there(ref))
      }
      return places
    },
    async byUrl(urls) {
      const { rows } = await sql<{ entity: string; source_id: string; fate: Fate; source_url: string }>`
        select entity, source_id, fate, source_url from plan_records
        where import_id = ${importId} and source_url = any(${[...new Set(urls)]}::text[])`.execute(db)
      const found = rows.map((row) => ({ ...placed(row), source_url: row.source_url }))
      if (isAllRead || !isLastPass) return found
      const met = new Set(rows.map(({ source_url }) => source_url))
      const assumed = urls.filter((url) => !met.has(url))
      return [...found, ...assumed.map((url) => ({ ...there({ entity, sourceId: url }), source_url: url }))]
    },
  }
}
