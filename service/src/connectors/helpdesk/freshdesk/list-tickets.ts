import type { RawRecord } from '../../kit/lens.ts'
import { byMovingPages } from '../../kit/moving-pages.ts'
import { inTurn } from '../../kit/nested-pages.ts'
import type { Walk } from '../../kit/pages.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { byWall } from '../../kit/timed-pages.ts'
import { isMoment, toMoment } from '../../kit/times.ts'
import { type FreshdeskApi, largestPage, requestsAtOnce } from './api.ts'

/** A moment before Freshdesk existed. Without `updated_since` Freshdesk lists only the tickets of the last 30 days. */
export const beginning = '2000-01-01T00:00:00Z'
/** Freshdesk archives a closed ticket after this time without a change. */
const archivedAfterMs = 120 * 86_400_000

const secondBefore = (moment: string) => `${new Date(Date.parse(moment) - 1000).toISOString().slice(0, 19)}Z`
/** Null for a ticket whose time cannot be read. */
const changedAt = ({ updated_at, created_at }: RawRecord): string | null => {
  const [time] = [updated_at, created_at].filter((one) => typeof one === 'string' && isMoment(one)) as string[]
  return time === undefined ? null : toMoment(time)
}

/**
 * Lists tickets in the order of their changes. A list ends after 300 pages, so each page starts at the last change of
 * the previous page. The documentation does not say whether `updated_since` includes that moment, so we ask from one
 * second earlier.
 */
export const listTickets = (
  api: FreshdeskApi,
  since: string | undefined,
  include: string | undefined,
  mostPages = 300,
) =>
  byWall<RawRecord>({
    async ask(from, page, size) {
      const begin = from ?? since ?? beginning
      const query = { updated_since: secondBefore(begin), order_by: 'updated_at', order_type: 'asc', include }
      const { items, isLast } = await api.page('/tickets', query, page, size)
      const isDue = (time: string | null) => time === null || Date.parse(time) >= Date.parse(begin)
      return { items: items.filter((raw) => isDue(changedAt(raw))), isLast }
    },
    timeOf: changedAt,
    idOf: ({ id }) => String(id),
    mostPages,
  })

/**
 * Ticket numbers that archived tickets can have; no list contains archived tickets. With `since`, none if no
 * archived ticket can have changed since then. After the newest listed ticket, goes on while archived ones follow.
 */
export const archivedNumbers =
  (api: FreshdeskApi, since: string | undefined): Walk<string> =>
  async (cursor, size) => {
    if (since !== undefined && Date.parse(since) > Date.now() - archivedAfterMs) return { items: [], next: null }
    const [from, end] = cursor === null ? await boundsOf(api) : (JSON.parse(cursor) as [number, number])
    if (from >= end) {
      const last = await lastUsed(api, end, end + firstGuess, viewArchived)
      return { items: [], next: last === null ? null : JSON.stringify([end, last + 1]) }
    }
    const to = Math.min(end, from + size)
    const items = Array.from({ length: to - from }, (_, index) => String(from + index))
    return { items, next: JSON.stringify([to, end]) }
  }

/**
 * The range of numbers to check for archived tickets, up to the newest listed ticket. Recent numbers are checked, too:
 * tickets that another tool brought in may be old, and archived.
 */
async function boundsOf(api: FreshdeskApi): Promise<[from: number, end: number]> {
  const newest = { updated_since: beginning, order_by: 'created_at', order_type: 'desc' }
  const [listed] = (await api.page('/tickets', newest, 1, 1)).items
  const end = listed === undefined ? firstGuess : Number(listed.id) + 1
  return [end <= firstGuess ? 1 : await findStart(api, end), end]
}

/** Up to this many numbers are all checked, without a search for the account's first number. */
const firstGuess = 2_000
/** If none of this many numbers has a ticket, we assume that the account never used that range. */
const samples = 40

/**
 * The highest number with a ticket among the samples of a range. Half of the samples directly follow `from`, the others
 * are spread up to `end`.
 */
async function lastUsed(
  api: FreshdeskApi,
  from: number,
  end: number,
  view: typeof viewArchived = viewTicket,
): Promise<number | null> {
  const step = Math.max(1, Math.floor((end - from) / (samples / 2)))
  const numbers = Array.from({ length: samples / 2 }, (_, index) => [from + index, from + index * step]).flat()
  const found = await sideBySide([...new Set(numbers)], requestsAtOnce, async (id) =>
    (await view(api, id)) === null ? [] : id,
  )
  return found.flat().length === 0 ? null : Math.max(...found.flat())
}
const isUsed = async (api: FreshdeskApi, from: number, end: number) => (await lastUsed(api, from, end)) !== null

/** Finds the first ticket number. Numbers start at 1, unless the account chose a higher start. */
async function findStart(api: FreshdeskApi, end: number): Promise<number> {
  if (await isUsed(api, 1, samples)) return 1
  let [unused, used] = [1, end]
  while (used - unused > samples) {
    const middle = Math.floor((unused + used) / 2)
    if (await isUsed(api, middle, used)) used = middle
    else unused = middle
  }
  // The search may have stopped at a gap after the true start, so we begin earlier.
  return Math.max(1, unused - Math.floor((end - unused) / 4))
}

/** Reads a ticket with its embedded parts, even if it is archived, in the trash or marked as spam. */
export async function viewTicket(api: FreshdeskApi, id: string | number, include?: string): Promise<RawRecord | null> {
  const path = `/tickets/${encodeURIComponent(id)}`
  const { status, json } = await api.http.look(path, [404], { include })
  return status === 404 ? viewArchived(api, id) : api.one(json, 'ticket')
}

/** 403: the account has no archive. */
export async function viewArchived(api: FreshdeskApi, id: string | number): Promise<RawRecord | null> {
  const { status, json } = await api.http.look(`/tickets/archived/${encodeURIComponent(id)}`, [403, 404])
  return status >= 400 ? null : api.one(json, 'ticket')
}

/** Reads the conversations of a ticket. Archived tickets use another route, also one that is archived meanwhile. */
export const conversationsOf =
  (api: FreshdeskApi, id: string, places: readonly string[] = ['/tickets/', '/tickets/archived/']): Walk<RawRecord> =>
  async (cursor) => {
    const [at, position] = cursor === null ? [0, null] : (JSON.parse(cursor) as [number, string | null])
    const path = `${places[at]}${encodeURIComponent(id)}/conversations`
    const isLastPlace = at + 1 === places.length
    let isMissing = false
    const walk = byMovingPages(async (page, per_page) => {
      const { status, headers, json } = await api.http.look(path, isLastPlace ? [403, 404] : [404], { per_page, page })
      if (status < 400) return api.pageOf(headers, json, per_page)
      isMissing = true
      return { items: [], isLast: true }
    })
    const { items, next } = await walk(position, largestPage)
    if (isMissing && !isLastPlace)
      return conversationsOf(api, id, places)(JSON.stringify([at + 1, position]), largestPage)
    return { items, next: next === null ? null : JSON.stringify([at, next]) }
  }

/** Reads the listed records, then the archived ones. */
export const inBoth =
  <T>(listed: Walk<T>, archived: Walk<T>): Walk<T> =>
  (cursor, size) =>
    inTurn([listed, archived], cursor, size, (walk) => walk)
