import type { WriteLoss } from '../../../warnings/codes.ts'
import type { OutgoingRecord, SideRecords, SoughtRecord, WriteOutcome } from '../../contract/contract.ts'
import type { Entity } from '../../kit/entity.ts'
import type { Sent } from '../../kit/http.ts'
import { digestOf, upsertKey } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { type NamedList, namedEntity } from '../../kit/named-lists.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { matched, type RefusedAnswer, written } from '../../kit/outcomes.ts'
import { type Dispensable, sendWithout } from '../../kit/send-without.ts'
import { filledIn, versionOf } from '../../kit/version.ts'
import { writeEach } from '../../kit/write-each.ts'
import { asStored, toStored, writeRecord } from '../../kit/write-record.ts'
import { accepted, label, largestPage, type ZendeskApi } from './api.ts'
import * as desk from './entities.ts'
import type * as lenses from './lenses.ts'
import { withAddresses } from './look-around.ts'
import { type OwnFields, storedCustom } from './own-fields.ts'
import { membersOf } from './reader.ts'
import { zoneNames } from './time-zones.ts'

export interface WriteContext {
  api: ZendeskApi
  fields: OwnFields
  sides: SideRecords
  /** Contacts with this account's settings. */
  contacts: Entity<lenses.Facts>
}

/** Our key with a fixed length, in lower case, because Zendesk ignores case in external ids. */
export const externalOf = (key: string): string => `wherry_${digestOf(key)}`

const kinds = {
  organizations: { path: '/organizations', list: 'organizations', one: 'organization' },
  contacts: { path: '/users', list: 'users', one: 'user' },
} as const
type PeopleEntity = keyof typeof kinds

export function peopleEntities(context: WriteContext, locales: readonly string[]): Record<string, WrittenEntity> {
  const quiet = { backdate: false, silentCreate: true }
  const rules = { required: ['name'], capabilities: { ...quiet, deliveryClass: 'A' as const } }
  const fields = {
    ...(locales.length > 0 && { language: { type: 'option' as const, options: [...locales] } }),
    timezone: { type: 'option' as const, options: [...zoneNames.keys()] },
  }
  return {
    groups: {
      declared: desk.groups,
      offer: {
        required: ['name'],
        unites: { kind: 'group', by: ['name'] },
        capabilities: { ...quiet, concurrency: 1 },
      },
      ...namedEntity(groupList(context), context.sides),
    },
    organizations: {
      ...peopleEntity(context, 'organizations'),
      offer: { ...rules, customFields: 'any', unites: { kind: 'organization', by: ['name'] } },
    },
    contacts: { ...peopleEntity(context, 'contacts'), offer: { ...rules, customFields: 'any', fields } },
  }
}

function peopleEntity(context: WriteContext, name: PeopleEntity): WrittenEntity {
  const { path } = kinds[name]
  const declared = entityOf(context, name)
  const seek = (sought: readonly SoughtRecord[]) =>
    peopleByIds(context, name, 'external_ids')(sought.map(({ key }) => externalOf(key)))
  return {
    declared,
    write: (records) => writePeople(context, name, records),
    look: () => ({
      byIds: peopleByIds(context, name),
      key: upsertKey('external_id', seek, largestPage, externalOf),
      toFound: (raw) => foundPerson(context, name, raw),
      findNeed: ({ id }) => needOf[name](context, id),
      remove: (id) => context.api.http.send('DELETE', `${path}/${encodeURIComponent(id)}`),
    }),
    asStored: (content) => ({
      ...asStored(declared, content),
      customFields: storedCustom(name, content.customFields),
    }),
  }
}

const hasAny = async ({ api }: WriteContext, path: string, name: string): Promise<boolean> =>
  (await api.page(path, name, { 'page[size]': 1 }, [404])).items.length > 0

/** Why a record stays at an undo: other records of the account need it. */
const needOf: Record<PeopleEntity, (context: WriteContext, id: unknown) => Promise<string | null>> = {
  async contacts(context, id) {
    for (const list of ['requested', 'ccd']) {
      if (await hasAny(context, `/users/${id}/tickets/${list}`, 'tickets')) return 'Tickets of this account name them.'
    }
    return null
  },
  organizations: async (context, id) =>
    (await hasAny(context, `/organizations/${id}/users`, 'users')) ? 'People of this account belong to it.' : null,
}

const entityOf = ({ contacts }: WriteContext, name: PeopleEntity) =>
  name === 'contacts' ? contacts : desk.organizations
const urlOf = ({ api }: WriteContext, name: PeopleEntity, id: unknown) => `${api.site}/agent${kinds[name].path}/${id}`

/** The people who were not deleted: Zendesk still returns deleted users. */
const peopleByIds =
  ({ api }: WriteContext, name: PeopleEntity, key = 'ids') =>
  async (ids: readonly string[]): Promise<RawRecord[]> => {
    const include = name === 'contacts' ? { include: 'identities' } : {}
    return (await api.showMany(kinds[name].list, ids, include, key)).filter(({ active }) => active !== false)
  }

async function foundPerson(context: WriteContext, name: PeopleEntity, given: RawRecord) {
  const raw = name === 'contacts' ? { iana_time_zone: null, ...withAddresses(given) } : given
  const content = toStored(label, entityOf(context, name), raw)
  const customFields = (await context.fields.stored(name, raw)).values
  const { emails: _emails, ...rest } = content.fields
  // The version omits further addresses, because answers to a change do not contain all of them.
  // Tags are not among them: Zendesk adds those of custom fields by itself.
  const own = name === 'contacts' ? ['alias', 'details', 'signature'] : []
  const version = versionOf({ ...rest, email: raw.email ?? null }, customFields, ...filledIn(raw, own))
  return { ...content, customFields, version, url: urlOf(context, name, raw.id) }
}

async function writePeople(
  context: WriteContext,
  name: PeopleEntity,
  records: readonly OutgoingRecord[],
): Promise<WriteOutcome[]> {
  const fresh = records.filter(({ destinationId }) => destinationId === null).map(({ key }) => externalOf(key))
  const own = new Set((await peopleByIds(context, name, 'external_ids')(fresh)).map((raw) => raw.external_id))
  const changed = name === 'contacts' ? records.flatMap(({ destinationId }) => destinationId ?? []) : []
  const now = new Map((await peopleByIds(context, name)(changed)).map((raw) => [String(raw.id), raw]))
  return writeEach(records, (record) =>
    writePerson(context, name, record, own.has(externalOf(record.key)), now.get(String(record.destinationId))),
  )
}

const dispensable: readonly Dispensable[] = [
  // An account may refuse numbers that do not comply with E.164 (+15551234567), or that somebody else has.
  [/phone/i, ['phone'], 'phone_refused'],
  [/domain/i, ['domain_names'], 'domain_refused'],
]

/**
 * Writes a person or an organization. Zendesk overwrites a record with the same external id, so sending twice creates
 * one record. People with the same address are searched for first, and left unchanged.
 */
async function writePerson(
  context: WriteContext,
  name: PeopleEntity,
  record: OutgoingRecord,
  isOwn: boolean,
  now: RawRecord | undefined,
): Promise<WriteOutcome> {
  const { api, fields } = context
  const { key, destinationId } = record
  const { path, one } = kinds[name]
  // A value that the source has lost since is cleared in the copy.
  const isChange = destinationId !== null
  const { emails, ...plain } = writeRecord(entityOf(context, name), record, { isWhole: isChange })
  const [email, ...others] = (emails ?? []) as string[]
  const body: Record<string, unknown> = { ...plain, ...(await fields.toBody(name, record.customFields, isChange)) }
  // With an organization, Zendesk removes the person's other ones, which people may have added. So the same one is not sent.
  if (now && (now.organization_id ?? null) === (body.organization_id ?? null)) delete body.organization_id
  const settle = async (sent: Sent, losses: WriteLoss[] = []) => {
    const raw = api.one(accepted(sent), one)
    return written(key, raw.id, await foundPerson(context, name, raw), losses)
  }
  if (destinationId !== null) {
    // Addresses first: the version omits them. If the change breaks off here, the person does not look edited.
    const primary = emails ? await addAddresses(api, destinationId, emails as string[]) : null
    const { sent, losses } = await sendWithout(body, dispensable, isAbout, (left) =>
      api.http.send('PUT', `${path}/${destinationId}`, { json: { [one]: left } }),
    )
    if (sent.result === 'refused' || !emails) return settle(sent, losses)
    if (primary) await api.http.send('PUT', `${path}/${destinationId}/identities/${primary}/make_primary`)
    const [after] = await peopleByIds(context, name)([destinationId])
    return settle(after ? { ...sent, json: { [one]: after } } : sent, losses)
  }
  const match = ({ id }: RawRecord) => matched(key, id, urlOf(context, name, id))
  const existing = isOwn ? undefined : await findExisting(api, name, record, email)
  const isOurs = isOwn || existing?.external_id === externalOf(key)
  if (existing && !isOurs) return match(existing)
  const lost = new Set<WriteLoss>()
  const create = async (addresses: object) => {
    const whole = { ...body, ...addresses, external_id: externalOf(key) }
    const { sent, losses } = await sendWithout(whole, dispensable, isAbout, async (left) => {
      const json = { [one]: left }
      const upsert = () => api.http.send('POST', `${path}/create_or_update`, { json })
      if (isOurs) return upsert()
      // Not by `create_or_update`: it would overwrite somebody with this address.
      const made = await api.http.send('POST', path, { json })
      // An earlier request of ours took effect late.
      return made.result === 'refused' && isAbout(made, /external/i) ? upsert() : made
    })
    for (const loss of losses) lost.add(loss)
    return sent
  }
  if (name === 'organizations') {
    const sent = await create({})
    // Somebody made an organization with this name since the search.
    const isNameTaken = sent.result === 'refused' && isAbout(sent, /name/i)
    const other = isNameTaken ? await findExisting(api, name, record, email) : undefined
    return other ? match(other) : settle(sent, [...lost])
  }
  const identities = others.map((value) => ({ type: 'email', value }))
  // Zendesk refuses a person for one wrong address. Each attempt has fewer of them.
  const attempts: readonly object[] = [{}, { email }, { email, identities }]
  const all = others.length > 0 ? 2 : email ? 1 : 0
  let kept = all
  const send = () => create({ ...attempts[kept], skip_verify_email: true })
  let sent = await send()
  // The search misses people of the last minutes. If nothing but the address is sent, Zendesk returns its owner.
  if (sent.result === 'refused' && email && isTaken(sent, email)) {
    const owner = await api.http.send('POST', `${path}/create_or_update`, { json: { [one]: { email } } })
    if (owner.result === 'done' && owner.status === 200) return match(api.one(owner.json, one))
  }
  while (sent.result === 'refused' && kept > 0 && isAbout(sent, /email|identit/i)) {
    kept -= 1
    sent = await send()
  }
  if (kept < all) lost.add('address_refused')
  return settle(sent, [...lost])
}

/** Whether another person has this address, by the answer of Zendesk. */
const isTaken = ({ json, message }: RefusedAnswer, email: string): boolean =>
  /DuplicateValue|already/i.test(JSON.stringify(json)) && message.toLowerCase().includes(email.toLowerCase())

export const isAbout = ({ json }: RefusedAnswer, field: RegExp): boolean => {
  const { details, errors } = (json ?? {}) as { details?: unknown; errors?: unknown }
  // The Help Center uses `errors` instead of `details`.
  return Object.keys({ ...(details as object), ...(errors as object) }).some((name) => field.test(name))
}

async function findExisting(
  api: ZendeskApi,
  name: PeopleEntity,
  { fields }: OutgoingRecord,
  email: string | undefined,
): Promise<RawRecord | undefined> {
  const same = (one: unknown, other: unknown) => String(one).toLowerCase() === String(other).toLowerCase()
  if (name === 'organizations') {
    const { items } = await api.page('/organizations/search', 'organizations', { name: String(fields.name ?? '') })
    const named = items.filter((raw) => same(raw.name, fields.name)).map(({ id }) => String(id))
    return named.length === 0 ? undefined : (await api.showMany('organizations', named))[0]
  }
  if (!email) return undefined
  const { items } = await api.page('/users/search', 'users', { query: email })
  // The search may still show people whom an undo has just removed. The address may be a further one of somebody, whom
  // Zendesk would overwrite as well.
  const isActive = ({ active }: RawRecord) => active !== false
  const ids = items.filter(isActive).map(({ id }) => String(id))
  if (ids.length === 0) return undefined
  const present = (await api.showMany('users', ids, { include: 'identities' })).filter(isActive)
  const whole = present.map(withAddresses)
  return whole.find(({ emails }) => (emails as string[]).some((one) => same(one, email)))
}

/**
 * Adds addresses to a person, one request each. Removes none, because people may have added it. Returns the id of the
 * first address if it is not the primary one yet.
 */
async function addAddresses(api: ZendeskApi, userId: string, addresses: readonly string[]): Promise<unknown> {
  const path = `/users/${userId}/identities`
  const known = await api.all(path, 'identities')
  const find = (value: string) => known.find((one) => String(one.value).toLowerCase() === value.toLowerCase())
  let primary: unknown = null
  for (const [index, value] of addresses.entries()) {
    const there = find(value)
    const sent = there
      ? null
      : await api.http.send('POST', path, { json: { identity: { type: 'email', value, skip_verify_email: true } } })
    // Refused: another person has this address.
    if (sent?.result === 'refused') continue
    const identity = there ?? api.one(sent?.json, 'identity')
    if (index === 0 && identity.primary !== true) primary = identity.id
  }
  return primary
}

/**
 * Groups have no field for our key. An existing group with the same name is used unchanged, unless our note says that
 * we created it.
 */
function groupList(context: WriteContext): NamedList {
  const { api } = context
  const all = async () => {
    const members = await membersOf(api)
    const groups = await api.all('/groups', 'groups')
    return groups
      .filter(({ deleted }) => deleted !== true)
      .map((raw) => ({ ...raw, agents: members.get(raw.id) ?? [] }))
  }
  return {
    kind: 'group_of_record',
    all,
    toBody: (record) => writeRecord(desk.groups, record, { isWhole: record.destinationId !== null }),
    placeOf: ({ name }) => [name],
    async save(id, { agents, ...group }) {
      const [method, path] = id === null ? (['POST', '/groups'] as const) : (['PUT', `/groups/${id}`] as const)
      const raw = api.one(accepted(await api.http.send(method, path, { json: { group } })), 'group')
      const losses = agents ? await setMembers(api, raw.id, agents as number[]) : []
      return { raw: (await all()).find((one) => one.id === raw.id) ?? { ...raw, agents: [] }, losses }
    },
    toFound(raw) {
      const content = toStored(label, desk.groups, raw)
      return { ...content, version: versionOf(content.fields), url: `${api.site}/admin/people/team/groups/${raw.id}` }
    },
    findNeed: async ({ id }) => ((await hasTickets(api, id)) ? 'Tickets of this account are in it.' : null),
    remove: (id) => api.http.send('DELETE', `/groups/${encodeURIComponent(id)}`),
  }
}

/**
 * Whether tickets are in a group. The search finds deleted and moved tickets for a while, so each one is looked at. A
 * page of the search has up to 1,000.
 */
async function hasTickets(api: ZendeskApi, groupId: unknown): Promise<boolean> {
  const query = { query: `group_id:${groupId}`, 'filter[type]': 'ticket' }
  const walk = api.list('/search/export', 'results', query)
  let cursor: string | null = null
  do {
    const { items, next } = await walk(cursor, 1_000)
    const ids = items.map(({ id }) => String(id))
    const now = await api.showMany('tickets', ids)
    if (now.some(({ status, group_id }) => status !== 'deleted' && group_id === groupId)) return true
    cursor = next
  } while (cursor !== null)
  return false
}

async function setMembers(api: ZendeskApi, groupId: unknown, agents: readonly number[]): Promise<WriteLoss[]> {
  const path = `/groups/${groupId}/memberships`
  const known = await api.all(path, 'group_memberships')
  let isRefused = false
  for (const user_id of agents.filter((id) => !known.some((one) => one.user_id === id))) {
    const json = { group_membership: { user_id, group_id: groupId } }
    isRefused = (await api.http.send('POST', '/group_memberships', { json })).result === 'refused' || isRefused
  }
  for (const { id, user_id } of known.filter((one) => !agents.includes(one.user_id as number))) {
    if (user_id !== undefined) await api.http.send('DELETE', `/group_memberships/${id}`)
  }
  return isRefused ? ['relation_refused'] : []
}
