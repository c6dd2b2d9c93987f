import type { FoundRecord, SoughtRecord } from '../contract.ts'
import { largestPage, type Query, type WordpressApi } from './api.ts'
import { isPlaceholder } from './hold-comments.ts'
import { addressOf, markerOf, mediaSlugOf } from './mark-record.ts'
import type { RawRecord } from './schema.ts'
import { storedForm } from './store-long.ts'
import type { WrittenEntity } from './stored-form.ts'

/** Everything but the trash, and for comments that too: status any. */
export const everyStatus = (entity: WrittenEntity): Query =>
  entity === 'posts' || entity === 'pages' || entity === 'comments' ? { status: 'any' } : {}

/** Records that exist: by their id, and by our mark on them where that is not enough. Two with one key were written twice. */
export async function findRecords(
  api: WordpressApi,
  entity: WrittenEntity,
  sought: readonly SoughtRecord[],
): Promise<FoundRecord[]> {
  const found = new Map<string, FoundRecord>()
  const note = async (key: string, record: RawRecord, isOurs: (marker: string | null) => boolean) => {
    const { marker, ...stored } = await storedForm('toStored', entity, record)
    if (!isOurs(marker) || (entity === 'comments' && isPlaceholder(record))) return
    found.set(`${record.id} ${key}`, { ...stored, key, destinationId: String(record.id) })
  }

  const ids = new Map(sought.flatMap(({ key, destinationId }) => (destinationId ? [[Number(destinationId), key]] : [])))
  for (const record of await api.listByIds(entity, [...ids.keys()], everyStatus(entity))) {
    await note(ids.get(record.id) ?? '', record, () => true)
  }
  const there = new Set([...found.values()].map(({ key }) => key))
  const missing = sought.filter(({ key }) => !there.has(key))
  if (entity === 'media') {
    const keys = new Map(missing.map(({ key }) => [mediaSlugOf(key), key]))
    for (const record of await listBySlugs(api, [...keys.keys()])) {
      const slug = String((record as { slug?: unknown }).slug).replace(/-\d+$/, '')
      const key = keys.get(slug)
      if (key !== undefined) await note(key, record, () => true)
    }
  } else if (entity !== 'tags' && entity !== 'categories') {
    // One after the other: a search is for one text.
    for (const { key, parent } of missing) {
      const marker = entity === 'comments' ? addressOf(key) : markerOf(key)
      const place: Query = entity === 'comments' && parent ? { post: parent.destinationId } : {}
      const query = { ...everyStatus(entity), ...place, search: marker, per_page: largestPage }
      for (const record of (await api.list(entity, query)).records) await note(key, record, (other) => other === marker)
    }
  }
  return [...found.values()]
}

/** A slug that is taken gets a number: that is where a second one of ours would be. */
async function listBySlugs(api: WordpressApi, slugs: readonly string[]): Promise<RawRecord[]> {
  const records: RawRecord[] = []
  const perRequest = 25
  for (let at = 0; at < slugs.length; at += perRequest) {
    const asked = slugs.slice(at, at + perRequest).flatMap((slug) => [slug, `${slug}-2`, `${slug}-3`, `${slug}-4`])
    records.push(...(await api.list('media', { slug: asked.join(','), per_page: largestPage })).records)
  }
  return records
}
