import type { WriteLoss } from '../../../warnings/codes.ts'
import type {
  FoundRecord,
  OutgoingRecord,
  RemovableRecord,
  RemoveOutcome,
  SentRelation,
  SideRecord,
  SoughtRecord,
  WriteOutcome,
} from '../../contract/contract.ts'
import { findRecords } from '../../kit/find.ts'
import type { Sent } from '../../kit/http.ts'
import { digestOf } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { removeRecords } from '../../kit/remove.ts'
import { versionOf } from '../../kit/version.ts'
import { writeEach } from '../../kit/write-each.ts'
import { toStored } from '../../kit/write-record.ts'
import { label, pageSize } from './api.ts'
import { isCollection } from './docs.ts'
import {
  collectionOf,
  flatKind,
  isEmptyShelf,
  isIn,
  makeShelf,
  pathOf,
  placeOf,
  type ShelfContext,
  ShelfRefusedError,
  shelvesNow,
} from './docs-shelves.ts'
import * as desk from './entities.ts'
import { refusalOf } from './write-people.ts'

// Categories of the family: one at the top is a collection, and everything inside is a category of that collection.

/** Notes of categories that we make. Their version says which name stands where. */
export const noteKind = 'category_of_record'

function foundShelf(raw: RawRecord) {
  const content = toStored(label, desk.categories, raw)
  return {
    ...content,
    version: versionOf(content.fields),
    url: typeof raw.publicUrl === 'string' ? raw.publicUrl : null,
  }
}

/** Whether a shelf is the one that we made for a record, by the notes. */
const noted = (notes: readonly SideRecord[]) => (raw: RawRecord, key: string) =>
  notes.some(
    ({ mark, destinationId, version }) =>
      mark === digestOf(key) &&
      (destinationId === null
        ? [raw.parent, `c${raw.collectionId}`].some((parent) => placeOf(raw.name, parent) === version)
        : destinationId === String(raw.id)),
  )

/**
 * A shelf of the same name at the same place is used, unless a note says that we are creating it. The note stays: after
 * a kill before the outcome is stored, the shelf is found by it.
 */
export async function writeCollections(
  context: ShelfContext,
  records: readonly OutgoingRecord[],
): Promise<WriteOutcome[]> {
  const { docs, sides } = context
  let shelves = await shelvesNow(context)
  const isNoted = noted(await sides.list(noteKind))
  return writeEach(records, async (record): Promise<WriteOutcome> => {
    const { key, fields } = record
    const parent = (fields.parent_category as SentRelation | undefined)?.destinationId ?? null
    const collection = parent === null ? null : collectionOf(shelves, parent)
    const isFlat = parent !== null && !isCollection(parent)
    const losses: { losses?: WriteLoss[] } = isFlat ? { losses: ['parent_refused'] } : {}
    const side = { kind: noteKind, mark: digestOf(key), destinationId: null, version: placeOf(fields.name, collection) }
    const flat = { kind: flatKind, mark: side.mark, destinationId: null, version: `${side.version} ${parent}` }
    const written = async (id: string): Promise<WriteOutcome> => {
      if (isFlat) await sides.note({ ...flat, destinationId: id })
      shelves = await shelvesNow(context)
      const now = shelves.find((raw) => String(raw.id) === id)
      if (!now) return refusalOf(key, gone)
      const { url, version } = foundShelf(now)
      return { key, result: 'written', destinationId: id, url, version, ...losses }
    }
    const own = shelves.find((raw) => isNoted(raw, key))
    const id = record.destinationId ?? (own ? String(own.id) : null)
    // Names are unique in a collection, however deep they were.
    const existing = shelves.find((raw) => isIn(raw, collection) && placeOf(raw.name, '') === placeOf(fields.name, ''))
    if (id === null && existing) {
      return { key, result: 'matched', destinationId: String(existing.id), url: foundShelf(existing).url }
    }
    if (id !== null) {
      const sent = await docs.send('PUT', pathOf(id), { json: { name: fields.name } })
      if (sent.result === 'refused') return refusalOf(key, sent)
      if (record.destinationId !== null) await sides.forget(side)
      return written(id)
    }
    await sides.note(side, ...(isFlat ? [flat] : []))
    try {
      const made = await makeShelf(context, collection, { name: fields.name, readers: 'public' })
      await sides.note({ ...side, destinationId: made })
      return await written(made)
    } catch (error) {
      if (!(error instanceof ShelfRefusedError)) throw error
      await sides.forget(side, flat)
      return refusalOf(key, error.sent)
    }
  })
}
const gone: Extract<Sent, { result: 'refused' }> = {
  ...{ result: 'refused', status: 404, code: 'gone', json: null },
  message: 'It was deleted in Help Scout since it was imported.',
}

const shelvesByIds = (context: ShelfContext) => async (ids: readonly string[]) =>
  (await shelvesNow(context)).filter(({ id }) => ids.includes(String(id)))

export async function findCollections(context: ShelfContext, sought: readonly SoughtRecord[]): Promise<FoundRecord[]> {
  const isNoted = noted(await context.sides.list(noteKind))
  const key = { atOnce: pageSize, seek: () => shelvesNow(context), isOn: isNoted }
  return findRecords({ byIds: shelvesByIds(context), key, toFound: foundShelf }, sought)
}

/**
 * With a collection goes everything in it, and articles of a category that is deleted may come into the open: a shelf that
 * is not empty stays.
 */
export function removeCollections(
  context: ShelfContext,
  records: readonly RemovableRecord[],
): Promise<RemoveOutcome[]> {
  const findNeed = async ({ id }: RawRecord) => ((await isEmptyShelf(context, String(id))) ? null : 'It is not empty.')
  const send = async (removable: readonly RemovableRecord[]) => {
    const answers: Sent[] = []
    for (const { destinationId } of removable) answers.push(await context.docs.send('DELETE', pathOf(destinationId)))
    return answers
  }
  const version = (raw: RawRecord) => foundShelf(raw).version
  return removeRecords({ label, byIds: shelvesByIds(context), versionOf: version, findNeed, send }, records)
}
