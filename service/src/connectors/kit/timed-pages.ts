import { ObstacleError, RetryableError } from '../../errors.ts'
import type { Walk } from './pages.ts'
import { toMoment } from './times.ts'

/**
 * Walks a list that has only a filter by time: one time window after the other, each with its own pages. `overlapMs`
 * widens each requested window, for tools that compare only days or use their own zone. A record is returned only in
 * the window that contains its time. Moments are ISO 8601 in UTC.
 */
export const byWindow =
  <T>(rules: {
    ask(window: { from: string; to: string }): Walk<T>
    timeOf(item: T): string
    /** The oldest and the newest moment to read. `to` must be the same for every page of a walk. */
    from: string
    to: string
    windowMs: number
    overlapMs: number
  }): Walk<T> =>
  async (cursor, size) => {
    const { from, to, windowMs, overlapMs } = rules
    const at: { from: string; inner: string | null } = cursor === null ? { from, inner: null } : JSON.parse(cursor)
    const full = later(at.from, windowMs)
    const isLast = full >= to
    const end = isLast ? to : full
    const asked = { from: later(at.from, -overlapMs), to: later(end, overlapMs) }
    const page = await rules.ask(asked)(at.inner, size)
    // The last window includes its end, which is the newest moment of the walk.
    const isOfWindow = (time: string) => time >= at.from && (isLast ? time <= end : time < end)
    const items = page.items.filter((item) => isOfWindow(toMoment(rules.timeOf(item))))
    if (page.next !== null) return { items, next: JSON.stringify({ from: at.from, inner: page.next }) }
    return { items, next: isLast ? null : JSON.stringify({ from: end, inner: null }) }
  }

const later = (moment: string, ms: number) => new Date(Date.parse(moment) + ms).toISOString()

interface WallPlace {
  /** Only records of this time or later are requested. */
  from: string | null
  page: number
  /** Ids of the records with exactly the time `from`, or with an unknown time, that were already returned. */
  seen: string[]
}

/**
 * Walks a search that stops after a fixed number of pages. Records come in the order of their time, so each page starts
 * at the time of the last record and never reaches the limit. A record that changes meanwhile does not move the others,
 * except those of the same time that need several pages. So each of these pages is requested with the page before it.
 * Records with exactly the start time come again; those already returned are left out. If more records share one time
 * than the limit allows, the walk fails with an error.
 */
export const byWall =
  <T>(rules: {
    /** Requests a page, counted from 1, with records of the time `from` or later. */
    ask(from: string | null, page: number, size: number): Promise<{ items: T[]; isLast: boolean }>
    /** The time that the tool compares, in a form that sorts as text. Null if it cannot be read. */
    timeOf(item: T): string | null
    idOf(item: T): string
    mostPages: number
  }): Walk<T> =>
  async (cursor, size) => {
    const { ask, timeOf, idOf, mostPages } = rules
    const place: WallPlace = cursor === null ? { from: null, page: 1, seen: [] } : JSON.parse(cursor)
    const { items: found, isLast } = await ask(place.from, place.page, size)
    // A record that changed since leaves its page, and the first record of the next page moves onto it.
    const before = place.page === 1 ? [] : (await ask(place.from, place.page - 1, size)).items
    const given = [...new Map([...before, ...found].map((item) => [idOf(item), item])).values()]
    const seen = new Set(place.seen)
    const isNew = (item: T) => ![place.from, null].includes(timeOf(item)) || !seen.has(idOf(item))
    const items = given.filter(isNew)
    if (isLast) return { items, next: null }
    const last = given.map(timeOf).findLast((time) => time !== null) ?? place.from
    const same = items.filter((item) => [last, null].includes(timeOf(item))).map(idOf)
    if (last !== null && (place.from === null || last > place.from)) {
      return { items, next: JSON.stringify({ from: last, page: 1, seen: same }) }
    }
    if (place.page >= mostPages) throw tooManyAtOnce(last, mostPages * size)
    return { items, next: JSON.stringify({ ...place, page: place.page + 1, seen: [...place.seen, ...same] }) }
  }

function tooManyAtOnce(time: string | null, count: number): RetryableError {
  const words = `More than ${count} records of the tool have the same time (${time}). Its search does not show the rest.`
  return new RetryableError('a search ended before it had returned all records', {
    obstacle: new ObstacleError('tool_broken', 'operator', words),
  })
}
