import type { ToolUser } from '../../../families/record.ts'
import type { Page } from '../../contract/contract.ts'
import type { RedmineApi } from './api.ts'
import { statuses } from './directory.ts'
import { type Raw, take } from './schema.ts'
import { inSteps, isNumber, type Shelf } from './shelf.ts'
import { nameOfUser, toContact, toTimeEntry } from './to-records.ts'

interface Source {
  path: string
  name: string
  /** Must sort new records last. */
  query: Record<string, string | number>
}

/** Replaces the last id of a page that was skipped. */
const unknownId = -1

/** The cursor after the page at this cursor, without reading the page. */
function passOffsetPage(cursor: string | null, limit: number): string {
  const [offset = 0] = (cursor ?? '0').split(':').map(Number)
  return `${offset + limit}:${unknownId}`
}

const idOf = (item: unknown): number => Number((item as { id?: unknown } | null)?.id)

/**
 * Reads one page of a list that has only offsets. If an earlier record is removed, the offset would skip another one.
 * So the last known record is read again; if it has moved, it is searched.
 */
async function readPage(api: RedmineApi, source: Source, cursor: string | null, limit: number): Promise<Page<unknown>> {
  const { path, name, query } = source
  const [offset = 0, lastId = 0] = (cursor ?? '0:0').split(':').map(Number)
  const overlap = offset > 0 && lastId !== unknownId ? 1 : 0
  const from = offset - overlap
  const read = await api.list(path, name, { ...query, limit: limit + overlap, offset: from })
  if (overlap === 1 && idOf(read.items[0]) !== lastId) {
    const place = await findPlace(api, source, lastId)
    return readPage(api, source, place === null ? null : `${place}:${lastId}`, limit)
  }
  const items = read.items.slice(overlap)
  const end = offset + items.length
  const isEnd = items.length === 0 || read.total === null || end >= read.total
  return { items, next: isEnd ? null : `${end}:${idOf(items.at(-1))}` }
}

/** The number of records up to this id. Null if it was deleted: then reading starts again, duplicates do no harm. */
async function findPlace(api: RedmineApi, { path, name, query }: Source, id: number): Promise<number | null> {
  const all = await api.listAll(path, name, query)
  const index = all.findIndex((item) => idOf(item) === id)
  return index < 0 ? null : index + 1
}

/** Lists users status by status, because the list itself does not tell it. Cursor: `status|place`. */
const listUsers = (api: RedmineApi, cursor: string | null, pageSize: number) =>
  inSteps(Object.fromEntries(statuses.map((status) => [status, status])), cursor, async (status, place) => {
    const source = { path: '/users.json', name: 'users', query: { status, sort: 'created_on,login' } }
    const { items, next } = await readPage(api, source, place, pageSize)
    return { items: items.map((given) => ({ ...(given as Raw<'user'>), status })), next }
  })

export async function listToolUsers(api: RedmineApi, cursor: string | null, pageSize: number): Promise<Page<ToolUser>> {
  const { items, next } = await listUsers(api, cursor, pageSize)
  const users = items.map((given) => {
    const raw = take('user', given)
    return { id: String(raw.id), name: nameOfUser(raw), email: raw.mail || null, isActive: raw.status === 1 }
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
  list({ api, pageSize }, cursor) {
    const source = { path: '/time_entries.json', name: 'time_entries', query: { sort: 'created_on' } }
    return readPage(api, source, cursor, pageSize)
  },
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
