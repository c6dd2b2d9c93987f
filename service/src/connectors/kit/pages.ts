import { RetryableError } from '../../errors.ts'
import { askForLess } from '../../outbound/ask-for-less.ts'
import type { ToolAnswer } from '../../outbound/call-tool.ts'
import type { Page } from '../contract/contract.ts'
import type { Query } from './http.ts'

// Ways to walk a list. Each takes a position and answers one page and the position after it; nothing is kept between
// calls. A position is a text of our making, so that any process goes on from it.

/** Reads one page of at most `size` records from a position on; fewer where their answer would be too long for us. */
export type Walk<T> = (cursor: string | null, size: number) => Promise<Page<T>>

const stuck = (what: string) => new RetryableError(`a list of a tool ${what}`)

/** The tool names the next page itself: `next` in the answer goes back as the parameter `after`. */
export const byCursor =
  <T>(ask: (query: Query) => Promise<Page<T>>, names: { size: string; after: string }): Walk<T> =>
  async (cursor, size) =>
    moved(cursor, await askForLess(size, (less) => ask({ [names.size]: less, [names.after]: cursor })))

/**
 * The next page stands in the header Link (RFC 8288). Only its parameters are kept: the path stays ours, so that the tool
 * cannot send us elsewhere.
 */
export const byLink =
  <T>(
    ask: (query: Query | string) => Promise<ToolAnswer<unknown>>,
    items: (json: unknown) => T[],
    first: (size: number) => Query,
  ): Walk<T> =>
  async (cursor, size) => {
    const { headers, json } = await ask(cursor ?? first(size))
    return moved(cursor, { items: items(json), next: nextOf(headers.link) })
  }

function nextOf(header: string | string[] | undefined): string | null {
  const links = [header ?? []]
    .flat()
    .join(',')
    .matchAll(/<([^<>]*)>([^<]*)/g)
  for (const [, address = '', parameters = ''] of links) {
    if (!/;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next\b)/i.test(parameters)) continue
    const url = URL.parse(address, 'http://tool.invalid/')
    if (!url || url.search === '') throw stuck('names a next page that cannot be asked for')
    return url.search.slice(1)
  }
  return null
}

/**
 * Records in the order of something that each has once, such as an id: the next page begins behind the last one. Nothing
 * is passed over when others come and go. Ends with an empty page, unless `isLast` knows sooner.
 */
export const byKey =
  <T>(
    ask: (after: string | null, size: number) => Promise<{ items: T[]; isLast?: boolean }>,
    keyOf: (item: T) => string,
  ): Walk<T> =>
  async (cursor, size) => {
    const { items, isLast } = await askForLess(size, (less) => ask(cursor, less))
    const last = items.at(-1)
    return moved(cursor, { items, next: isLast || last === undefined ? null : keyOf(last) })
  }

/** Against a list whose total never comes. */
const mostTurns = 10_000
/** Stands for the last record of a page that was left out; every id is greater. */
const unknownId = -1

/**
 * Lists records by offset, in the order of their numbers. A deletion before our place moves the rest up. So each page
 * begins one record early, and goes back until it meets the last record that we had. `total` marks the end: records
 * that nobody may read leave gaps.
 */
export const byOffset =
  <T>(
    ask: (from: number, size: number) => Promise<{ items: T[]; total: number }>,
    idOf: (item: T) => number,
  ): Walk<T> =>
  (cursor, size) =>
    askForLess(size, (less) => pageAt(ask, idOf, cursor, less))

async function pageAt<T>(
  ask: (from: number, size: number) => Promise<{ items: T[]; total: number }>,
  idOf: (item: T) => number,
  cursor: string | null,
  size: number,
): Promise<Page<T>> {
  const { offset, lastId } = readOffset(cursor)
  const isKnown = lastId !== unknownId
  let from = isKnown ? Math.max(0, offset - 1) : offset
  let isPlaced = !isKnown || from === 0
  for (let turn = 0; turn < mostTurns; turn += 1) {
    const page = await ask(from, size)
    const [first] = page.items
    if (!isPlaced && (first === undefined || idOf(first) > lastId)) {
      from = await goBack(ask, idOf, from, lastId, size)
      isPlaced = true
      continue
    }
    isPlaced = true
    const items = page.items.filter((item) => idOf(item) > lastId)
    const end = from + size
    const isEnd = end >= page.total
    const last = items.at(-1)
    if (last !== undefined) return { items, next: isEnd ? null : `${end}:${idOf(last)}` }
    if (isEnd) return { items, next: null }
    from = end
  }
  throw stuck('does not end')
}

/** A place at or before the one after `lastId`. */
async function goBack<T>(
  ask: (from: number, size: number) => Promise<{ items: T[] }>,
  idOf: (item: T) => number,
  from: number,
  lastId: number,
  size: number,
): Promise<number> {
  let at = from
  while (at > 0) {
    at = Math.max(0, at - Math.max(1, size - 1))
    const [first] = (await ask(at, 1)).items
    if (first !== undefined && idOf(first) <= lastId) break
  }
  return at
}

function readOffset(cursor: string | null): { offset: number; lastId: number } {
  const [offset = 0, lastId = 0] = (cursor ?? '0:0').split(':').map(Number)
  return { offset, lastId }
}

/**
 * Pages by their number, counted from 1, in the order of the records' numbers. Walked as `byOffset` does, so each page is
 * asked for together with the one before it. The later one comes first: what is deleted between the two requests then
 * stands in both, and not in neither. Ends with an empty page, unless `isLast` or `total` knows sooner.
 */
export const byPage = <T>(
  ask: (page: number, size: number) => Promise<{ items: T[]; isLast?: boolean; total?: number }>,
  idOf: (item: T) => number,
): Walk<T> =>
  byOffset(async (from, size) => {
    const pages = Math.floor(from / size)
    const later = from % size > 0 ? await ask(pages + 2, size) : null
    const earlier = await ask(pages + 1, size)
    const { items, isLast, total } = later ?? earlier
    const seen = new Set(earlier.items.map(idOf))
    const all = later ? [...earlier.items, ...later.items.filter((item) => !seen.has(idOf(item)))] : earlier.items
    const isEnd = isLast ?? items.length === 0
    const end = (later ? pages + 1 : pages) * size + items.length
    return { items: all.slice(from % size).slice(0, size), total: total ?? (isEnd ? end : Number.POSITIVE_INFINITY) }
  }, idOf)

/** The place after the page at this cursor, for `Reader.after`. Its last record is not known, so nothing is gone back to. */
export function passOffset(cursor: string | null, size: number): string {
  const { offset, lastId } = readOffset(cursor)
  return `${(lastId === unknownId ? offset : Math.max(0, offset - 1)) + size}:${unknownId}`
}

/** A connection of GraphQL, as Relay describes it. */
export interface Connection<T> {
  nodes: readonly T[]
  pageInfo: { hasNextPage: boolean; endCursor: string | null }
}

export const byConnection =
  <T>(ask: (variables: { first: number; after: string | null }) => Promise<Connection<T>>): Walk<T> =>
  async (cursor, size) => {
    const { nodes, pageInfo } = await askForLess(size, (first) => ask({ first, after: cursor }))
    if (pageInfo.hasNextPage && pageInfo.endCursor === null) throw stuck('has more and does not say where')
    return moved(cursor, { items: [...nodes], next: pageInfo.hasNextPage ? pageInfo.endCursor : null })
  }

/** A page whose next page is itself would never end. */
function moved<T>(cursor: string | null, page: Page<T>): Page<T> {
  if (page.next !== null && page.next === cursor) throw stuck('leads to the page that was just read')
  return page
}

/** Every record of a list that stays small. */
export async function readAll<T>(walk: Walk<T>, size: number, mostPages = 1_000): Promise<T[]> {
  const all: T[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < mostPages; pages += 1) {
    const page: Page<T> = await walk(cursor, size)
    all.push(...page.items)
    if (page.next === null) return all
    cursor = page.next
  }
  throw stuck('does not end')
}
