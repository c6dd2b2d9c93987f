import type { Page } from '../../contract/contract.ts'
import type { RedmineApi } from './api.ts'

interface Source {
  path: string
  name: string
  /** Must sort new records last. */
  query: Record<string, string | number>
}

/** Replaces the last id of a page that was skipped. */
const unknownId = -1

/** The cursor after the page at this cursor, without reading the page. */
export function passOffsetPage(cursor: string | null, limit: number): string {
  const [offset = 0] = (cursor ?? '0').split(':').map(Number)
  return `${offset + limit}:${unknownId}`
}

const idOf = (item: unknown): number => Number((item as { id?: unknown } | null)?.id)

/**
 * Reads one page of a list that has only offsets. If an earlier record is removed, the offset would skip another one.
 * So the last known record is read again; if it has moved, it is searched.
 */
export async function readOffsetPage(
  api: RedmineApi,
  source: Source,
  cursor: string | null,
  limit: number,
): Promise<Page<unknown>> {
  const { path, name, query } = source
  const [offset = 0, lastId = 0] = (cursor ?? '0:0').split(':').map(Number)
  const overlap = offset > 0 && lastId !== unknownId ? 1 : 0
  const from = offset - overlap
  const read = await api.list(path, name, { ...query, limit: limit + overlap, offset: from })
  if (overlap === 1 && idOf(read.items[0]) !== lastId) {
    const place = await findPlace(api, source, lastId)
    return readOffsetPage(api, source, place === null ? null : `${place}:${lastId}`, limit)
  }
  const items = read.items.slice(overlap)
  const end = offset + items.length
  const isEnd = items.length === 0 || read.total === null || end >= read.total
  return { items, next: isEnd ? null : `${end}:${idOf(items.at(-1))}` }
}

/**
 * The number of records up to this id; null when it was deleted. Then the list is read from the start: duplicates do
 * no harm.
 */
async function findPlace(api: RedmineApi, { path, name, query }: Source, id: number): Promise<number | null> {
  const all = await api.listAll(path, name, query)
  const index = all.findIndex((item) => idOf(item) === id)
  return index < 0 ? null : index + 1
}
