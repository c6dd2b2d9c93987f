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
import type { RawRecord } from '../../kit/lens.ts'
import { refused } from '../../kit/outcomes.ts'
import { removeNested } from '../../kit/remove.ts'
import { versionOf } from '../../kit/version.ts'
import { writeEach } from '../../kit/write-each.ts'
import { toStored, writeRecord } from '../../kit/write-record.ts'
import { label, largestPage } from './api.ts'
import * as desk from './entities.ts'
import { findShelf, isEmptyShelf, makeShelf, pathOf, placeOf, ShelfRefusedError, shelvesNow, urlOf } from './folders.ts'
import { externalOf, refusalOf, type WriteContext } from './write-people.ts'

// Categories of the family: one at the top is a category of Freshdesk, and everything inside is a folder.

/** Notes of categories that we make. Their version says which name stands where. */
export const shelfNoteKind = 'category_of_record'
function foundShelf(context: WriteContext, raw: RawRecord) {
  const content = toStored(label, desk.categories, { description: null, ...raw })
  return { ...content, version: versionOf(content.fields), url: urlOf(context, String(raw.id)) }
}

/** Whether a shelf is the one that we made for a record, by the notes. */
const noted = (notes: readonly SideRecord[]) => (raw: RawRecord, key: string) =>
  notes.some(
    ({ mark, destinationId, version }) =>
      mark === externalOf(key) &&
      (destinationId === null ? placeOf(raw.name, raw.parent) === version : destinationId === String(raw.id)),
  )

/**
 * A shelf of the same name at the same place is used, unless a note says that we are creating it. The note stays: after
 * a kill before the outcome is stored, the shelf is found by it.
 */
export async function writeShelves(context: WriteContext, records: readonly OutgoingRecord[]): Promise<WriteOutcome[]> {
  const { api, sides } = context
  const shelves = await shelvesNow(context)
  const isNoted = noted(await sides.list(shelfNoteKind))
  return writeEach(records, async (record): Promise<WriteOutcome> => {
    const { key, fields } = record
    const parent = (fields.parent_category as SentRelation | undefined)?.destinationId ?? null
    const side = {
      kind: shelfNoteKind,
      mark: externalOf(key),
      destinationId: null,
      version: placeOf(fields.name, parent),
    }
    const matched = (raw: RawRecord): WriteOutcome => {
      const destinationId = String(raw.id)
      return { key, result: 'matched', destinationId, url: urlOf(context, destinationId) }
    }
    const own = shelves.find((raw) => isNoted(raw, key))
    const id = record.destinationId ?? (own ? String(own.id) : null)
    const existing = findShelf(shelves, fields.name, parent)
    if (id === null && existing) return matched(existing)
    const { name, description } = writeRecord(desk.categories, record, { isWhole: true })
    if (id !== null) {
      const sent = await api.http.send('PUT', pathOf(id), { json: { name, description } })
      if (sent.result === 'refused') return refusalOf(key, sent)
      const now = (await shelvesNow(context)).find((raw) => String(raw.id) === id)
      if (!now) return refused(key, 'gone', 'It was deleted in Freshdesk since it was imported.')
      if (record.destinationId !== null) await sides.forget(side)
      const { url, version } = foundShelf(context, now)
      return { key, result: 'written', destinationId: id, url, version }
    }
    await sides.note(side)
    try {
      const raw = await makeShelf(context, shelves, parent, { name, description, readers: 'public' })
      shelves.push(raw)
      await sides.note({ ...side, destinationId: String(raw.id) })
      const { url, version } = foundShelf(context, raw)
      return { key, result: 'written', destinationId: String(raw.id), url, version }
    } catch (error) {
      if (!(error instanceof ShelfRefusedError)) throw error
      await sides.forget(side)
      // Somebody has made one of this name since the list was read.
      const now = error.sent.status === 409 ? findShelf(await shelvesNow(context), fields.name, parent) : undefined
      return now ? matched(now) : refusalOf(key, error.sent)
    }
  })
}

const shelvesByIds = (context: WriteContext) => async (ids: readonly string[]) =>
  (await shelvesNow(context)).filter(({ id }) => ids.includes(String(id)))

export async function findShelves(context: WriteContext, sought: readonly SoughtRecord[]): Promise<FoundRecord[]> {
  const isNoted = noted(await context.sides.list(shelfNoteKind))
  const key = { atOnce: largestPage, seek: () => shelvesNow(context), isOn: isNoted }
  const toFound = (raw: RawRecord) => foundShelf(context, raw)
  return findRecords({ byIds: shelvesByIds(context), key, toFound }, sought)
}

/** With a shelf goes everything in it: one that is not empty stays. */
export async function removeShelves(
  context: WriteContext,
  records: readonly RemovableRecord[],
): Promise<RemoveOutcome[]> {
  const findNeed = async ({ id }: RawRecord) => ((await isEmptyShelf(context, String(id))) ? null : 'It is not empty.')
  const send = async (removable: readonly RemovableRecord[]) => {
    const answers: Sent[] = []
    for (const { destinationId } of removable) {
      answers.push(await context.api.http.send('DELETE', pathOf(destinationId)))
    }
    return answers
  }
  const version = (raw: RawRecord) => foundShelf(context, raw).version
  const rules = { label, byIds: shelvesByIds(context), versionOf: version, findNeed, send }
  return removeNested(rules, await shelvesNow(context), records)
}
