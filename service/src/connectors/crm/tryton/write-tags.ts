import type { OutgoingRecord, RemovableRecord, RemoveOutcome, SettledOutcome } from '../../contract/contract.ts'
import { refused } from '../../kit/outcomes.ts'
import { writeEach } from '../../kit/write-each.ts'
import { cleanLine } from './clean-text.ts'
import { textOf } from './from-family.ts'
import { TrytonRefusal, unlessRefused } from './read-answer.ts'
import { edited } from './remove-each.ts'
import { createSide, findUse } from './sides.ts'
import type { Tryton } from './tryton.ts'
import { findRows, refusedBy, type Wanted } from './write-tasks.ts'

// A tag is a party category. Names are unique below a parent, so a tag is found by name and never created twice.

const separator = ' / '

/** "Customers / Retail" is the category Retail below Customers. */
export const toTagPath = (name: unknown): string =>
  cleanLine(textOf(name))
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(separator)

export async function writeTags(tryton: Tryton, records: readonly OutgoingRecord[]) {
  const ids = new Map((await tryton.rows('party.category', [])).map((row) => [row.rec_name ?? '', row.id]))
  return writeEach(records, async (record) => {
    const outcome = await unlessRefused(() => writeTag(tryton, ids, record))
    return outcome instanceof TrytonRefusal ? refusedBy(record.key, outcome) : outcome
  })
}

async function writeTag(
  tryton: Tryton,
  ids: Map<string, number>,
  { key, fields, destinationId }: OutgoingRecord,
): Promise<SettledOutcome> {
  const path = toTagPath(fields.name)
  if (path === '') return refused(key, 'blank', 'A tag needs a name.')
  const known = ids.get(path)
  if (destinationId === null && known !== undefined) {
    return { key, result: 'matched', destinationId: String(known), url: tryton.urlOf('party.category', known) }
  }
  let id = Number(destinationId)
  if (destinationId === null) {
    id = (await tryton.create('party.category', [await openPlace(tryton, ids, path)]))[0] ?? 0
    ids.set(path, id)
  } else if (known !== id) {
    await tryton.write('party.category', [id], await openPlace(tryton, ids, path))
  }
  const [found] = await readTags(tryton, [{ key, id }])
  if (!found) return refused(key, 'refused', 'It is no longer in Tryton.')
  return { key, result: 'written', destinationId: String(id), url: found.url, version: found.version }
}

type Place = { name: string; parent: number | null }

/** Finds the parent of a category and creates missing parents. */
async function openPlace(tryton: Tryton, ids: Map<string, number>, path: string): Promise<Place> {
  const parts = path.split(separator)
  const name = parts.pop() ?? ''
  const above = parts.join(separator)
  if (above === '') return { name, parent: null }
  const known = ids.get(above)
  if (known !== undefined) return { name, parent: known }
  const values = await openPlace(tryton, ids, above)
  const parent = await createSide(tryton, 'party_categories', { name: above, values })
  ids.set(above, parent)
  return { name, parent }
}

export const readTags = (tryton: Tryton, wanted: readonly Wanted[]) =>
  findRows(tryton, 'party.category', wanted, ({ id, rec_name, write_date, create_date }) => ({
    url: tryton.urlOf('party.category', id),
    version: JSON.stringify([rec_name, write_date ?? create_date]),
    fields: { name: rec_name ?? '' },
  }))

/** A category stays if parties use it or if it has subcategories. */
export async function removeTags(tryton: Tryton, records: readonly RemovableRecord[]): Promise<RemoveOutcome[]> {
  const toWanted = ({ key, destinationId }: RemovableRecord) => ({ key, id: Number(destinationId) })
  const found = new Map((await readTags(tryton, records.map(toWanted))).map((record) => [record.key, record]))
  const depth = ({ key }: RemovableRecord) => String(found.get(key)?.fields.name ?? '').split(separator).length
  const outcomes = new Map<string, RemoveOutcome>()
  // Subcategories are removed before their parents.
  for (const record of records.toSorted((a, b) => depth(b) - depth(a))) {
    const { key, id } = toWanted(record)
    const there = found.get(key)
    if (!there) {
      outcomes.set(key, { key, result: 'missing' })
      continue
    }
    const isEdited = record.version !== null && there.version !== record.version
    const message = isEdited ? edited : await findUse(tryton, 'party.category', id)
    if (message === null) await tryton.remove('party.category', [id])
    outcomes.set(key, message === null ? { key, result: 'removed' } : { key, result: 'kept', message })
  }
  return records.flatMap(({ key }) => outcomes.get(key) ?? [])
}
