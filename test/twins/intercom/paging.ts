import type { TwinRequest } from '../answers.ts'
import { numberOf } from '../pages.ts'
import { invalid } from './account.ts'

/** The largest page. A request for more is refused. */
const mostPerPage = 150

interface Asked {
  perPage: number
  after: string | null
}

export function askedSize(text: string | number | null | undefined, otherwise: number, most = mostPerPage): number {
  const size = numberOf(text === null || text === undefined ? null : String(text), { otherwise })
  if (size < 1 || size > most) invalid(`per_page must be between 1 and ${most}`, 'per_page')
  return size
}

export const askedInQuery = ({ query }: TwinRequest, otherwise: number): Asked => ({
  perPage: askedSize(query.get('per_page'), otherwise),
  after: query.get('starting_after'),
})

type Key = [number | string, string]

const seal = (key: Key, page: number) => Buffer.from(JSON.stringify([...key, page])).toString('base64')
function open(cursor: string): { key: Key; page: number } {
  try {
    const [value, id, page] = JSON.parse(Buffer.from(cursor, 'base64').toString())
    if (typeof id === 'string' && typeof page === 'number') return { key: [value, id], page }
  } catch {}
  return invalid('starting_after is not a cursor of this list', 'starting_after')
}

const compare = ([a, idA]: Key, [b, idB]: Key): number => (a < b ? -1 : a > b ? 1 : idA < idB ? -1 : idA > idB ? 1 : 0)

/**
 * A page by cursor, in the order of a key. The cursor names a place in that order, so a record whose key changes in
 * between can appear twice or not at all.
 */
export function cursorPages<T extends { id: string }>(
  items: readonly T[],
  { perPage, after }: Asked,
  keyOf: (item: T) => number | string,
  isDown = true,
) {
  const sign = isDown ? -1 : 1
  const place = (item: T): Key => [keyOf(item), item.id]
  const ordered = items.toSorted((a, b) => sign * compare(place(a), place(b)))
  const from = after === null ? null : open(after)
  const rest = from ? ordered.filter((item) => sign * compare(place(item), from.key) > 0) : ordered
  const page = rest.slice(0, perPage)
  const last = page.at(-1)
  const number = from?.page ?? 1
  const next =
    last && rest.length > perPage ? { page: number + 1, starting_after: seal(place(last), number + 1) } : undefined
  return {
    items: page,
    total_count: items.length,
    pages: {
      type: 'pages',
      ...(next && { next }),
      page: number,
      per_page: perPage,
      total_pages: Math.ceil(items.length / perPage),
    },
  }
}

/** A page by its number. The next page is an address here, not a cursor. */
export function numberedPages<T>(items: readonly T[], { query, url }: TwinRequest, otherwise: number, most?: number) {
  const perPage = askedSize(query.get('per_page'), otherwise, most)
  const page = Math.max(1, numberOf(query.get('page'), { otherwise: 1 }))
  const totalPages = Math.ceil(items.length / perPage)
  const next = new URL(url)
  next.searchParams.set('per_page', String(perPage))
  next.searchParams.set('page', String(page + 1))
  return {
    items: items.slice((page - 1) * perPage, page * perPage),
    total_count: items.length,
    pages: {
      type: 'pages',
      next: page < totalPages ? next.href : null,
      page,
      per_page: perPage,
      total_pages: totalPages,
    },
  }
}
