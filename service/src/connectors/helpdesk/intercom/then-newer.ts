import type { RawRecord } from '../../kit/lens.ts'
import type { Walk } from '../../kit/pages.ts'
import { isInTime, toIso } from './entities.ts'

interface Place {
  at: string | null
  /** The newest change of the first page, in seconds. */
  newest: number | null
  /** The records of the first page with that time. */
  met: readonly unknown[]
  isAgain: boolean
}

/**
 * Intercom lists the newest changes first. A record that changes while we read moves to a page that we have read. So
 * everything that changed since the newest record of the first page is read at the end, also what changed in the same
 * second: times are whole seconds.
 */
export const thenNewer =
  (all: Walk<RawRecord>, changedSince: (since: string) => Walk<RawRecord>): Walk<RawRecord> =>
  async (cursor, size) => {
    const place: Partial<Place> = cursor === null ? {} : JSON.parse(cursor)
    const { at = null, isAgain = false } = place
    const walk = isAgain ? changedSince(toIso(Number(place.newest))) : all
    const { items: read, next } = await walk(at, size)
    const newest = place.newest ?? newestOf(read)
    const met = place.met ?? read.flatMap(({ id, updated_at }) => (updated_at === newest ? [id] : []))
    const items = isAgain ? read.filter(({ id, updated_at }) => updated_at !== newest || !met.includes(id)) : read
    const goOn = (then: Pick<Place, 'at' | 'isAgain'>) => ({ items, next: JSON.stringify({ ...then, newest, met }) })
    if (next !== null) return goOn({ at: next, isAgain })
    return isAgain || newest === null ? { items, next: null } : goOn({ at: null, isAgain: true })
  }

/** The newer records of a list that has the newest changes first. Ends at the first page that has an older one. */
export const untilOlder =
  (all: Walk<RawRecord>, onlyNewer: (walk: Walk<RawRecord>) => Walk<RawRecord>): Walk<RawRecord> =>
  async (cursor, size) => {
    const page = await all(cursor, size)
    const { items } = await onlyNewer(async () => page)(cursor, size)
    return { items, next: items.length < page.items.length ? null : page.next }
  }

function newestOf(page: readonly RawRecord[]): number | null {
  const times = page.flatMap(({ updated_at: at }) => (typeof at === 'number' && isInTime(at) ? at : []))
  return times.length === 0 ? null : Math.max(...times)
}
