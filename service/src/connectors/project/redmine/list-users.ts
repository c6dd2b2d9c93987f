import type { ToolUser } from '../../../families/record.ts'
import type { Page } from '../../contract/contract.ts'
import type { RedmineApi } from './api.ts'
import { readOffsetPage } from './read-offset-page.ts'
import { take } from './schema.ts'
import { nameOfUser } from './to-helpdesk.ts'

/** The list does not tell the status; so it is asked for by status: active, registered, locked. */
const statuses = [1, 2, 3]
const locked = 3

export interface ListedUser {
  given: unknown
  isActive: boolean
  isLocked: boolean
}

/** Cursor: `status|place`. */
export async function listUsers(api: RedmineApi, cursor: string | null, pageSize: number): Promise<Page<ListedUser>> {
  const bar = cursor?.indexOf('|') ?? -1
  const status = cursor === null ? 1 : Number(cursor.slice(0, bar))
  const place = cursor?.slice(bar + 1) || null
  const source = { path: '/users.json', name: 'users', query: { status, sort: 'created_on,login' } }
  const { items, next } = await readOffsetPage(api, source, place, pageSize)
  const following = statuses[statuses.indexOf(status) + 1]
  return {
    items: items.map((given) => ({ given, isActive: status === 1, isLocked: status === locked })),
    next: next !== null ? `${status}|${next}` : following === undefined ? null : `${following}|`,
  }
}

export async function listToolUsers(api: RedmineApi, cursor: string | null, pageSize: number): Promise<Page<ToolUser>> {
  const { items, next } = await listUsers(api, cursor, pageSize)
  const users = items.map(({ given, isActive }) => {
    const raw = take('user', given)
    return { id: String(raw.id), name: nameOfUser(raw), email: raw.mail || null, isActive }
  })
  return { items: users, next }
}

export async function countUsers(api: RedmineApi): Promise<number> {
  const totals = await Promise.all(
    statuses.map(async (status) => (await api.list('/users.json', 'users', { status, limit: 1 })).total ?? 0),
  )
  return totals.reduce((sum, total) => sum + total, 0)
}
