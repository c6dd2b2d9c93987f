import type { Reader } from '../../contract/contract.ts'
import { findMissing } from '../../kit/find-ids.ts'
import { toUser } from '../../kit/to-user.ts'
import type { FreshdeskApi } from './api.ts'
import type { Facts } from './lenses.ts'
import { viewTicket } from './list-tickets.ts'
import { agentAsContact } from './look-around.ts'

export async function listAgents(api: FreshdeskApi, cursor: string | null, size: number): ReturnType<Reader['users']> {
  const { items, next } = await api.list('/agents')(cursor, size)
  const people = items.map((raw) => {
    const { name, email } = agentAsContact(raw)
    return toUser(raw.id, name, email, raw.deactivated !== true)
  })
  return { items: people, next }
}

const paths: Readonly<Record<string, string>> = {
  groups: '/groups/',
  organizations: '/companies/',
  contacts: '/contacts/',
  folders: '/solutions/folders/',
  categories: '/solutions/categories/',
  articles: '/solutions/articles/',
}

/**
 * Freshdesk still returns deleted contacts and tickets, with `deleted: true`, and tickets marked as spam. Archived
 * tickets do not count as deleted.
 */
export async function findGone(api: FreshdeskApi, facts: () => Promise<Facts>, entity: string, ids: readonly string[]) {
  const gone: string[] = []
  for (const id of ids) {
    if (entity === 'tickets') {
      const ticket = await viewTicket(api, id)
      if (!ticket || ticket.deleted === true || ticket.spam === true) gone.push(id)
    } else if (entity !== 'contacts' || !(await facts()).agents.has(Number(id))) {
      const path = paths[entity === 'categories' && !id.startsWith('c') ? 'folders' : entity]
      if (path === undefined) continue
      const number = id.replace(/^c/, '')
      const deleted = entity === 'contacts' && (await api.view('/contacts', number))?.deleted === true
      if (deleted || (await findMissing(api.http, [number], (one) => `${path}${one}`)).length > 0) gone.push(id)
    }
  }
  return gone
}
