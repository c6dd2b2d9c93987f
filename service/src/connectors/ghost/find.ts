import { FileMissingError } from '../../errors.ts'
import type { FoundRecord, SoughtRecord } from '../contract.ts'
import { type GhostApi, quote } from './api.ts'
import { hasUnseenMark, markerOf, unseenMark } from './mark-record.ts'
import { isId, type ListName, type RawRecord } from './schema.ts'
import { storedForm } from './store-long.ts'
import type { WrittenEntity } from './stored-form.ts'

export const listOf: Record<Exclude<WrittenEntity, 'media'>, ListName> = {
  posts: 'posts',
  pages: 'pages',
  tags: 'tags',
  categories: 'tags',
  comments: 'comments',
  subscribers: 'members',
}
/** Where our key stands. */
const markedField: Record<Exclude<WrittenEntity, 'media'>, string> = {
  posts: 'codeinjection_head',
  pages: 'codeinjection_head',
  tags: 'codeinjection_head',
  categories: 'codeinjection_head',
  comments: 'html',
  subscribers: 'note',
}

/** Keys in one filter, so that the address does not become too long. */
const atOnce = { comments: 8, other: 25 }

/** Records that exist: by their id, and by our mark on them where that is not enough. Two with one key were written twice. */
export async function findRecords(
  api: GhostApi,
  entity: WrittenEntity,
  sought: readonly SoughtRecord[],
): Promise<FoundRecord[]> {
  if (entity === 'media') return findFiles(api, sought)
  const found = new Map<string, FoundRecord[]>()
  const size = entity === 'comments' ? atOnce.comments : atOnce.other
  for (let at = 0; at < sought.length; at += size) {
    const some = sought.slice(at, at + size)
    const byId = some.filter(({ destinationId }) => isId(destinationId))
    for (const record of await listMatching(api, entity, filterIds(byId))) {
      const { marker: _, ...stored } = await storedForm('toStored', entity, record)
      for (const { key, destinationId } of byId) {
        if (destinationId === record.id) found.set(key, [{ ...stored, key, destinationId }])
      }
    }
    const missing = some.filter(({ key }) => !found.has(key))
    for (const record of await listMatching(api, entity, filterMarks(entity, missing))) {
      const { marker, ...stored } = await storedForm('toStored', entity, record)
      const isOurs = (key: string) =>
        entity === 'comments' ? hasUnseenMark(marker ?? '', key) : marker === markerOf(key)
      for (const { key } of missing) {
        if (isOurs(key)) found.set(key, [...(found.get(key) ?? []), { ...stored, key, destinationId: record.id }])
      }
    }
  }
  return [...found.values()].flat()
}

const filterIds = (sought: readonly SoughtRecord[]) =>
  sought.length === 0 ? null : `id:[${sought.map(({ destinationId }) => quote(String(destinationId))).join(',')}]`

/** Ghost looks through all it has for this. */
function filterMarks(entity: Exclude<WrittenEntity, 'media'>, sought: readonly SoughtRecord[]): string | null {
  const markOf = entity === 'comments' ? unseenMark : markerOf
  if (sought.length === 0) return null
  return sought.map(({ key }) => `${markedField[entity]}:~${quote(markOf(key))}`).join(',')
}

async function listMatching(
  api: GhostApi,
  entity: Exclude<WrittenEntity, 'media'>,
  filter: string | null,
): Promise<RawRecord[]> {
  const records: RawRecord[] = []
  if (filter === null) return records
  let after: string | null = null
  do {
    const page = await api.listAfter(listOf[entity], after, filter, 100)
    records.push(...page.records)
    after = page.next
  } while (after !== null)
  return records
}

/** Nothing lists files: one is known by its address, or not at all. */
async function findFiles(api: GhostApi, sought: readonly SoughtRecord[]): Promise<FoundRecord[]> {
  const found: FoundRecord[] = []
  for (const { key, destinationId } of sought) {
    if (destinationId === null || !URL.canParse(destinationId)) continue
    try {
      const { body } = await api.file(destinationId)
      body.on('error', () => {}).destroy()
    } catch (error) {
      if (error instanceof FileMissingError) continue
      throw error
    }
    const nothing = { fields: {}, customFields: {}, createdAt: null, updatedAt: null }
    found.push({ ...nothing, key, destinationId, url: destinationId, version: null })
  }
  return found
}
