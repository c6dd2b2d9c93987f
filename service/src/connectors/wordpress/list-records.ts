import { byOffset } from '../kit/pages.ts'
import type { Query, WordpressApi } from './api.ts'
import type { ListName, RawRecord } from './schema.ts'

/**
 * The next records by id. WordPress can only be asked for a place in the list. Records that nobody may read are missing from
 * their places.
 */
export async function listPage(
  api: WordpressApi,
  name: ListName,
  query: Query,
  cursor: string | null,
  pageSize: number,
): Promise<{ records: RawRecord[]; next: string | null }> {
  const walk = byOffset<RawRecord>(
    (from, size) => listFrom(api, name, query, from, size),
    ({ id }) => id,
  )
  const { items, next } = await walk(cursor, pageSize)
  return { records: items, next }
}

/** So many from this place on. Lists of categories know only whole pages: `offset` is ignored there, without a word. */
async function listFrom(api: WordpressApi, name: ListName, query: Query, from: number, size: number) {
  const order = { ...query, orderby: 'id', order: 'asc', per_page: size }
  if (name !== 'categories') {
    const { records: items, total } = await api.list(name, { ...order, offset: from })
    return { items, total }
  }
  const page = Math.floor(from / size) + 1
  const { records, total } = await api.list(name, { ...order, page })
  const isBetween = from % size > 0 && page * size < total
  const more = isBetween ? (await api.list(name, { ...order, page: page + 1 })).records : []
  return { items: [...records, ...more].slice(from % size).slice(0, size), total }
}
