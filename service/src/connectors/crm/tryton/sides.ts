import type { OutgoingRecord, SideOutcome, SideRecord } from '../../contract/contract.ts'
import { digestOf } from '../../kit/keys.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { matched, refused, written } from '../../kit/outcomes.ts'
import { removeNested } from '../../kit/remove.ts'
import { writeEach } from '../../kit/write-each.ts'
import { TrytonRefusal, unlessRefused, type Values } from './api.ts'
import { toTagPath } from './from-family.ts'
import { done, type FoundRow, rulesOf } from './rows.ts'
import type { Row } from './schema.ts'
import { pathSeparator } from './texts.ts'
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

export async function createSide({ create, sides }: Tryton, kind: string, name: string, values: Values) {
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

/** Called for the newest rows first, because children are created after their parents. */
export async function removeSide(tryton: Tryton, record: SideRecord, isForced: boolean): Promise<SideOutcome> {
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

export async function findUse(tryton: Tryton, side: SideModel, id: number): Promise<string | null> {
  for (const [model, field, reason] of uses[side]) {
    if ((await tryton.count(model, [[field, '=', id]])) > 0) return reason
  }
  return null
}

// A tag is a party category. Names are unique below a parent, so a tag is found by name and never created twice.

type Paths = Map<string, number>
const above = (path: string) => path.split(pathSeparator).slice(0, -1).join(pathSeparator)

export function tagActs(tryton: Tryton): Omit<WrittenEntity, 'declared'> {
  const rules = rulesOf({ model: 'party.category', read: (ids) => readTags(tryton, ids) })
  const readPaths = async (): Promise<Paths> =>
    new Map((await tryton.rows('party.category', [])).map(({ id, rec_name }) => [rec_name ?? '', id]))
  return {
    look: () => rules,
    async write(records) {
      const paths = await readPaths()
      return writeEach(records, (record) => writeTag(tryton, paths, record))
    },
    async remove(records) {
      const paths = await readPaths()
      const all = [...paths].map(([path, id]) => ({ id, parent: paths.get(above(path)) }))
      const findNeed = ({ id }: FoundRow) => findUse(tryton, 'party.category', id)
      const remove = async (id: string) => tryton.remove('party.category', [Number(id)]).then(() => done)
      return removeNested('Tryton', { ...rules, findNeed, remove }, all, records)
    },
  }
}

async function readTags(tryton: Tryton, ids: number[]): Promise<FoundRow[]> {
  const rows = await tryton.rowsIn('party.category', 'id', ids)
  return rows.map(({ id, rec_name, write_date, create_date }) => ({
    id,
    url: tryton.urlOf('party.category', id),
    version: JSON.stringify([rec_name, write_date ?? create_date]),
    fields: { name: rec_name ?? '' },
  }))
}

async function writeTag(tryton: Tryton, paths: Paths, { key, fields, destinationId }: OutgoingRecord) {
  const path = toTagPath(fields.name)
  if (path === '') return refused(key, 'blank', 'A tag needs a name.')
  const known = paths.get(path)
  if (destinationId === null && known !== undefined) {
    return matched(key, known, tryton.urlOf('party.category', known))
  }
  let id = Number(destinationId)
  if (destinationId === null) {
    id = (await tryton.create('party.category', [await openPlace(tryton, paths, path)]))[0] ?? 0
    paths.set(path, id)
  } else if (known !== id) {
    await tryton.write('party.category', [id], await openPlace(tryton, paths, path))
  }
  const [found] = await readTags(tryton, [id])
  if (!found) return refused(key, 'refused', 'It is no longer in Tryton.')
  return written(key, id, { url: null, ...found })
}

/** Finds the parent of a category and creates missing parents. */
async function openPlace(tryton: Tryton, paths: Paths, path: string): Promise<{ name: string; parent: number | null }> {
  const place = above(path)
  const name = path.split(pathSeparator).at(-1) ?? ''
  if (place === '') return { name, parent: null }
  const known = paths.get(place)
  if (known !== undefined) return { name, parent: known }
  const values = await openPlace(tryton, paths, place)
  const parent = await createSide(tryton, 'party_categories', place, values)
  paths.set(place, parent)
  return { name, parent }
}
