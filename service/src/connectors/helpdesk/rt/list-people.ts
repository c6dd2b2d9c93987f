import type { RawRecord } from '../../kit/lens.ts'
import type { Walk } from '../../kit/pages.ts'
import { toUser } from '../../kit/to-user.ts'
import { anyOf, type RtApi } from './api.ts'
import type { MapFacts } from './lenses.ts'
import { type Raw, take } from './schema.ts'

// Request Tracker never deletes users, and lists them sorted by id. So new users do not move other users to another
// page. User lists ignore limits by id and by time of change.

/** Technical users. "Nobody" owns every ticket without an owner. */
const systemNames = ['RT_System', 'Nobody']

export const personFields = [
  'id,Name,RealName,EmailAddress,Organization,Lang,Timezone,Comments,FreeformContactInfo,WorkPhone,MobilePhone,HomePhone',
  'PagerPhone,Address1,Address2,City,State,Zip,Country,Created,LastUpdated,CustomFields',
].join(',')

const idsOf = (records: readonly Raw<'record'>[]): Set<string> => new Set(records.map(({ id }) => id))

/** Reads the ids of all agents and technical users. Only the group of privileged users lists all agents. */
export async function readPeople(api: RtApi): Promise<MapFacts> {
  const query = [
    { field: 'Domain', value: 'SystemInternal' },
    { field: 'Name', value: 'Privileged' },
  ]
  const [group] = (await api.list('/groups', { query, fields: 'id,Name' })).items
  const members = group ? await api.all('record', `/group/${group.id}/members`, { fields: 'id' }) : []
  const named = { query: anyOf('Name', systemNames), fields: 'id,Name', withDisabled: true }
  return { agents: idsOf(members), system: idsOf(await api.all('record', '/users', named)) }
}

/** All users, including disabled ones. */
export const listPeople =
  (api: RtApi, fields: string): Walk<RawRecord> =>
  async (cursor, perPage) => {
    const page = Number(cursor ?? 1)
    const { items, total } = await api.list('/users', { query: [], fields, page, perPage, withDisabled: true })
    const isEnd = total === null ? items.length < perPage : page * perPage >= total
    return { items, next: isEnd ? null : String(page + 1) }
  }

/** The ids of the users who are not disabled. Lists do not contain this state, but omit disabled users by default. */
export async function findEnabled(api: RtApi, people: readonly RawRecord[]): Promise<Set<string>> {
  const query = anyOf(
    'Name',
    people.flatMap((person) => take('user', person).Name ?? []),
  )
  return query.length === 0 ? new Set() : idsOf(await api.all('record', '/users', { query, fields: 'id' }))
}

/** The id of the first user with this organization. Null if no user has it. */
export async function findCarrier(api: RtApi, word: string): Promise<string | null> {
  const query = [{ field: 'Organization', value: word, case_sensitive: 1 as const }]
  const [first] = (await api.list('/users', { query, fields: 'id', perPage: 1, withDisabled: true })).items
  return first ? String(first.id) : null
}

/** Lists agents. Disabled agents are included, because tickets and messages still name them. */
export async function listAgents(api: RtApi, agents: ReadonlySet<string>, cursor: string | null, perPage: number) {
  const { items, next } = await listPeople(api, 'id,Name,RealName,EmailAddress')(cursor, perPage)
  const page = items.filter(({ id }) => agents.has(String(id)))
  const enabled = await findEnabled(api, page)
  const users = page.map((person) => take('user', person))
  return { items: users.map((raw) => toUser(raw.id, nameOf(raw), raw.EmailAddress, enabled.has(raw.id))), next }
}

export const nameOf = (raw: Raw<'user'>): string => raw.RealName || raw.EmailAddress || raw.Name || `User ${raw.id}`
