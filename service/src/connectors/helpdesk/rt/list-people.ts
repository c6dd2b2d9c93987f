import type { ToolUser } from '../../../families/record.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { Walk } from '../../kit/pages.ts'
import { anyOf, type RtApi } from './api.ts'
import { type Raw, take } from './schema.ts'

// Users are never deleted, and every list of them comes in the order of ids: the pages stay what they are while users are
// added. They cannot be asked for by id, nor by the time of their last change: such limits are ignored.

/** Users that are no people: what nobody owns is owned by Nobody. */
const systemNames = ['RT_System', 'Nobody']

export const personFields = [
  'id,Name,RealName,EmailAddress,Organization,Lang,Timezone,Comments,FreeformContactInfo,WorkPhone,MobilePhone,HomePhone',
  'PagerPhone,Address1,Address2,City,State,Zip,Country,Created,LastUpdated,CustomFields',
].join(',')

const idsOf = (records: readonly RawRecord[]): Set<string> => new Set(records.map(({ id }) => String(id)))

/** The agents: only the group of the privileged users lists all of them at once. */
export async function readPeople(api: RtApi): Promise<{ agents: Set<string>; system: Set<string> }> {
  const query = [
    { field: 'Domain', value: 'SystemInternal' },
    { field: 'Name', value: 'Privileged' },
  ]
  const [group] = (await api.list('/groups', { query, fields: 'id,Name' })).items
  const members = group ? await api.listAll(`/group/${group.id}/members`, { fields: 'id' }) : []
  const named = { query: anyOf('Name', systemNames), fields: 'id,Name', withDisabled: true }
  return { agents: idsOf(members), system: idsOf(await api.listAll('/users', named)) }
}

/** Everyone, the disabled among them. */
export const listPeople =
  (api: RtApi, fields: string): Walk<RawRecord> =>
  async (cursor, perPage) => {
    const page = Number(cursor ?? 1)
    const { items, total } = await api.list('/users', { query: [], fields, page, perPage, withDisabled: true })
    const isEnd = total === null ? items.length < perPage : page * perPage >= total
    return { items, next: isEnd ? null : String(page + 1) }
  }

/** The ids of those who are not disabled. A list does not tell, but leaves them out unless asked not to. */
export async function findEnabled(api: RtApi, people: readonly RawRecord[]): Promise<Set<string>> {
  const names = people.flatMap((person) => take('user', person).Name ?? [])
  return names.length === 0
    ? new Set()
    : idsOf(await api.listAll('/users', { query: anyOf('Name', names), fields: 'id' }))
}

/** The first user with this organization; null when there is none. */
export async function findCarrier(api: RtApi, word: string): Promise<string | null> {
  const query = [{ field: 'Organization', value: word, case_sensitive: 1 as const }]
  const [first] = (await api.list('/users', { query, fields: 'id', perPage: 1, withDisabled: true })).items
  return first ? String(first.id) : null
}

/** The agents, for both sides of an import; those who were disabled are owners and authors still. */
export async function listAgents(api: RtApi, agents: ReadonlySet<string>, cursor: string | null, perPage: number) {
  const { items, next } = await listPeople(api, 'id,Name,RealName,EmailAddress')(cursor, perPage)
  const page = items.filter(({ id }) => agents.has(String(id)))
  const enabled = await findEnabled(api, page)
  const users = page.map((person): ToolUser => {
    const raw = take('user', person)
    return { id: raw.id, name: nameOf(raw), email: raw.EmailAddress || null, isActive: enabled.has(raw.id) }
  })
  return { items: users, next }
}

export const nameOf = (raw: Raw<'user'>): string => raw.RealName || raw.EmailAddress || raw.Name || `User ${raw.id}`
