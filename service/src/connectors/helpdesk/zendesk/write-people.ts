import type { WriteLoss } from '../../../warnings/codes.ts'
import type { OutgoingRecord, SideRecords, SoughtRecord, WriteOutcome } from '../../contract/contract.ts'
import type { Entity } from '../../kit/entity.ts'
import type { Sent } from '../../kit/http.ts'
import { digestOf, externalIdKey, type Key } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { refused } from '../../kit/outcomes.ts'
import { versionOf } from '../../kit/version.ts'
import { writeEach } from '../../kit/write-each.ts'
import { toStored, writeRecord } from '../../kit/write-record.ts'
import { label, largestPage, type ZendeskApi } from './api.ts'
import * as desk from './entities.ts'
import type * as lenses from './lenses.ts'
import { withAddresses } from './look-around.ts'
import { FieldRefusedError, fieldRefusal, type OwnFields } from './own-fields.ts'
import { membersOf } from './reader.ts'

export interface WriteContext {
  api: ZendeskApi
  fields: OwnFields
  sides: SideRecords | undefined
  /** As the account has them. */
  contacts: Entity<lenses.Facts>
}

/** Of one length, and in small letters: Zendesk compares such ids without regard to case. */
export const externalOf = (key: string): string => `wherry_${digestOf(key)}`

const kinds = {
  organizations: { path: '/organizations', list: 'organizations', one: 'organization' },
  contacts: { path: '/users', list: 'users', one: 'user' },
} as const
export type PeopleEntity = keyof typeof kinds

const entityOf = ({ contacts }: WriteContext, name: PeopleEntity) =>
  name === 'contacts' ? contacts : desk.organizations
const include = (name: PeopleEntity) => (name === 'contacts' ? { include: 'identities' } : {})

/** Those that exist: users who were deleted can still be asked for. */
export const peopleByIds =
  ({ api }: WriteContext, name: PeopleEntity, key = 'ids') =>
  async (ids: readonly string[]): Promise<RawRecord[]> =>
    (await api.showMany(kinds[name].list, ids, include(name), key)).filter(({ active }) => active !== false)

export const peopleKey = (context: WriteContext, name: PeopleEntity): Key =>
  externalIdKey(
    'external_id',
    (sought: readonly SoughtRecord[]) =>
      peopleByIds(context, name, 'external_ids')(sought.map(({ key }) => externalOf(key))),
    largestPage,
    externalOf,
  )

export async function foundPerson(context: WriteContext, name: PeopleEntity, given: RawRecord) {
  const { api, fields } = context
  const raw = name === 'contacts' ? withAddresses(given) : given
  const content = toStored(label, entityOf(context, name), raw)
  const customFields = (await fields.stored(name, raw)).values
  const { emails: _emails, ...rest } = content.fields
  // Answers to a change do not have every address.
  const version = versionOf({ ...rest, email: raw.email ?? null }, customFields)
  const url = name === 'contacts' ? `${api.site}/agent/users/${raw.id}` : `${api.site}/agent/organizations/${raw.id}`
  return { ...content, customFields, version, url }
}

export async function writePeople(
  context: WriteContext,
  name: PeopleEntity,
  records: readonly OutgoingRecord[],
): Promise<WriteOutcome[]> {
  const fresh = records.filter(({ destinationId }) => destinationId === null).map(({ key }) => externalOf(key))
  const own = new Set((await peopleByIds(context, name, 'external_ids')(fresh)).map((raw) => raw.external_id))
  return writeEach(records, async (record) => {
    try {
      return await writePerson(context, name, record, own.has(externalOf(record.key)))
    } catch (error) {
      if (error instanceof FieldRefusedError) return fieldRefusal(record.key, error)
      throw error
    }
  })
}

/**
 * By our id Zendesk writes over what has it, so a record that is sent twice is one. By an e-mail address it would write
 * over people who were there before: these are looked for first, and stay as they are.
 */
async function writePerson(
  context: WriteContext,
  name: PeopleEntity,
  record: OutgoingRecord,
  isOwn: boolean,
): Promise<WriteOutcome> {
  const { api, fields } = context
  const { key, destinationId } = record
  const { path, one } = kinds[name]
  const { emails, ...plain } = writeRecord(entityOf(context, name), record)
  const [email, ...others] = (emails ?? []) as string[]
  const body = { ...plain, ...(await fields.toBody(name, record.customFields)) }
  if (destinationId !== null) {
    const sent = await api.http.send('PUT', `${path}/${destinationId}`, { json: { [one]: body } })
    if (sent.result === 'refused' || !emails) return settle(context, name, key, sent)
    await addAddresses(api, destinationId, emails as string[])
    const [now] = await peopleByIds(context, name)([destinationId])
    return settle(context, name, key, now ? { ...sent, json: { [one]: now } } : sent)
  }
  const existing = isOwn ? undefined : await findExisting(api, name, record, email)
  if (existing) return matched(api, name, key, existing)
  const create = (addresses: object) =>
    api.http.send('POST', `${path}/create_or_update`, {
      json: { [one]: { ...body, ...addresses, external_id: externalOf(key) } },
    })
  if (name === 'organizations') return settle(context, name, key, await create({}))
  const identities = others.length > 0 ? { identities: others.map((value) => ({ type: 'email', value })) } : {}
  const sent = await create({ ...(email && { email, ...identities }), skip_verify_email: true })
  if (sent.result === 'refused' && email && isAbout(sent, /email|identit/i)) {
    return settle(context, name, key, await create({ skip_verify_email: true }), ['address_refused'])
  }
  // Somebody else has the address, though the search did not know yet.
  if (sent.result === 'done' && sent.status === 200 && !isOwn) return matched(api, name, key, api.one(sent.json, one))
  return settle(context, name, key, sent)
}

export const isAbout = ({ json }: Extract<Sent, { result: 'refused' }>, field: RegExp): boolean => {
  const { details, errors } = (json ?? {}) as { details?: unknown; errors?: unknown }
  // The Help Center tells them in `errors`.
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
    return items.find((raw) => same(raw.name, fields.name))
  }
  if (!email) return undefined
  const { items } = await api.page('/users/search', 'users', { query: email })
  return items.find((raw) => same(raw.email, email) && raw.active !== false)
}

const matched = (api: ZendeskApi, name: PeopleEntity, key: string, { id }: RawRecord): WriteOutcome => ({
  key,
  result: 'matched',
  destinationId: String(id),
  url: `${api.site}/agent/${name === 'contacts' ? 'users' : 'organizations'}/${id}`,
})

async function settle(
  context: WriteContext,
  name: PeopleEntity,
  key: string,
  sent: Sent,
  losses: WriteLoss[] = [],
): Promise<WriteOutcome> {
  if (sent.result === 'refused') return refusalOf(key, sent)
  const raw = context.api.one(sent.json, kinds[name].one)
  const { url, version } = await foundPerson(context, name, raw)
  const lost = losses.length > 0 ? { losses } : {}
  return { key, result: 'written', destinationId: String(raw.id), url, version, ...lost }
}

export const refusalOf = (key: string, { status, code, message }: Extract<Sent, { result: 'refused' }>) =>
  status === 404
    ? refused(key, 'gone', 'It was deleted in Zendesk since it was imported.')
    : refused(key, code, message)

/** On a change Zendesk takes an address only by itself. None is taken away: people may have added it. */
async function addAddresses(api: ZendeskApi, userId: string, addresses: readonly string[]): Promise<void> {
  const path = `/users/${userId}/identities`
  const known = await api.all(path, 'identities')
  const find = (value: string) => known.find((one) => String(one.value).toLowerCase() === value.toLowerCase())
  for (const [index, value] of addresses.entries()) {
    const there = find(value)
    const sent = there
      ? null
      : await api.http.send('POST', path, { json: { identity: { type: 'email', value, skip_verify_email: true } } })
    // Another person has it.
    if (sent?.result === 'refused') continue
    const identity = there ?? api.one(sent?.json, 'identity')
    if (index === 0 && identity.primary !== true) await api.http.send('PUT', `${path}/${identity.id}/make_primary`)
  }
}

export async function foundGroup({ api }: WriteContext, raw: RawRecord) {
  const content = toStored(label, desk.groups, raw)
  return { ...content, version: versionOf(content.fields), url: `${api.site}/admin/people/team/groups/${raw.id}` }
}

export async function groupsNow({ api }: WriteContext): Promise<RawRecord[]> {
  const members = await membersOf(api)
  const groups = await api.all('/groups', 'groups')
  return groups.filter(({ deleted }) => deleted !== true).map((raw) => ({ ...raw, agents: members.get(raw.id) ?? [] }))
}

/** Notes of groups that we make. Their version is a digest of the name. */
export const groupNoteKind = 'group_of_record'
const nameKey = (name: unknown) => digestOf(String(name).trim().toLowerCase(), 16)

/** By the notes, though the answer was lost. */
export async function groupKey(context: WriteContext): Promise<Pick<Key, 'atOnce' | 'seek' | 'isOn'>> {
  const notes = (await context.sides?.list(groupNoteKind)) ?? []
  const isOn = (raw: RawRecord, key: string) =>
    notes.some(
      ({ mark, destinationId, version }) =>
        mark === externalOf(key) &&
        (destinationId === null ? nameKey(raw.name) === version : destinationId === String(raw.id)),
    )
  return { atOnce: largestPage, seek: () => groupsNow(context), isOn }
}

/** Groups have no id of ours. One of the same name is used as it is, unless we noted that we are making it. */
export async function writeGroups(context: WriteContext, records: readonly OutgoingRecord[]): Promise<WriteOutcome[]> {
  const { api, sides } = context
  const now = await groupsNow(context)
  const { isOn } = await groupKey(context)
  return writeEach(records, async (record) => {
    const { key, fields } = record
    const name = String(fields.name ?? '').trim()
    const side = { kind: groupNoteKind, mark: externalOf(key), destinationId: null, version: nameKey(name) }
    const same = now.find((raw) => String(raw.name).toLowerCase() === name.toLowerCase())
    const own = now.find((raw) => isOn(raw, key, null))
    const id = record.destinationId ?? (own ? String(own.id) : null)
    if (id === null && same) {
      return { key, result: 'matched', destinationId: String(same.id), url: (await foundGroup(context, same)).url }
    }
    const { agents, ...body } = writeRecord(desk.groups, record)
    if (id === null) await sides?.note(side)
    const [method, path] = id === null ? (['POST', '/groups'] as const) : (['PUT', `/groups/${id}`] as const)
    const sent = await api.http.send(method, path, { json: { group: body } })
    if (sent.result === 'refused') {
      if (id === null) await sides?.forget(side)
      return refusalOf(key, sent)
    }
    const raw = api.one(sent.json, 'group')
    if (record.destinationId === null) await sides?.note({ ...side, destinationId: String(raw.id) })
    else await sides?.forget(side)
    const losses = agents ? await setMembers(api, raw.id, agents as number[]) : []
    const stored = (await groupsNow(context)).find((one) => one.id === raw.id) ?? { ...raw, agents: [] }
    if (!now.some((one) => one.id === raw.id)) now.push(stored)
    const { url, version } = await foundGroup(context, stored)
    return { key, result: 'written', destinationId: String(raw.id), url, version, ...(losses.length > 0 && { losses }) }
  })
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
