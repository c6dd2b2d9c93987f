import { RetryableError } from '../../errors.ts'
import type { Query, WordpressApi } from './api.ts'
import type { ListName, RawRecord } from './schema.ts'

/** Against a site whose pages lead in a circle. */
const maxTurns = 10_000
/** Stands for the last record of a page that was left out; every other id is greater. */
const unknownId = -1

/**
 * The next records by id. WordPress can only be asked for a place in the list, and every place shifts when something
 * before it is deleted; so each page begins one early, and goes back until it meets what was read last. Records that
 * nobody may read are missing from their places, so only the total tells where the end is.
 */
export async function listPage(
  api: WordpressApi,
  name: ListName,
  query: Query,
  cursor: string | null,
  pageSize: number,
): Promise<{ records: RawRecord[]; next: string | null }> {
  const { offset, lastId } = readCursor(cursor)
  const isKnown = lastId !== unknownId
  let from = isKnown ? Math.max(0, offset - 1) : offset
  for (let turn = 0; turn < maxTurns; turn += 1) {
    const page = await listFrom(api, name, query, from, pageSize)
    const first = page.records[0]?.id ?? Number.POSITIVE_INFINITY
    if (isKnown && from > 0 && first > lastId && turn === 0) {
      from = await goBack(api, name, query, from, lastId, pageSize)
      continue
    }
    const records = page.records.filter(({ id }) => id > lastId)
    const isEnd = from + pageSize >= page.total
    if (records.length > 0 || isEnd) {
      const last = records.at(-1)?.id ?? lastId
      return { records, next: isEnd ? null : `${from + pageSize}:${last}` }
    }
    from += pageSize
  }
  throw new RetryableError(`the list of ${name} of a WordPress site does not end`)
}

/** A place at or before the one after `lastId`. */
async function goBack(
  api: WordpressApi,
  name: ListName,
  query: Query,
  from: number,
  lastId: number,
  pageSize: number,
): Promise<number> {
  let at = from
  while (at > 0) {
    at = Math.max(0, at - (pageSize - 1))
    const { records } = await listFrom(api, name, query, at, 1)
    if (records[0] && records[0].id <= lastId) break
  }
  return at
}

/** So many from this place on. Lists of categories know only whole pages: `offset` is ignored there, without a word. */
async function listFrom(api: WordpressApi, name: ListName, query: Query, from: number, size: number) {
  const order = { ...query, orderby: 'id', order: 'asc', per_page: size }
  if (name !== 'categories') return api.list(name, { ...order, offset: from })
  const page = Math.floor(from / size) + 1
  const { records, total } = await api.list(name, { ...order, page })
  const isBetween = from % size > 0 && page * size < total
  const more = isBetween ? (await api.list(name, { ...order, page: page + 1 })).records : []
  return { records: [...records, ...more].slice(from % size).slice(0, size), total }
}

function readCursor(cursor: string | null): { offset: number; lastId: number } {
  const [offset = 0, lastId = 0] = (cursor ?? '0:0').split(':').map(Number)
  return { offset, lastId }
}

/** The place after the page at this cursor. Its last record is not known, so there is nothing to go back to. */
export function passPlaces(cursor: string | null, pageSize: number): string {
  const { offset, lastId } = readCursor(cursor)
  return `${(lastId === unknownId ? offset : Math.max(0, offset - 1)) + pageSize}:${unknownId}`
}
