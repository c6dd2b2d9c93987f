import type { ToolUser } from '../../../families/record.ts'
import type { Page } from '../../contract/contract.ts'
import type { RedmineApi } from './api.ts'
import { statuses } from './people.ts'
import { passOffsetPage, readOffsetPage } from './read-offset-page.ts'
import { type Raw, take } from './schema.ts'
import { inSteps, type Shelf } from './shelf.ts'
import { nameOfUser, toContact } from './to-helpdesk.ts'

/** Lists users status by status, because the list itself does not tell it. Cursor: `status|place`. */
const listUsers = (api: RedmineApi, cursor: string | null, pageSize: number) =>
  inSteps(statuses.map(String), cursor, async (name, place) => {
    const status = Number(name)
    const source = { path: '/users.json', name: 'users', query: { status, sort: 'created_on,login' } }
    const { items, next } = await readOffsetPage(api, source, place, pageSize)
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
