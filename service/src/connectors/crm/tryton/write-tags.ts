import type {
  FoundRecord,
  OutgoingRecord,
  RemovableRecord,
  RemoveOutcome,
  SideRecords,
  SoughtRecord,
  WriteOutcome,
} from '../../contract/contract.ts'
import type { TrytonApi } from './api.ts'
import { cleanLine } from './clean-text.ts'
import { all } from './directory.ts'
import { textOf } from './from-family.ts'
import { refusedOutcome } from './outcomes.ts'
import type { Row } from './schema.ts'
import { createSide } from './sides.ts'
import { TrytonRefusal } from './tryton-refusal.ts'

// Tags are party categories. Their names are unique below one parent, so a tag is found by its name, never made twice.

const separator = ' / '

/** "Customers / Retail" is the category Retail below Customers. */
export const toTagPath = (name: unknown): string =>
  cleanLine(textOf(name))
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(separator)

export async function writeTags(
  api: TrytonApi,
  records: readonly OutgoingRecord[],
  sides: SideRecords | undefined,
): Promise<WriteOutcome[]> {
  const outcomes: WriteOutcome[] = []
  const ids = new Map((await all(api, 'party.category', [])).map((row) => [row.rec_name ?? '', row.id]))
  for (const { key, fields, destinationId } of records) {
    const path = toTagPath(fields.name)
    if (path === '') {
      outcomes.push(refusedOutcome(key, 'blank', 'A tag needs a name.'))
      continue
    }
    try {
      const known = ids.get(path)
      if (destinationId === null && known !== undefined) {
        outcomes.push({ key, result: 'matched', destinationId: String(known), url: api.urlOf('party.category', known) })
        continue
      }
      const id =
        destinationId === null
          ? await makeTag(api, ids, path, sides)
          : await rename(api, ids, Number(destinationId), path, sides)
      const [row] = await all(api, 'party.category', [['id', '=', id]])
      if (!row) throw new TrytonRefusal('refused', 'It is not in Tryton any more.')
      const url = api.urlOf('party.category', id)
      outcomes.push({ key, result: 'written', destinationId: String(id), url, version: versionOf(row) })
    } catch (error) {
      if (!(error instanceof TrytonRefusal)) throw error
      outcomes.push(refusedOutcome(key, 'refused', error.message))
    }
  }
  return outcomes
}

type Place = { name: string; parent: number | null }

/** Where a category belongs; those above it that are missing are made on the side. */
async function openPlace(
  api: TrytonApi,
  ids: Map<string, number>,
  path: string,
  sides: SideRecords | undefined,
): Promise<Place> {
  const parts = path.split(separator)
  const name = parts.pop() ?? ''
  const above = parts.join(separator)
  if (above === '') return { name, parent: null }
  const known = ids.get(above)
  if (known !== undefined) return { name, parent: known }
  const values = await openPlace(api, ids, above, sides)
  const parent = await createSide(api, sides, 'party_categories', { name: above, values })
  ids.set(above, parent)
  return { name, parent }
}

async function makeTag(
  api: TrytonApi,
  ids: Map<string, number>,
  path: string,
  sides: SideRecords | undefined,
): Promise<number> {
  const [id = 0] = await api.create('party.category', [await openPlace(api, ids, path, sides)])
  ids.set(path, id)
  return id
}

async function rename(
  api: TrytonApi,
  ids: Map<string, number>,
  id: number,
  path: string,
  sides: SideRecords | undefined,
): Promise<number> {
  if (ids.get(path) === id) return id
  await api.write('party.category', [id], await openPlace(api, ids, path, sides))
  return id
}

const versionOf = ({ rec_name, write_date, create_date }: Row<'party.category'>): string =>
  JSON.stringify([rec_name, write_date ?? create_date])

export async function findTags(api: TrytonApi, sought: readonly SoughtRecord[]): Promise<FoundRecord[]> {
  const keys = new Map(
    sought.flatMap(({ key, destinationId }) => (destinationId === null ? [] : [[Number(destinationId), key]])),
  )
  if (keys.size === 0) return []
  const rows = await all(api, 'party.category', [['id', 'in', [...keys.keys()]]])
  return rows.map((row) => ({
    key: keys.get(row.id) ?? '',
    destinationId: String(row.id),
    url: api.urlOf('party.category', row.id),
    version: versionOf(row),
    fields: { name: row.rec_name ?? '' },
    customFields: {},
    createdAt: null,
    updatedAt: null,
  }))
}

/** A category that parties use, or that has others below it, is not ours alone any more. */
export async function removeTags(api: TrytonApi, records: readonly RemovableRecord[]): Promise<RemoveOutcome[]> {
  const found = new Map((await findTags(api, records)).map((record) => [record.key, record]))
  const outcomes: RemoveOutcome[] = []
  // What stands below goes first.
  const depth = ({ key }: RemovableRecord) => String(found.get(key)?.fields.name ?? '').split(separator).length
  for (const { key, destinationId, version } of records.toSorted((a, b) => depth(b) - depth(a))) {
    const there = found.get(key)
    const id = Number(destinationId)
    if (!there) {
      outcomes.push({ key, result: 'missing' })
    } else if (version !== null && there.version !== version) {
      outcomes.push({ key, result: 'kept', message: 'It has been changed since it was imported.' })
    } else if ((await api.count('party.party', [['categories', '=', id]])) > 0) {
      outcomes.push({ key, result: 'kept', message: 'There are parties in this category.' })
    } else if ((await api.count('party.category', [['parent', '=', id]])) > 0) {
      outcomes.push({ key, result: 'kept', message: 'There are other categories below this one.' })
    } else {
      await api.remove('party.category', [id])
      outcomes.push({ key, result: 'removed' })
    }
  }
  return records.map(({ key }) => outcomes.find((outcome) => outcome.key === key) ?? { key, result: 'missing' })
}
