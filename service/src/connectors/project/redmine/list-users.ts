import type { ToolUser } from '../../../families/record.ts'
import type { Page } from '../../contract/contract.ts'
import type { RedmineApi } from './api.ts'
import { locked, statuses } from './people.ts'
import { passOffsetPage, readOffsetPage } from './read-offset-page.ts'
import { take } from './schema.ts'
import { inSteps, type Shelf } from './shelf.ts'
import { nameOfUser, toContact } from './to-helpdesk.ts'

/** Lists users status by status. Cursor: `status|place`. */
const listUsers = (api: RedmineApi, cursor: string | null, pageSize: number) =>
  inSteps(statuses.map(String), cursor, async (name, place) => {
    const status = Number(name)
    const source = { path: '/users.json', name: 'users', query: { status, sort: 'created_on,login' } }
    const { items, next } = await readOffsetPage(api, source, place, pageSize)
    return { items: items.map((given) => ({ given, status })), next }
  })

export async function listToolUsers(api: RedmineApi, cursor: string | null, pageSize: number): Promise<Page<ToolUser>> {
  const { items, next } = await listUsers(api, cursor, pageSize)
  const users = items.map(({ given, status }) => {
    const raw = take('user', given)
    return { id: String(raw.id), name: nameOfUser(raw), email: raw.mail || null, isActive: status === 1 }
  })
  return { items: users, next }
}

export const contacts: Shelf = {
  custom: 'user',
  async count({ api }) {
    const totals = await Promise.all(statuses.map((status) => api.count('user', { status })))
    return totals.reduce<number>((sum, total) => sum + (total ?? 0), 0)
  },
  async read({ api, pageSize, contextFor }, cursor) {
    const { items, next } = await listUsers(api, cursor, pageSize)
    const context = await contextFor(items.map(({ given }) => given))
    return { mapped: items.map(({ given, status }) => toContact(context, given, status === locked)), next }
  },
  after(cursor, size) {
    const [status, place = ''] = (cursor ?? '1|').split('|')
    return `${status}|${passOffsetPage(place || null, size)}`
  },
  async byId({ directory, contextFor }, id) {
    const user = await directory.user(Number(id))
    return user === null ? [] : [toContact(await contextFor([user]), user, user.status === locked)]
  },
}
