import type { OutgoingRecord, SettledOutcome } from '../../contract/contract.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { matched, refused, written } from '../../kit/outcomes.ts'
import { removeNested } from '../../kit/remove.ts'
import { writeEach } from '../../kit/write-each.ts'
import { pathSeparator, toTagPath } from './from-family.ts'
import { done, type FoundRow, rulesOf } from './rows.ts'
import { createSide, findUse } from './sides.ts'
import type { Tryton } from './tryton.ts'

// A tag is a party category. Names are unique below a parent, so a tag is found by name and never created twice.

type Paths = Map<string, number>
const above = (path: string) => path.split(pathSeparator).slice(0, -1).join(pathSeparator)

export function tagActs(tryton: Tryton): Omit<WrittenEntity, 'declared'> {
  const rules = rulesOf('party.category', (ids) => readTags(tryton, ids))
  const readPaths = async (): Promise<Paths> =>
    new Map((await tryton.rows('party.category', [])).map(({ id, rec_name }) => [rec_name ?? '', id]))
  return {
    look: () => rules,
    async write(records) {
      const paths = await readPaths()
      return writeEach(records, (record) => writeTag(tryton, paths, record))
    },
    /** A category stays if parties use it or if it has subcategories. */
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

async function writeTag(
  tryton: Tryton,
  paths: Paths,
  { key, fields, destinationId }: OutgoingRecord,
): Promise<SettledOutcome> {
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
  const parent = await createSide(tryton, 'party_categories', { name: place, values })
  paths.set(place, parent)
  return { name, parent }
}
