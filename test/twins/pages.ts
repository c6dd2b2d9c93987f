import { refuse } from './answers.ts'
import { type Clock, dayIn } from './clock.ts'

/** A whole number in a query, within bounds: most tools replace a size that is too large by their largest. */
export function numberOf(text: string | null, { otherwise, most }: { otherwise: number; most?: number }): number {
  const asked = text === null || !/^\d{1,9}$/.test(text) ? otherwise : Number(text)
  return most === undefined ? asked : Math.min(asked, most)
}

/** An opaque cursor: clients must neither parse nor create one. */
const sealCursor = (key: string | number) => Buffer.from(JSON.stringify([key])).toString('base64url')
function openCursor(cursor: string): string | number {
  try {
    const [key] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [string | number]
    return key
  } catch {
    return refuse(400, { error: 'invalid cursor' })
  }
}

/**
 * Pages by cursor. The list is in the order of `keyOf`: records added after the cursor appear, and removed records
 * shift nothing.
 */
export function cursorPage<T>(
  items: readonly T[],
  { after, size, keyOf }: { after: string | null; size: number; keyOf(item: T): string | number },
): { items: T[]; next: string | null } {
  const from = after === null ? null : openCursor(after)
  const rest = from === null ? items : items.filter((item) => keyOf(item) > from)
  const page = rest.slice(0, size)
  const last = page.at(-1)
  return { items: page, next: rest.length > size && last !== undefined ? sealCursor(keyOf(last)) : null }
}

/** Records after a key, in its order, as with `since_id`. */
export function keysetPage<T>(
  items: readonly T[],
  { after, size, keyOf }: { after: number | null; size: number; keyOf(item: T): number },
): T[] {
  const ordered = items.toSorted((a, b) => keyOf(a) - keyOf(b))
  return ordered.filter((item) => after === null || keyOf(item) > after).slice(0, size)
}

/** Pages by offset: a removal shifts all later records. */
export const offsetPage = <T>(items: readonly T[], start: number, size: number): T[] => items.slice(start, start + size)

export interface Wall {
  /** The last page, or the last record, that the tool returns of one list. */
  pages?: number
  records?: number
  /** The refusal beyond that limit. */
  refusal: { status: number; json: unknown }
}

/** Pages by number, from 1; the tool refuses pages beyond a limit. */
export function numberedPage<T>(
  items: readonly T[],
  { page, size, wall }: { page: number; size: number; wall?: Wall },
): { items: T[]; next: number | null } {
  const isBeyond =
    wall && (page > (wall.pages ?? page) || (page - 1) * size >= (wall.records ?? Number.POSITIVE_INFINITY))
  if (isBeyond) refuse(wall.refusal.status, wall.refusal.json)
  return { items: items.slice((page - 1) * size, page * size), next: page * size < items.length ? page + 1 : null }
}

/** The header `Link` for the next page. */
export function linkNext(url: URL, changes: Record<string, string | number>): Record<string, string> {
  const next = new URL(url)
  for (const [name, value] of Object.entries(changes)) next.searchParams.set(name, String(value))
  return { link: `<${next}>; rel="next"` }
}

export interface Window<T> {
  timeOf(item: T): number
  /** The bounds: `from` is inclusive, `to` is exclusive, and null means no bound. */
  from?: number | null
  to?: number | null
  /** Compares whole days in this zone and ignores the time of day. */
  daysIn?: string
}

/** The records of a list within a time span. */
export function windowOf<T>(items: readonly T[], { timeOf, from = null, to = null, daysIn }: Window<T>): T[] {
  const place = (ms: number): number | string => (daysIn === undefined ? ms : dayIn(ms, daysIn))
  return items.filter((item) => {
    const at = place(timeOf(item))
    return (from === null || at >= place(from)) && (to === null || at < place(to))
  })
}

/** Records older than the newest span that a list leaves out, such as the last minute. */
export const settledBefore = <T>(items: readonly T[], clock: Clock, gapMs: number, timeOf: (item: T) => number): T[] =>
  items.filter((item) => timeOf(item) <= clock.now() - gapMs)

/** A scroll that the tool stores. Only one exists at a time, and it expires without requests. */
export function createScrolls<T>(clock: Clock, { idleMs, size }: { idleMs: number; size: number }) {
  let open: { id: string; rest: T[]; usedAt: number } | null = null
  let count = 0
  return {
    begin(items: readonly T[]): { id: string; items: T[] } {
      if (open && clock.now() - open.usedAt < idleMs) refuse(400, { error: 'a scroll is open already' })
      open = { id: `scroll-${++count}`, rest: items.slice(size), usedAt: clock.now() }
      return { id: open.id, items: items.slice(0, size) }
    },
    next(id: string): { id: string; items: T[] } {
      if (open?.id !== id || clock.now() - open.usedAt >= idleMs) return refuse(404, { error: 'no such scroll' })
      open.usedAt = clock.now()
      const items = open.rest.splice(0, size)
      if (items.length === 0) open = null
      return { id, items }
    },
  }
}
