import { ObstacleError, RetryableError } from '../../errors.ts'
import type { Walk } from './pages.ts'
import { toMoment } from './times.ts'

/**
 * A list that can only be asked for by time: window after window, each with pages of its own. `overlapMs` widens what is
 * asked for, for tools that compare days only, or in a zone of their own; a record is handed out in the one window that its
 * time lies in. Moments are ISO 8601 in UTC.
 */
export const byWindow =
  <T>(rules: {
    ask(window: { from: string; to: string }): Walk<T>
    timeOf(item: T): string
    /** Nothing is older, and nothing newer: `to` must be the same for every page of a walk. */
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
    // The last window takes in its own end, too: that is the newest moment of the walk.
    const isOfWindow = (time: string) => time >= at.from && (isLast ? time <= end : time < end)
    const items = page.items.filter((item) => isOfWindow(toMoment(rules.timeOf(item))))
    if (page.next !== null) return { items, next: JSON.stringify({ from: at.from, inner: page.next }) }
    return { items, next: isLast ? null : JSON.stringify({ from: end, inner: null }) }
  }

const later = (moment: string, ms: number) => new Date(Date.parse(moment) + ms).toISOString()

interface WallPlace {
  /** Only what is not older is asked for. */
  from: string | null
  page: number
  /** Ids of the records of that very time that were handed out. */
  seen: string[]
}

/**
 * A search that ends after a fixed number of pages. Records come in the order of their time, so each page starts from
 * the time of the last record, and the limit is never met. A record that changes meanwhile does not move the others.
 * Records of that exact time come again; those handed out before are left out. When more records share one time than
 * the limit lets through, the walk fails and says so.
 */
export const byWall =
  <T>(rules: {
    /** Pages are counted from 1. Records of the time `from` itself come, too. */
    ask(from: string | null, page: number, size: number): Promise<{ items: T[]; isLast: boolean }>
    /** As the tool compares it, in a form that sorts as text. */
    timeOf(item: T): string
    idOf(item: T): string
    mostPages: number
  }): Walk<T> =>
  async (cursor, size) => {
    const { ask, timeOf, idOf, mostPages } = rules
    const place: WallPlace = cursor === null ? { from: null, page: 1, seen: [] } : JSON.parse(cursor)
    const { items: given, isLast } = await ask(place.from, place.page, size)
    const seen = new Set(place.seen)
    const items = given.filter((item) => timeOf(item) !== place.from || !seen.has(idOf(item)))
    if (isLast) return { items, next: null }
    const newest = given.at(-1)
    const last = newest === undefined ? place.from : timeOf(newest)
    const same = items.filter((item) => timeOf(item) === last).map(idOf)
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
