import Type from 'typebox'
import { checkShape } from '../../kit/http.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { Walk } from '../../kit/pages.ts'
import { label, type ZendeskApi } from './api.ts'

/** An export must start more than a minute ago. It starts earlier than `since`, and older tickets are filtered. */
const overlapSeconds = 90

const answered = Type.Object({ after_cursor: Type.Union([Type.String(), Type.Null()]), end_of_stream: Type.Boolean() })

/** The time of a ticket's last change, in seconds since 1970. Changes by the system count, too. */
const changedAt = ({ generated_timestamp: at, updated_at }: RawRecord): number =>
  typeof at === 'number' ? at : Math.floor(Date.parse(String(updated_at)) / 1000) || 0

interface Place {
  /** The cursor of the export, or of the list of recent tickets. */
  after: string | null
  /** The time of the last ticket returned, and the ids of the tickets returned with that time. */
  until: number
  ids: unknown[]
  isRecent: boolean
}

/**
 * Lists all tickets in the order of their changes. Only the export contains archived tickets. Deleted tickets, which
 * the export marks by status, are left out here; `findIds` reports them. The export omits changes of the last minute,
 * so they are read from the ticket list, newest first. A page of the export has up to 1,000 tickets, and is returned in
 * parts. Each part starts after the last change of the previous part, so later changes do not affect it.
 */
export function exportTickets(api: ZendeskApi, since: string | undefined): Walk<RawRecord> {
  const from = since === undefined ? 1 : Math.max(1, Math.floor(Date.parse(since) / 1000))
  const start: Place = { after: null, until: from - 1, ids: [], isRecent: false }
  return async (cursor, size) => {
    const place: Place = cursor === null ? start : JSON.parse(cursor)
    const at = (next: Partial<Place>) => JSON.stringify({ ...place, ...next })
    const isNew = (raw: RawRecord) =>
      changedAt(raw) > place.until || (changedAt(raw) === place.until && !place.ids.includes(raw.id))
    if (place.isRecent) {
      const page = await api.list('/tickets', 'tickets', { sort: '-updated_at' })(place.after, size)
      const items = page.items.filter(isNew)
      const isEnd = page.next === null || items.length < page.items.length
      return { items, next: isEnd ? null : at({ after: page.next }) }
    }
    const where = place.after === null ? { start_time: Math.max(1, from - overlapSeconds) } : { cursor: place.after }
    const { items, json } = await api.page('/incremental/tickets/cursor', 'tickets', where)
    const { after_cursor: after, end_of_stream: isThrough } = checkShape(label, answered, json, 'an export of tickets')
    const left = items.filter(isNew).sort((a, b) => changedAt(a) - changedAt(b) || Number(a.id) - Number(b.id))
    const handed = left.slice(0, size)
    const last = handed.at(-1)
    const until = last === undefined ? place.until : changedAt(last)
    const before = until === place.until ? place.ids : []
    const ids = [...before, ...handed.filter((raw) => changedAt(raw) === until).map(({ id }) => id)]
    const isEnd = isThrough || after === null || after === place.after
    const next = left.length > handed.length ? {} : isEnd ? { after: null, isRecent: true } : { after }
    return { items: handed.filter(({ status }) => status !== 'deleted'), next: at({ until, ids, ...next }) }
  }
}
