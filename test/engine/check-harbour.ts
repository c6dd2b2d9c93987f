import { expect } from 'vitest'
import type { Db } from '../../service/src/db/open-database.ts'
import type { Effect } from './read-effects.ts'

/** Our ledger, and the destination's own log. */
interface Ledgers {
  db: Db
  effects(): Promise<Effect[]>
}

/** The destination's present records, by external id, from its own log of effects. */
export async function presentIn({ effects }: Pick<Ledgers, 'effects'>): Promise<Set<string>> {
  const present = new Set<string>()
  for (const { action, external_id: id } of await effects()) {
    if (action === 'create') present.add(id)
    if (action === 'delete') present.delete(id)
  }
  return present
}

/** Lists lost, duplicate, unexpected and unknown records by comparing our ledger with the destination. */
export async function compare(ledgers: Ledgers) {
  const effects = await ledgers.effects()
  const created = effects.filter(({ action }) => action === 'create').map(({ external_id: id }) => id)
  const deleted = new Set(effects.filter(({ action }) => action === 'delete').map(({ external_id: id }) => id))
  const present = await presentIn(ledgers)
  const rows = await ledgers.db.selectFrom('id_map').select(['import_id', 'entity', 'source_id', 'state']).execute()
  const keyOf = ({ import_id, entity, source_id }: (typeof rows)[number]) => `${import_id}/${entity}/${source_id}`
  const expected = new Set(rows.filter(({ state }) => state === 'written').map(keyOf))
  return {
    lost: [...expected].filter((id) => !present.has(id)).length,
    doubled: created.filter((id, index) => created.indexOf(id) !== index && !deleted.has(id)).length,
    unexpected: [...present].filter((id) => !expected.has(id)).length,
    unknown: rows.filter(({ state }) => state === 'intended').length,
  }
}

export const nothingWrong = { lost: 0, doubled: 0, unexpected: 0, unknown: 0 }

/** Expects found = written + refused + held for every entity, and no other state. */
export async function expectSumsToClose(
  { db, importId }: { db: Db; importId: string },
  found: Record<string, number>,
): Promise<void> {
  const rows = await db
    .selectFrom('id_map')
    .select((eb) => ['entity', eb.fn.countAll<string>().as('count')])
    .where('import_id', '=', importId)
    .where('state', 'in', ['written', 'matched', 'filtered', 'refused', 'held'])
    .groupBy('entity')
    .execute()
  expect(Object.fromEntries(rows.map(({ entity, count }) => [entity, Number(count)]))).toEqual(found)
}

export const fernhillCounts = {
  groups: 3,
  organizations: 12,
  contacts: 80,
  tickets: 120,
  comments: 511,
  categories: 3,
  articles: 10,
  attachments: 49,
}
