import type { UserRef } from '../../../families/record.ts'
import type { Account, Reader } from '../../contract/contract.ts'
import type { Entity } from '../../kit/entity.ts'
import { findMissing, isNumberId } from '../../kit/find-ids.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { readAll } from '../../kit/pages.ts'
import { alone, inside, listed, readLists } from '../../kit/read-lists.ts'
import { takeFields } from '../../kit/take-fields.ts'
import { createFernhillApi } from './api.ts'
import * as desk from './entities.ts'
import { followFernhill } from './follow-address.ts'
import { agentFields, listAgents } from './list-agents.ts'

/** The API's maximum page size. */
const largestPage = 100

export function openFernhill(account: Account, pageSize = largestPage): Reader {
  const api = createFernhillApi(account)
  const all = (name: string) => readAll(api.list(name)({}), pageSize)
  const plain = (entity: Entity) => listed(entity, api.list(entity.name), alone)
  const comments = listed(desk.comments, api.list('comments'), alone, { tickets: api.commentsOf })
  const lists = [
    ...[desk.organizations, desk.contacts, desk.categories, desk.articles].map(plain),
    listed(desk.groups, api.list('groups'), async () => membersOf(await all('agents'))),
    listed(desk.tickets, api.list('tickets'), async () => desk.toTicketFields(await all('ticket_fields'))),
    comments,
    inside(desk.attachments, api.list('attachments'), comments, { field: 'attachments', idIn: 'comment_id' }),
  ]
  return {
    ...readLists('Fernhill Desk', lists, pageSize, isNumberId),
    async count() {
      const { counts } = await api.account()
      return Object.fromEntries(desk.tellsDeleted.map((name) => [name, counts[name] ?? null]))
    },
    users: (cursor) => listAgents(api, cursor, pageSize),
    after: (_entity, cursor) => passIds(cursor, pageSize),
    follow: (address, from) => followFernhill(address, String(account.access.instanceUrl), from),
    findGone: (entity, ids) => findMissing(api.http, ids.filter(isNumberId), (id) => `/${entity}/${id}`),
    openFile: ({ sourceId }) => api.http.openFile(`/attachments/${encodeURIComponent(sourceId)}/content`),
  }
}

/** Fernhill lists the groups of each agent, not the agents of each group. */
function membersOf(agents: readonly RawRecord[]): Map<unknown, UserRef[]> {
  const members = new Map<unknown, UserRef[]>()
  for (const agent of agents) {
    for (const group of takeFields(agentFields, agent).group_ids ?? []) {
      members.set(group, [...(members.get(group) ?? []), { userId: String(agent.id) }])
    }
  }
  return members
}

/**
 * The cursor after the next page. Fernhill's cursor holds the last id returned, and a page covers at least `pageSize`
 * ids.
 */
function passIds(cursor: string | null, pageSize: number): string | null {
  const last = cursor === null ? ['', '0'] : /^id:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))
  return last && Buffer.from(`id:${Number(last[1]) + pageSize}`).toString('base64url')
}
