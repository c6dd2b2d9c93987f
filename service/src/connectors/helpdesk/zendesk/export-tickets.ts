import Type from 'typebox'
import { checkShape } from '../../kit/http.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { Walk } from '../../kit/pages.ts'
import { label, type ZendeskApi } from './api.ts'

/** An export must begin more than a minute ago; what is too old for us is left out afterwards. */
const overlapSeconds = 90

const answered = Type.Object({ after_cursor: Type.Union([Type.String(), Type.Null()]), end_of_stream: Type.Boolean() })

/** When a ticket changed, changes by the system included, in seconds since 1970. */
const changedAt = ({ generated_timestamp: at, updated_at }: RawRecord): number =>
  typeof at === 'number' ? at : Math.floor(Date.parse(String(updated_at)) / 1000) || 0

interface Place {
  /** Of the export, or of the list of recent tickets. */
  after: string | null
  /** The latest change that was handed out, and the tickets of that second. */
  until: number
  ids: unknown[]
  isRecent: boolean
}

/**
 * Every ticket in the order of its changes. Only the export has archived tickets; lists do not. It marks deleted ones
 * by their status: these are left out here, and `findIds` reports them. It also leaves out changes of the last minute.
 * Those follow from the list of tickets, whose newest changes come first. A page of the export has up to 1,000 tickets.
 * It is handed out in parts, each of which begins behind the last change of the one before, unaffected by later
 * changes.
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
