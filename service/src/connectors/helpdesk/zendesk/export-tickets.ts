import Type from 'typebox'
import { checkShape } from '../../kit/http.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { Walk } from '../../kit/pages.ts'
import { label, type ZendeskApi } from './api.ts'

/** An export must start more than a minute ago. It starts earlier than `since`, and older tickets are filtered. */
const overlapSeconds = 90

/** Without this, Zendesk leaves out the tickets that AI agents handled. */
const ofAllKinds = { support_type_scope: 'all' }

const answered = Type.Object({ after_cursor: Type.Union([Type.String(), Type.Null()]), end_of_stream: Type.Boolean() })

/** The time of a ticket's last change, in seconds since 1970. Changes by the system count, too. */
const changedAt = ({ generated_timestamp: at, updated_at }: RawRecord): number =>
  typeof at === 'number' ? at : Math.floor(Date.parse(String(updated_at)) / 1000) || 0
/** A ticket without a readable time tells nothing about the tickets around it. */
const isTimed = (raw: RawRecord) => changedAt(raw) !== 0

/** The time of the latest of some tickets, and the ids of the tickets with that time. */
interface Latest {
  until: number
  ids: unknown[]
}

interface Place {
  /** The cursor of the export, or of the list of recent tickets. */
  after: string | null
  /** The latest tickets of this page of the export that were returned. */
  page: Latest
  /** The latest of all tickets that were returned. */
  all: Latest
  isRecent: boolean
}

const isAfter = (raw: RawRecord, { until, ids }: Latest) =>
  changedAt(raw) > until || (changedAt(raw) === until && !ids.includes(raw.id))

function latestOf({ until, ids }: Latest, handed: readonly RawRecord[]): Latest {
  const newest = handed.reduce((latest, raw) => Math.max(latest, changedAt(raw)), until)
  const same = handed.filter((raw) => changedAt(raw) === newest).map(({ id }) => id)
  return { until: newest, ids: newest === until ? [...ids, ...same] : same }
}

/**
 * Lists all tickets in the order of their changes. Only the export contains archived tickets. Deleted tickets, which
 * the export marks by status, are left out here; `findIds` reports them. The export omits changes of the last minute,
 * so they are read from the ticket list, newest first. A page of the export has up to 1,000 tickets, and is returned in
 * parts. Each part starts after the last change of the previous part, so later changes do not affect it. A later page
 * may contain older changes, because the cursor decides the order, and not every ticket tells its time.
 */
export function exportTickets(api: ZendeskApi, since: string | undefined): Walk<RawRecord> {
  const from = since === undefined ? 1 : Math.max(1, Math.floor(Date.parse(since) / 1000))
  const none: Latest = { until: -1, ids: [] }
  const start: Place = { after: null, page: none, all: { until: from - 1, ids: [] }, isRecent: false }
  const isSince = ({ generated_timestamp: at }: RawRecord) => typeof at !== 'number' || at >= from
  return async (cursor, size) => {
    const place: Place = cursor === null ? start : { ...start, ...JSON.parse(cursor) }
    const at = (next: Partial<Place>) => JSON.stringify({ ...place, ...next })
    if (place.isRecent) {
      const page = await api.list('/tickets', 'tickets', { ...ofAllKinds, sort: '-updated_at' })(place.after, size)
      const items = page.items.filter((raw) => !isTimed(raw) || isAfter(raw, place.all))
      const isEnd = page.next === null || items.length < page.items.length
      return { items, next: isEnd ? null : at({ after: page.next }) }
    }
    const where = place.after === null ? { start_time: Math.max(1, from - overlapSeconds) } : { cursor: place.after }
    const { items, json } = await api.page('/incremental/tickets/cursor', 'tickets', { ...where, ...ofAllKinds })
    const { after_cursor: after, end_of_stream: isThrough } = checkShape(label, answered, json, 'an export of tickets')
    const left = items
      .filter((raw) => isSince(raw) && isAfter(raw, place.page))
      .sort((a, b) => changedAt(a) - changedAt(b) || Number(a.id) - Number(b.id))
    const handed = left.slice(0, size)
    const all = latestOf(place.all, handed)
    const isEnd = isThrough || after === null || after === place.after
    const next =
      left.length > handed.length
        ? { page: latestOf(place.page, handed) }
        : { page: none, ...(isEnd ? { after: null, isRecent: true } : { after }) }
    return { items: handed.filter(({ status }) => status !== 'deleted'), next: at({ all, ...next }) }
  }
}
