import type { ToolUser } from '../../../families/record.ts'
import type { Page } from '../../contract/contract.ts'
import type { Query } from '../../kit/http.ts'
import { inSteps } from '../../kit/nested-pages.ts'
import type { Walk } from '../../kit/pages.ts'
import { toUser } from '../../kit/to-user.ts'
import type { RedmineApi } from './api.ts'
import { statuses } from './directory.ts'
import { isNumber, type Shelf } from './reading.ts'
import { type Kind, listOf, nameOfUser, type Raw, take } from './schema.ts'
import { toContact, toTimeEntry } from './to-records.ts'

/** Replaces the last id of a page that was skipped. */
const unknownId = -1

/** The cursor after the page at this cursor, without reading the page. */
function passOffsetPage(cursor: string | null, limit: number): string {
  const [offset = 0] = (cursor ?? '0').split(':').map(Number)
  return `${offset + limit}:${unknownId}`
}

const idOf = (item: unknown): number => Number((item as { id?: unknown } | null)?.id)

/**
 * Walks a list that has only offsets. The query must sort new records last. If an earlier record is
 * removed, the offset would skip another one. So the last known record is read again; if it has moved, it is searched.
 */
function walkList(api: RedmineApi, kind: Kind, query: Query): Walk<unknown> {
  const [path, name] = [`/${listOf(kind)}.json`, listOf(kind)]
  return async function walk(cursor, limit) {
    const [offset = 0, lastId = 0] = (cursor ?? '0:0').split(':').map(Number)
    const overlap = offset > 0 && lastId !== unknownId ? 1 : 0
    const read = await api.list(path, name, { ...query, limit: limit + overlap, offset: offset - overlap })
    if (overlap === 1 && idOf(read.items[0]) !== lastId) {
      const place = (await api.listAll(path, name, query)).findIndex((item) => idOf(item) === lastId) + 1
      // If the record was deleted, reading starts again. Duplicates do no harm.
      return walk(place === 0 ? null : `${place}:${lastId}`, limit)
    }
    const items = read.items.slice(overlap)
    const end = offset + items.length
    const isEnd = items.length === 0 || read.total === null || end >= read.total
    return { items, next: isEnd ? null : `${end}:${idOf(items.at(-1))}` }
  }
}

/** Lists users status by status, because the list itself does not tell it. Cursor: `status|place`. */
const listUsers = (api: RedmineApi, cursor: string | null, pageSize: number) =>
  inSteps(['1', '2', '3'], '|', cursor, async (name, place) => {
    const status = Number(name)
    const { items, next } = await walkList(api, 'user', { status, sort: 'created_on,login' })(place, pageSize)
    return { items: items.map((given) => ({ ...(given as Raw<'user'>), status })), next }
  })

export async function listToolUsers(api: RedmineApi, cursor: string | null, pageSize: number): Promise<Page<ToolUser>> {
  const { items, next } = await listUsers(api, cursor, pageSize)
  const users = items.map((given) => {
    const raw = take('user', given)
    return toUser(raw.id, nameOfUser(raw), raw.mail, raw.status === 1)
  })
  return { items: users, next }
}

export const contacts: Shelf = {
  custom: 'user',
  async count({ api }) {
    const totals = await Promise.all(statuses.map((status) => api.count('user', { status })))
    return totals.reduce<number>((sum, total) => sum + (total ?? 0), 0)
  },
  list: ({ api, pageSize }, cursor) => listUsers(api, cursor, pageSize),
  after(cursor, size) {
    const [status, place = ''] = (cursor ?? '1|').split('|')
    return `${status}|${passOffsetPage(place || null, size)}`
  },
  byId: async ({ directory }, id) => [(await directory.user(Number(id))) ?? []].flat(),
  map: toContact,
}

export const timeEntries: Shelf = {
  kind: 'time_entry',
  count: ({ api }) => api.count('time_entry'),
  list: ({ api, pageSize }, cursor) => walkList(api, 'time_entry', { sort: 'created_on' })(cursor, pageSize),
  after: passOffsetPage,
  byId: async ({ api }, id) => [(await api.find(`/time_entries/${id}.json`, 'time_entry')) ?? []].flat(),
  async under({ api }, { sourceId }) {
    if (!isNumber(sourceId)) return { items: [] }
    const query = { issue_id: sourceId, sort: 'created_on' }
    const listed = await api.listAll('/time_entries.json', 'time_entries', query)
    // Redmine's filter also returns the entries of subtasks.
    return { items: listed.filter((entry) => String(take('time_entry', entry).issue?.id) === sourceId) }
  },
  map: toTimeEntry,
}
