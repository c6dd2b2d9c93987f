import { askForLess } from '../../../outbound/ask-for-less.ts'
import type { Page } from '../../contract/contract.ts'
import type { Query } from '../../kit/http.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { moved, type Walk } from '../../kit/pages.ts'

/** The next page, as the list names it: by a cursor, or only by its number. Null at the end of the list. */
export type Next = { starting_after: string | number } | { page: number } | null
type Ask = (query: Query) => Promise<{ items: RawRecord[]; next: Next }>

/**
 * A place in a list with numbered pages: the number of records before it, the size of pages that Intercom returns at
 * most, and the records of the last page.
 */
interface Numbered {
  from: number
  most: number
  ids: string[]
}

/** Walks a list of Intercom. Some lists have cursors, others only numbered pages. */
export const walkPages =
  (ask: Ask): Walk<RawRecord> =>
  async (cursor, size) => {
    const place: Query | Numbered = cursor === null ? {} : JSON.parse(cursor)
    const page = await askForLess(size, async (less): Promise<Page<RawRecord>> => {
      if (Array.isArray(place.ids)) return pageAfter(ask, place as Numbered, less)
      const { items, next } = await ask({ per_page: less, ...(place as Query) })
      if (next === null) return { items, next }
      return { items, next: JSON.stringify('page' in next ? placeAfter(0, less, items) : next) }
    })
    return moved(cursor, page)
  }

const idsOf = (items: readonly RawRecord[]) => items.map(({ id }) => String(id))

/** A page that is short although more follow shows the largest size. */
const placeAfter = (from: number, size: number, items: readonly RawRecord[]): Numbered => {
  const most = items.length > 0 ? Math.min(size, items.length) : size
  return { from: from + most, most, ids: idsOf(items) }
}

/**
 * Numbered pages shift while we read: Intercom lists the newest change first, and a deleted record moves all later ones
 * up. So each page is requested together with the earlier one, back to a record that we know. The later page is
 * requested first: a record that moves in between is then on both. The place counts records, because pages differ in
 * size if their answers are long.
 */
async function pageAfter(ask: Ask, { from, most, ids }: Numbered, asked: number): Promise<Page<RawRecord>> {
  const size = Math.min(asked, most)
  const known = new Set(ids)
  const number = Math.floor(from / size) + 1
  const { items, next } = await ask({ per_page: size, page: number })
  const found = [...items]
  for (let before = number - 1; before > 0; before -= 1) {
    const earlier = (await ask({ per_page: size, page: before })).items
    found.unshift(...earlier)
    if (idsOf(earlier).some((id) => known.has(id))) break
  }
  const unread = new Map(found.map((raw) => [String(raw.id), raw]))
  for (const id of known) unread.delete(id)
  const after = placeAfter((number - 1) * size, size, items)
  return { items: [...unread.values()], next: next === null ? null : JSON.stringify(after) }
}
