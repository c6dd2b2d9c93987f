import { RetryableError } from '../../errors.ts'
import { askForLess } from '../../outbound/ask-for-less.ts'
import type { ToolAnswer } from '../../outbound/call-tool.ts'
import type { Page } from '../contract/contract.ts'
import type { Query } from './http.ts'

// Ways to walk a list. Each takes a position and returns one page and the next position. Nothing is kept between calls.
// A position is a text that we make, so any process can continue from it.

/**
 * Reads a page of at most `size` records from a position on. The page is shorter if its answer would be too large for
 * us.
 */
export type Walk<T> = (cursor: string | null, size: number) => Promise<Page<T>>

const stuck = (what: string) => new RetryableError(`a list of a tool ${what}`)

/** The tool names the next page: its `next` is sent back as the parameter `after`. */
export const byCursor =
  <T>(ask: (query: Query) => Promise<Page<T>>, names: { size: string; after: string }): Walk<T> =>
  async (cursor, size) =>
    moved(cursor, await askForLess(size, (less) => ask({ [names.size]: less, [names.after]: cursor })))

/**
 * The header Link (RFC 8288) names the next page. We use only its parameters and keep our own path, so the tool cannot
 * redirect us.
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
 * Records in the order of a unique value, such as an id. The next page begins after the last value. No record is
 * skipped when others are added or deleted. The walk ends with an empty page, unless `isLast` says so earlier.
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

/** A limit against a list that never reaches its total. */
const mostTurns = 10_000
/** Used instead of the last record's id when a page was skipped. Every real id is greater. */
const unknownId = -1

/**
 * Lists records by offset, in the order of their ids. A deletion before our position moves all later records up. So
 * each page begins one record early, and goes back until it meets the last record that we read. `total` marks the end,
 * because records that the account may not read leave gaps.
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

/** Finds an offset at or before the record after `lastId`. */
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
 * Pages by number, counted from 1, in the order of the records' ids. It works like `byOffset`, so each page is
 * requested together with the previous one. The later page is requested first: if a record is deleted between the two
 * requests, one record appears on both pages instead of on neither. The walk ends with an empty page, unless `isLast`
 * or `total` says so earlier.
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

/**
 * The position after the page at this cursor, for `Reader.after`. The last record of that page is unknown, so the next
 * page does not go back.
 */
export function passOffset(cursor: string | null, size: number): string {
  const { offset, lastId } = readOffset(cursor)
  return `${(lastId === unknownId ? offset : Math.max(0, offset - 1)) + size}:${unknownId}`
}

/** A GraphQL connection as Relay defines it. */
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

/** Throws if the next page is the same page, because the walk would never end. */
export function moved<T>(cursor: string | null, page: Page<T>): Page<T> {
  if (page.next !== null && page.next === cursor) throw stuck('leads to the page that was just read')
  return page
}

/** Reads every record of a short list. */
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
