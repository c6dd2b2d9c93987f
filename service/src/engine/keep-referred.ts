import { sql } from 'kysely'
import type { FoundRecord } from '../connectors/contract.ts'
import { entityOf, familyDefinitions } from '../families/index.ts'
import { findPlaced } from './find-placed.ts'
import { findPlacedRows, type PlacedRow } from './ledger.ts'
import { sourceIdOf } from './record-key.ts'
import type { RunContext } from './run-context.ts'

export const referredMessage = 'A record that stays in the destination refers to it.'

/**
 * Marks the records of this import that kept records refer to, as the destination shows them now, and what those refer to
 * in turn: an undo keeps them, too.
 */
export async function keepReferred(context: RunContext, entity: string, kept: readonly PlacedRow[]): Promise<void> {
  if (kept.length === 0) return
  const foundOf = await findPlaced(context, entity, [...kept])
  const found = kept.flatMap((row) => foundOf(row) ?? [])
  for (const [target, values] of referencesOf(context, entity, found)) {
    await keepReferred(context, target, await mark(context, target, values))
  }
  for (const child of await findStayingChildren(context, entity, kept)) {
    await keepReferred(context, child.entity, child.rows)
  }
}

/** By entity, how the destination names the records that these refer to. */
function referencesOf({ family }: RunContext, entity: string, found: FoundRecord[]): Map<string, Set<string>> {
  const wanted = new Map<string, Set<string>>()
  for (const [name, { to = [] }] of Object.entries(entityOf(family, entity).fields)) {
    const values = found.flatMap(({ fields }) => [fields[name] ?? []].flat())
    const names = values.filter((value) => typeof value === 'string' || typeof value === 'number').map(String)
    for (const target of names.length === 0 ? [] : to) {
      wanted.set(target, new Set([...(wanted.get(target) ?? []), ...names]))
    }
  }
  return wanted
}

/** Destinations name a record by its id, or by the key that we gave it. Answers those that were not marked before. */
async function mark({ db, run, importId }: RunContext, entity: string, names: Set<string>): Promise<PlacedRow[]> {
  const sourceIds = [...names].flatMap((name) => sourceIdOf(name, importId, entity) ?? [])
  const ids = [...names].filter((name) => !name.startsWith(`${importId}/`))
  const named = sql`(m.source_id = any(${sourceIds}) or ${ids.length > 0} and m.destination_id = any(${ids}))`
  const limit = names.size
  const isNew = sql`m.state = 'written' and m.undo_finding is distinct from 'edited'`
  const rows = await findPlacedRows(db, { importId, entity, after: null, limit }, sql`${named} and ${isNew}`)
  if (rows.length === 0) return []
  await run.lease.commit((tx) =>
    sql`
      update id_map set undo_finding = 'edited', message = ${referredMessage}
      where import_id = ${importId} and entity = ${entity}
        and source_id = any(${rows.map(({ source_id }) => source_id)})`.execute(tx),
  )
  return rows
}

/** Children that the destination can only remove together with their parent stay with it. */
async function findStayingChildren(
  { db, importId, family, mapping }: RunContext,
  entity: string,
  kept: readonly PlacedRow[],
) {
  const children = familyDefinitions[family].entities.filter(
    ({ name, parent, fields }) =>
      parent !== undefined &&
      fields[parent]?.to?.includes(entity) &&
      mapping.destination.entities[name]?.removal === 'with parent',
  )
  const parents = kept.map(({ source_id }) => source_id)
  return Promise.all(
    children.map(async ({ name }) => ({
      entity: name,
      rows: await findPlacedRows(
        db,
        { importId, entity: name, after: null, limit: 10_000 },
        sql`m.state = 'written' and m.parent_entity = ${entity} and m.parent_source_id = any(${parents})`,
      ),
    })),
  )
}
