import { sql } from 'kysely'
import type { Inside, SoughtRecord } from '../connectors/contract/contract.ts'
import { capabilitiesOf } from '../connectors/entity-capabilities.ts'
import { chunksOf } from '../connectors/kit/find.ts'
import { rowsWith } from '../db/find-in-ledger.ts'
import { type Family, familyDefinitions } from '../families/index.ts'
import { findPlacedRows, type PlacedRow, soughtRecord } from './ledger.ts'
import type { RunContext } from './run-context.ts'

/** A record that is to be removed, with what goes with it. */
interface Filled {
  row: Pick<PlacedRow, 'source_id' | 'destination_id'> | undefined
  destinationId: string
  inside: Inside
}

/** A row of the ledger that a message belongs to. */
interface PartRow {
  entity: string
  source_id: string
  destination_id: string
  code: string | null
  is_doubtful: boolean
  attempts: number
  carried_at: number | null
}

/**
 * Counts the messages inside records that the import did not write, by their ids in the ledger: one statement for all
 * records. Only if there are such messages, our requests in doubt are looked for. The ledger does not know what is
 * inside a second copy of a record: as many messages as the record carried are ours.
 */
export async function countOthers(context: RunContext, entity: string, filled: readonly Filled[]): Promise<number[]> {
  const ids = filled.flatMap(({ inside }) => inside.ids.flat())
  if (ids.length === 0) return filled.map(() => 0)
  const below = entitiesBelow(context.family, entity)
  const { rows } = await sql<PartRow>`
    select m.entity, m.source_id, m.destination_id, m.code, m.is_doubtful, m.attempts, m.carried_at
    from ${rowsWith('destination_id', context.importId, ids)} m where m.entity = any(${below})`.execute(context.db)
  const known = new Map(rows.map((row) => [row.destination_id, row]))
  const isKnown = ({ row, destinationId }: Filled) => row?.destination_id === destinationId
  const carried = await countCarried(
    context,
    entity,
    filled.filter((one) => !isKnown(one)),
  )
  const strangers = filled.map((one) => {
    const { row, inside } = one
    if (isKnown(one)) return strangersIn(inside, (id) => known.has(id))
    return inside.ids.slice(inside.own + (carried.get(row?.source_id) ?? 0))
  })
  const strange = filled.filter((_, index) => strangers[index]?.length)
  if (strange.length === 0) return filled.map(() => 0)
  const rowsIn = ({ inside }: Filled) => inside.ids.flat().flatMap((id) => known.get(id) ?? [])
  const doubtful = await findDoubtful(context, entity, below, strange, strange.flatMap(rowsIn))
  return filled.map((one, index) => {
    const found = new Map([...doubtful, ...copiesIn(one, rowsIn(one))])
    const left = (strangers[index] ?? []).filter((some) => !some.some((id) => found.has(id)))
    // The sweep has seen these twice, and a tool may no longer tell where the other one is.
    const isUnfound = ({ entity: name, source_id, code }: PartRow) =>
      code === 'doubled' && ![...found].some(([id, by]) => by === `${name}/${source_id}` && !known.has(id))
    return Math.max(0, left.length - rowsIn(one).filter(isUnfound).length)
  })
}

/** How many messages the request of each record carried. */
async function countCarried(
  { db, importId, mapping }: RunContext,
  entity: string,
  filled: readonly Filled[],
): Promise<ReadonlyMap<string | undefined, number>> {
  if (filled.length === 0) return new Map()
  const { carries = {} } = mapping.destination.entities[entity] ?? {}
  const names = Object.keys(carries).filter((name) => carries[name]?.isUploaded !== true)
  const { rows } = await sql<{ source_id: string; count: number }>`
    select m.parent_source_id as source_id, count(*)::int as count from id_map m
    where m.import_id = ${importId} and m.entity = any(${names}) and m.parent_entity = ${entity}
      and m.parent_source_id = any(${filled.flatMap(({ row }) => row?.source_id ?? [])}) and m.carried_at is not null
    group by 1`.execute(db)
  return new Map(rows.map(({ source_id, count }) => [source_id, count]))
}

/**
 * The messages that the ledger does not have. The oldest without a row of their own are the record itself, which may
 * have files, too. Any later message with a file of ours was made for the file.
 */
export function strangersIn({ ids, own }: Inside, isKnown: (id: string) => boolean): readonly string[][] {
  let left = own
  return ids.flatMap(([id = '', ...files]) => {
    if (isKnown(id)) return []
    left -= 1
    return left >= 0 || files.some(isKnown) ? [] : [[id, ...files]]
  })
}

/**
 * The messages that equal one of ours in author, time and content, if that one was sent more than once: its second
 * copy arrived late. Returns the record of each.
 */
export function copiesIn({ inside: { ids, looks = [] } }: Pick<Filled, 'inside'>, parts: readonly PartRow[]) {
  const again = parts.filter((part) => part.carried_at === null && isDoubtful(part))
  const owners = new Map<string | undefined, PartRow>()
  for (const [at, message] of looks.length === ids.length ? ids.entries() : [])
    for (const part of again) if (message.includes(part.destination_id)) owners.set(looks[at], part)
  return new Map(
    ids.flatMap(([id = ''], at) => {
      const part = owners.get(looks[at])
      return part ? [[id, `${part.entity}/${part.source_id}`]] : []
    }),
  )
}

/** The entities whose records belong to one of this entity, directly or not. */
function entitiesBelow(family: Family, entity: string): string[] {
  const above = new Set([entity])
  const { entities } = familyDefinitions[family]
  for (let size = 0; size < above.size; ) {
    size = above.size
    for (const { name, parent, fields } of entities)
      if (parent !== undefined && fields[parent]?.to?.some((target) => above.has(target))) above.add(name)
  }
  return [...above].filter((name) => name !== entity)
}

/**
 * Looks for requests of ours that have no outcome, and for second copies of records that were sent again. Returns the
 * record of each id that is found.
 */
async function findDoubtful(
  { db, importId, mapping, writer }: RunContext,
  entity: string,
  below: readonly string[],
  strange: readonly Filled[],
  parts: readonly PartRow[],
): Promise<ReadonlyMap<string, string>> {
  const holders = strange.flatMap(({ row }) => row?.source_id ?? [])
  const isInside = sql`(m.parent_entity = ${entity} and m.parent_source_id = any(${holders}) or exists (
    select from id_map h where h.import_id = m.import_id and h.entity = m.parent_entity
      and h.source_id = m.parent_source_id and h.parent_entity = ${entity} and h.parent_source_id = any(${holders})))`
  const found = new Map<string, string>()
  for (const name of below) {
    const { deliveryClass, batchSize } = capabilitiesOf(mapping.destination, name)
    // A record of these classes is not there twice, or cannot be looked for.
    if (deliveryClass === 'A' || deliveryClass === 'D') continue
    // What came inside its record is there twice only if the record is.
    const again = parts.filter((part) => part.entity === name && part.carried_at === null && isDoubtful(part))
    const rows = await findPlacedRows(
      db,
      { importId, entity: name, after: null, limit: mostDoubtful },
      sql`(m.state = 'intended' and m.sent_at is not null and ${isInside}
        or m.source_id = any(${again.map(({ source_id }) => source_id)}))`,
    )
    const sought = rows.map((row): SoughtRecord => ({ ...soughtRecord(importId, name, row), destinationId: null }))
    const sourceIdOf = new Map(sought.map(({ key }, index) => [key, rows[index]?.source_id]))
    for (const some of chunksOf(sought, batchSize))
      for (const { key, destinationId, isUnreadable } of await writer.find(name, some))
        if (!isUnreadable) found.set(destinationId, `${name}/${sourceIdOf.get(key)}`)
  }
  return found
}

/** The most records in doubt that are looked for at once. */
const mostDoubtful = 10_000

const isDoubtful = ({ is_doubtful, attempts, code }: PartRow) => is_doubtful || attempts > 1 || code === 'doubled'
