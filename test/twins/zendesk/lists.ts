import { answer, refuse, type TwinAnswer, type TwinRequest } from '../answers.ts'
import { cursorPage, numberedPage, numberOf } from '../pages.ts'
import type { Kept } from '../store.ts'

/** The parameters of most lists: pages by cursor if `page[size]` is given, otherwise by number. */
export const paging = {
  'page[size]': /\d{1,4}/,
  'page[after]': true,
  'page[before]': true,
  page: /\d{1,6}/,
  per_page: /\d{1,4}/,
  sort: /-?[a-z_]+/,
} as const

export interface Listing<T> {
  /** The name of the list in the answer. */
  name: string
  present(item: T): unknown
  /** Further records in the answer, beside the list. */
  more?(items: readonly T[]): Record<string, unknown>
  /** The default size of numbered pages. */
  otherwise?: number
  sortBy?: Readonly<Record<string, (item: T) => string | number>>
}

const most = 100
const wall = {
  records: 10_000,
  refusal: { status: 400, json: { error: 'BadRequest', description: 'Requested page is beyond 10,000 records' } },
}

export function sendList<T extends Kept>(request: TwinRequest, items: readonly T[], listing: Listing<T>): TwinAnswer {
  const { query } = request
  if (query.has('page[after]') && query.has('page[before]'))
    refuse(400, { error: 'InvalidPaginationParameter', description: 'after and before exclude each other' })
  return query.has('page[size]') || query.has('page[after]')
    ? byCursor(request, items, listing)
    : byNumber(request, items, listing)
}

/** The items in the requested order, then by id. */
function sorted<T extends Kept>({ query }: TwinRequest, items: readonly T[], { sortBy = {} }: Listing<T>) {
  const [, minus, field = ''] = /^(-?)(.*)$/.exec(query.get('sort') ?? '') ?? []
  const keyOf = sortBy[field]
  if (query.has('sort') && field !== 'id' && !keyOf)
    refuse(400, { error: 'InvalidSort', description: `sort is not valid: ${field}` })
  const compare = (a: T, b: T) => {
    const [one, other] = [keyOf?.(a) ?? 0, keyOf?.(b) ?? 0]
    return one < other ? -1 : one > other ? 1 : Number(a.id) - Number(b.id)
  }
  return items.toSorted((a, b) => (minus ? compare(b, a) : compare(a, b)))
}

function byCursor<T extends Kept>(request: TwinRequest, items: readonly T[], listing: Listing<T>): TwinAnswer {
  const { query, url } = request
  const size = numberOf(query.get('page[size]'), { otherwise: most, most })
  const ordered = sorted(request, items, listing)
  // The cursor names the last record and its position in the order.
  const places = new Map(ordered.map((item, at) => [item.id, at]))
  const { items: page, next } = cursorPage(ordered, {
    after: query.get('page[after]'),
    size,
    keyOf: (item) => keyFor(item, query.get('sort'), places),
  })
  const links = { 'page[size]': String(size), 'page[after]': String(next) }
  return answer(200, {
    [listing.name]: page.map(listing.present),
    ...listing.more?.(page),
    meta: { has_more: next !== null, after_cursor: next, before_cursor: null },
    links: { prev: null, next: next === null ? null : linkOf(url, links) },
  })
}

function keyFor(item: Kept, sort: string | null, places: ReadonlyMap<string, number>): number {
  return sort === null || sort === 'id' ? Number(item.id) : (places.get(item.id) ?? 0)
}

function byNumber<T extends Kept>(request: TwinRequest, items: readonly T[], listing: Listing<T>): TwinAnswer {
  const { query, url } = request
  const size = numberOf(query.get('per_page'), { otherwise: listing.otherwise ?? most, most })
  const page = Math.max(1, numberOf(query.get('page'), { otherwise: 1 }))
  const ordered = sorted(request, items, listing)
  const found = numberedPage(ordered, { page, size, wall })
  const addressOf = (number: number | null) =>
    number === null ? null : linkOf(url, { page: String(number), per_page: String(size) })
  return answer(200, {
    [listing.name]: found.items.map(listing.present),
    ...listing.more?.(found.items),
    count: items.length,
    next_page: addressOf(found.next),
    previous_page: addressOf(page > 1 ? page - 1 : null),
  })
}

/** Converts the address to the form in operations: without `.json`, which is kept in the hash. */
export function addressOf(url: URL): URL {
  if (!url.pathname.endsWith('.json')) return url
  const address = new URL(url)
  address.pathname = address.pathname.slice(0, -'.json'.length)
  address.hash = '.json'
  return address
}

function linkOf(url: URL, changes: Record<string, string>): string {
  const link = new URL(url)
  link.pathname += link.hash.slice(1)
  link.hash = ''
  for (const [name, value] of Object.entries(changes)) link.searchParams.set(name, value)
  return link.href
}

/** The ids of a parameter such as `ids=1,2`. */
export function idsOf(request: TwinRequest, name: string): string[] {
  const ids = (request.query.get(name) ?? '').split(',').filter(Boolean)
  if (ids.length > most) refuse(400, { error: 'TooManyValues', description: `${name} takes up to ${most} values` })
  return ids
}

export const sendCount = (now: string, value: number): TwinAnswer =>
  answer(200, { count: { value, refreshed_at: now } })
