import type { SideOutcome, SideRecord } from '../../contract/contract.ts'
import { digestOf } from '../../kit/keys.ts'
import type { Values } from './api.ts'
import { TrytonRefusal, unlessRefused } from './read-answer.ts'
import type { Row } from './schema.ts'
import type { Tryton } from './tryton.ts'

// Rows that records need and that we create if Tryton has none: parent categories, relation types and countries. They
// are identified by name, so another name means that people changed them.

type SideModel = 'party.category' | 'party.relation.type' | 'country.country'
const kinds: Record<string, SideModel> = {
  party_categories: 'party.category',
  relation_types: 'party.relation.type',
  countries: 'country.country',
}
/** The fields that refer to each model, with the reason to keep the row. */
const uses: Record<SideModel, readonly [model: string, field: string, reason: string][]> = {
  'party.category': [
    ['party.party', 'categories', 'There are parties in this category.'],
    ['party.category', 'parent', 'There are other categories below this one.'],
  ],
  'party.relation.type': [['party.relation.all', 'type', 'Parties are related in this way.']],
  'country.country': [
    ['country.subdivision', 'country', 'There are subdivisions of this country.'],
    ['party.address', 'country', 'There are addresses in this country.'],
  ],
}

export async function createSide(
  { create, sides }: Tryton,
  kind: string,
  { name, values }: { name: string; values: Values },
): Promise<number> {
  const mark = digestOf(name)
  const side = { kind, mark, destinationId: null, version: mark }
  await sides?.note(side)
  try {
    const [id = 0] = await create(kinds[kind] ?? '', [values])
    await sides?.note({ ...side, destinationId: String(id) })
    return id
  } catch (error) {
    if (error instanceof TrytonRefusal) await sides?.forget(side)
    throw error
  }
}

/** Removes the newest rows first, because children are created after their parents. */
export async function removeSides(tryton: Tryton, records: readonly SideRecord[], isForced: boolean) {
  const outcomes: SideOutcome[] = []
  for (const record of records) outcomes.push(await removeSide(tryton, record, isForced))
  return outcomes
}

async function removeSide(tryton: Tryton, record: SideRecord, isForced: boolean): Promise<SideOutcome> {
  const { kind, mark, destinationId, version } = record
  const model = kinds[kind] ?? 'country.country'
  const named = (await tryton.rows(model, [])).map((row) => ({ id: row.id, mark: digestOf(nameOf(model, row)) }))
  const found = named.find((one) => (destinationId === null ? one.mark === mark : String(one.id) === destinationId))
  if (!found) return { kind, mark, result: 'removed' }
  const place = { kind, mark, destinationId: String(found.id), url: tryton.urlOf(model, found.id) }
  const keep = (message: string): SideOutcome => ({ ...place, result: 'kept', message })
  const use = await findUse(tryton, model, found.id)
  if (use !== null) return keep(use)
  if (!isForced && found.mark !== version) return keep('People have renamed it since.')
  const refusal = await unlessRefused(() => tryton.remove(model, [found.id]))
  return refusal ? keep(refusal.message) : { kind, mark, result: 'removed' }
}

function nameOf(model: SideModel, row: Row<'party.category'> & Row<'country.country'>): string {
  if (model === 'party.category') return row.rec_name ?? ''
  return model === 'country.country' ? `${row.code ?? ''} ${row.name ?? ''}` : (row.name ?? '')
}

/** Returns the reason to keep the row if anything refers to it. */
export async function findUse(tryton: Tryton, side: SideModel, id: number): Promise<string | null> {
  for (const [model, field, reason] of uses[side]) {
    if ((await tryton.count(model, [[field, '=', id]])) > 0) return reason
  }
  return null
}
