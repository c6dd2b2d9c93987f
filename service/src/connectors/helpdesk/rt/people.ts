import type { Phone } from '../../../families/record.ts'
import type { OutgoingContent, StoredContent } from '../../contract/contract.ts'
import { asciiAddress } from '../../kit/ascii-address.ts'
import { defineEntity } from '../../kit/entity.ts'
import { eachById } from '../../kit/find.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { Walk } from '../../kit/pages.ts'
import { idOf, oneLine } from '../../kit/sent-values.ts'
import { toUser } from '../../kit/to-user.ts'
import { type Form, storedForm, toForm } from '../../kit/whole-form.ts'
import type { AccountFacts } from './account-facts.ts'
import { anyOf, type RtApi } from './api.ts'
import { shapeCustom, toFields, withMade } from './custom-fields.ts'
import * as is from './lenses.ts'
import { versionOf } from './stored-values.ts'

// Queues and users. Each field is defined once, for reading, writing and comparing. `shapeUser` combines fields that
// belong together, such as the parts of an address.

export const groups = is.define<is.MapFacts>('groups', 'queue', {
  fields: {
    name: is.line('Name', 200),
    description: { ...is.line('Description', 255), type: 'long_text' },
    agents: is.agents('AdminCc'),
  },
})

export const organizations = defineEntity('helpdesk', 'organizations', {
  fields: {
    name: is.field('text', 'id', { max: 200, read: (word) => word.trim(), write: (value) => oneLine(value, 200) }),
  },
})

/** The fields of phone numbers, in the order in which they are filled, and of the lines of an address. */
const phoneFields = { work: 'WorkPhone', mobile: 'MobilePhone', home: 'HomePhone', pager: 'PagerPhone' } as const
const phoneKinds = Object.keys(phoneFields) as (keyof typeof phoneFields)[]
const addressFields = {
  line1: ['Address1', 200],
  line2: ['Address2', 200],
  city: ['City', 100],
  region: ['State', 100],
  postalCode: ['Zip', 16],
  country: ['Country', 50],
} as const

export const contacts = is.define<is.MapFacts>('contacts', 'user', {
  fields: {
    name: is.field('text', null, {
      to: 'RealName',
      max: 120,
      read: (_value, raw) => (raw.RealName || raw.EmailAddress || raw.Name) as string | undefined,
      write: (value) => oneLine(value, 120),
      empty: '',
    }),
    emails: is.field('email', 'EmailAddress', {
      ...{ many: true, takesOne: true, max: 120, absent: [], empty: '' },
      read: (address) => (address ? [{ address, isPrimary: true }] : []),
      write: (value) => asciiAddress(oneLine([value].flat()[0], 120)),
    }),
    phones: is.field('phone', 'Phones', { many: true, read: (phones) => phones, write: placePhones, empty: [] }),
    // An organization is only a text on users, so the text is its id.
    organization: is.field('relation', 'Organization', {
      relates: 'organizations',
      read: (word) => (word.trim() ? is.ref('organizations', word) : undefined),
      write: (value) => oneLine(idOf(value), 200),
      empty: '',
    }),
    language: is.line('Lang', 16),
    timezone: is.line('Timezone', 50),
    notes: is.longText('Comments'),
    is_suspended: is.field('boolean', 'Disabled', {
      read: (value) => Number(value) !== 0,
      write: (value) => (value === true ? 1 : 0),
      empty: 0,
      stored: (value) => Number(value) !== 0,
    }),
  },
  extra: {
    login: {
      label: 'Login',
      lens: is.field('text', 'Name', {
        ...{ max: 200, empty: '', also: { EmailAddress: is.schemas.user.EmailAddress } },
        read: (login, { EmailAddress }) => loginOf(login, EmailAddress) || undefined,
        write: (value) => oneLine(value, 200),
        stored: (login, form) => loginOf(login, form?.EmailAddress),
      }),
    },
    extra_info: { label: 'Extra info', lens: is.longText('FreeformContactInfo') },
    address: {
      label: 'Address',
      lens: is.field('address', 'Address', { read: (lines) => lines, write: placeAddress }),
    },
  },
})

export function shapeUser(raw: is.Raw<'user'>): is.Raw<'user'> & Form {
  const lines = Object.entries(addressFields).flatMap(([part, [name]]) => (raw[name] ? [[part, raw[name]]] : []))
  return {
    ...raw,
    Disabled: Number(raw.Disabled ?? 0),
    Phones: phoneKinds.flatMap((type) => (raw[phoneFields[type]] ? [{ number: raw[phoneFields[type]], type }] : [])),
    Address: lines.length > 0 ? Object.fromEntries(lines) : null,
  }
}

/** A login that equals the e-mail address, or that we made up, is left out. */
export const loginOf = (login: unknown, email: unknown): string =>
  login === email || /^wherry-[0-9a-f]{16}$/.test(String(login)) ? '' : String(login)

/** Reverses `shapeUser`: the fields of a request, except for the login. */
export function toUserFields(form: Form): Form {
  const { Phones, Address, Name: _login, ...request } = toFields(form)
  const numbers = new Map((Phones as Phone[]).map(({ type, number }) => [type, number]))
  const lines = (Address ?? {}) as Record<string, string>
  return {
    ...request,
    ...Object.fromEntries(phoneKinds.map((kind) => [phoneFields[kind], numbers.get(kind) ?? ''])),
    ...Object.fromEntries(Object.entries(addressFields).map(([part, [name]]) => [name, lines[part] ?? ''])),
  }
}

/** Puts each number into the field of its type, and other numbers into free fields. A fifth number is dropped. */
function placePhones(given: unknown): { number: string; type: string }[] {
  const phones = new Map<string, string>()
  const entries = [given].flat().map((one) => (typeof one === 'string' ? { number: one } : one) as Phone)
  const place = (number: string, isIts: (kind: string) => boolean) => {
    const kind = phoneKinds.find((known) => isIts(known) && !phones.get(known))
    if (kind) phones.set(kind, oneLine(number, 30))
    return kind !== undefined
  }
  const left = entries.filter(({ number, type }) => !place(number, (kind) => kind === type?.toLowerCase()))
  for (const { number } of left) place(number, () => true)
  return phoneKinds.flatMap((type) => (phones.get(type) ? [{ number: phones.get(type) ?? '', type }] : []))
}

function placeAddress(given: unknown): Record<string, string> | null {
  const lines = Object.entries(addressFields).flatMap(([part, [, length]]) => {
    const text = oneLine((given as Record<string, unknown>)[part], length)
    return text ? [[part, text]] : []
  })
  return lines.length > 0 ? Object.fromEntries(lines) : null
}

export type PeopleEntity = 'contacts' | 'groups'
const entityOf = (name: PeopleEntity, { fields }: AccountFacts) =>
  withMade(name === 'contacts' ? contacts : groups, fields[name])

export const formOf = (name: PeopleEntity, content: OutgoingContent, facts: AccountFacts): Form =>
  toForm(entityOf(name, facts), content)

const storedOf = (name: PeopleEntity, form: Form, facts: AccountFacts): StoredContent => ({
  ...storedForm(entityOf(name, facts), form),
  ...{ createdAt: null, updatedAt: null },
})

export const storedPerson = (name: PeopleEntity, content: OutgoingContent, facts: AccountFacts): StoredContent =>
  storedOf(name, formOf(name, content, facts), facts)

/** A record that was read, in its compared form. `beside` holds values that people can set and we never write. */
function foundForm(name: PeopleEntity, raw: Form, facts: AccountFacts, beside: Form) {
  const custom = shapeCustom(facts.fields[name], raw.CustomFields as is.RawCustomValues | undefined)
  const content = storedOf(name, { ...raw, ...custom }, facts)
  return { ...content, version: versionOf(content, beside) }
}

export function foundContact(record: RawRecord, facts: AccountFacts) {
  const { NickName, Gecos, Signature, ...raw } = is.take('user', record)
  return foundForm('contacts', shapeUser(raw), facts, { NickName, Gecos, Signature })
}

export async function foundGroup(api: RtApi, record: RawRecord, facts: AccountFacts) {
  const { Cc = [], AdminCc = [], Disabled = 0, ...raw } = is.take('queue', record)
  const { Lifecycle, SubjectTag, CorrespondAddress, CommentAddress } = raw
  const groupsAmong = AdminCc.filter(({ type }) => type !== 'user')
  return foundForm('groups', { ...raw, AdminCc: await withUserIds(api, AdminCc) }, facts, {
    ...{ Lifecycle, SubjectTag, CorrespondAddress, CommentAddress },
    Disabled: Number(Disabled) === 0 ? '' : 'yes',
    watchers: [...Cc, ...groupsAmong].map(({ type, id }) => `${type} ${id}`).sort(),
  })
}

/** Replaces login names of watchers by user ids: a single record names watchers by login. */
export async function withUserIds(api: RtApi, watchers: is.Raw<'queue'>['AdminCc'] = []) {
  const logins = watchers.flatMap(({ type, id }) => (type === 'user' ? [encodeURIComponent(id)] : []))
  const users = await eachById((login) => api.get(`/user/${login}`))(logins)
  return users.map(({ id }) => ({ type: 'user', id }))
}

// Request Tracker never deletes users, and lists them sorted by id. So new users do not move other users to another
// page. User lists ignore limits by id and by time of change.

/** Technical users. "Nobody" owns every ticket without an owner. */
const systemNames = ['RT_System', 'Nobody']

export const personFields = [
  'id,Name,RealName,EmailAddress,Organization,Lang,Timezone,Comments,FreeformContactInfo,WorkPhone,MobilePhone,HomePhone',
  'PagerPhone,Address1,Address2,City,State,Zip,Country,Created,LastUpdated,CustomFields',
].join(',')

const idsOf = (records: readonly is.Raw<'record'>[]): Set<string> => new Set(records.map(({ id }) => id))

/** Reads the ids of all agents and technical users. Only the group of privileged users lists all agents. */
export async function readPeople(api: RtApi): Promise<is.MapFacts> {
  const query = [
    { field: 'Domain', value: 'SystemInternal' },
    { field: 'Name', value: 'Privileged' },
  ]
  const [group] = (await api.list('/groups', { query, fields: 'id,Name' })).items
  const members = group ? await api.all('record', `/group/${group.id}/members`, { fields: 'id' }) : []
  const named = { query: anyOf('Name', systemNames), fields: 'id,Name', withDisabled: true }
  return { agents: idsOf(members), system: idsOf(await api.all('record', '/users', named)) }
}

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
  const names = people.flatMap((person) => is.take('user', person).Name ?? [])
  const query = anyOf('Name', names)
  return query.length === 0 ? new Set() : idsOf(await api.all('record', '/users', { query, fields: 'id' }))
}

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
  const users = page.map((person) => is.take('user', person))
  return { items: users.map((raw) => toUser(raw.id, nameOf(raw), raw.EmailAddress, enabled.has(raw.id))), next }
}

export const nameOf = (raw: is.Raw<'user'>): string => raw.RealName || raw.EmailAddress || raw.Name || `User ${raw.id}`
