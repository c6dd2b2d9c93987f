import { FileMissingError } from '../../errors.ts'
import type { FoundRecord, SoughtRecord } from '../contract.ts'
import { type GhostApi, quote } from './api.ts'
import { hasUnseenMark, markerOf, unseenMark } from './mark-record.ts'
import { isId, type ListName, type RawRecord } from './schema.ts'
import { toStored, type WrittenEntity } from './stored-form.ts'

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

/** Records that exist, by their id and by our mark on them; two with one key were written twice. */
export async function findRecords(
  api: GhostApi,
  entity: WrittenEntity,
  sought: readonly SoughtRecord[],
): Promise<FoundRecord[]> {
  if (entity === 'media') return findFiles(api, sought)
  const found = new Map<string, FoundRecord>()
  const size = entity === 'comments' ? atOnce.comments : atOnce.other
  for (let at = 0; at < sought.length; at += size) {
    const some = sought.slice(at, at + size)
    for (const record of await listSought(api, entity, some)) {
      const { marker, ...stored } = toStored(entity, record)
      const isOurs = (key: string) =>
        entity === 'comments' ? hasUnseenMark(marker ?? '', key) : marker === markerOf(key)
      for (const { key, destinationId } of some) {
        if (destinationId !== record.id && !isOurs(key)) continue
        found.set(`${record.id} ${key}`, { ...stored, key, destinationId: record.id })
      }
    }
  }
  return [...found.values()]
}

async function listSought(
  api: GhostApi,
  entity: Exclude<WrittenEntity, 'media'>,
  sought: readonly SoughtRecord[],
): Promise<RawRecord[]> {
  const ids = sought.flatMap(({ destinationId }) => (isId(destinationId) ? [quote(destinationId)] : []))
  const markOf = entity === 'comments' ? unseenMark : markerOf
  const asked = [
    ...(ids.length > 0 ? [`id:[${ids.join(',')}]`] : []),
    ...sought.map(({ key }) => `${markedField[entity]}:~${quote(markOf(key))}`),
  ]
  const records: RawRecord[] = []
  let after: string | null = null
  do {
    const page = await api.listAfter(listOf[entity], after, asked.join(','), 100)
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
