import type { WriteLoss } from '../../../warnings/codes.ts'
import type { OutgoingRecord, SideRecord, SideRecords, SoughtRecord, WriteOutcome } from '../../contract/contract.ts'
import type { Entity } from '../../kit/entity.ts'
import type { Sent } from '../../kit/http.ts'
import { digestOf, externalIdKey, type Key, noKey } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { matched, type RefusedAnswer, written } from '../../kit/outcomes.ts'
import { filledIn, versionOf } from '../../kit/version.ts'
import { writeEach } from '../../kit/write-each.ts'
import { asStored, toStored, writeRecord } from '../../kit/write-record.ts'
import { accepted, errorsOf, type FreshdeskApi, holdersIn, label } from './api.ts'
import * as desk from './entities.ts'
import { externalOf, findByAddress, findTrashed, isUndone, withExternalId } from './find-contacts.ts'
import type { Facts } from './lenses.ts'
import { beginning } from './list-tickets.ts'
import { withAddresses } from './look-around.ts'
import { forgetNotes, notesOf } from './notes.ts'
import { type OwnFields, storedCustom } from './own-fields.ts'

export interface WriteContext {
  api: FreshdeskApi
  fields: OwnFields
  sides: SideRecords
  /** Tickets and contacts with this account's fields and choices. */
  tickets: Entity<Facts>
  contacts: Entity<Facts>
  /** The id of the agent who owns the API key. */
  me: string
  /** Existing groups and companies. Read again when Freshdesk refuses a name as taken. */
  listed: Map<string, RawRecord[]>
}

type Body = Record<string, unknown>

const kinds = {
  groups: { path: '/groups', page: 'a/admin/groups/' },
  organizations: { path: '/companies', page: 'a/companies/' },
  contacts: { path: '/contacts', page: 'a/contacts/' },
} as const
type PeopleEntity = keyof typeof kinds
type Named = 'groups' | 'organizations'

const entityOf = ({ contacts }: WriteContext, name: PeopleEntity): Entity<Facts> =>
  ({ contacts, groups: desk.groups, organizations: desk.organizations })[name]

export function peopleEntities(context: WriteContext, languages: readonly string[]): Record<string, WrittenEntity> {
  const silent = { silentCreate: true }
  const byName = (kind: string) => ({
    ...{ required: ['name'], unites: { kind, by: ['name'] }, capabilities: { ...silent, concurrency: 1 } },
  })
  const has = async (path: string, query: Record<string, string | number>) =>
    (await context.api.page(path, query, 1, 1)).items.length > 0
  return {
    groups: { ...peopleEntity(context, 'groups', async () => null), offer: byName('group') },
    organizations: {
      ...peopleEntity(context, 'organizations', async ({ id }) =>
        (await has('/contacts', { company_id: id })) ? 'People of this account belong to it.' : null,
      ),
      offer: { ...byName('organization'), customFields: 'any' },
    },
    contacts: {
      ...peopleEntity(context, 'contacts', async ({ id }) =>
        (await has('/tickets', { requester_id: id, updated_since: beginning }))
          ? 'Tickets of this account name them.'
          : null,
      ),
      offer: {
        ...{
          required: ['name'],
          customFields: 'any',
          unites: { kind: 'person', by: ['emails'] },
          capabilities: silent,
        },
        // An account with one language takes none.
        ...(languages.length > 0 && { fields: { language: { type: 'option', options: [...languages] } } }),
      },
    },
  }
}

function peopleEntity(
  context: WriteContext,
  name: PeopleEntity,
  findNeed: (raw: RawRecord) => Promise<string | null>,
): WrittenEntity {
  const { api } = context
  const { path } = kinds[name]
  const declared = entityOf(context, name)
  const stored = (content: Parameters<typeof asStored>[1]) => asStored(declared, content)
  return {
    declared,
    write: (records) =>
      name === 'contacts'
        ? writeEach(records, (record) => writeContact(context, record))
        : writeNamed(context, name, records),
    async look(sought) {
      await forgetNotes(context, `${name}_of_record`, sought)
      return {
        byIds: async (ids) => (await api.viewEach(path, ids)).filter(({ deleted }) => deleted !== true),
        key: name === 'contacts' ? contactKey(context) : namedKey(context, name),
        toFound: (raw) => foundPerson(context, name, raw),
        findNeed,
        // Moves the contact to the trash, where people can restore it. A permanent deletion would also delete the
        // contact's tickets.
        remove: (id) => api.http.send('DELETE', `${path}/${encodeURIComponent(id)}`),
      }
    },
    asStored: (content) =>
      name === 'groups'
        ? stored(content)
        : { ...stored(content), customFields: storedCustom(name, content.customFields) },
    lossesOf: async (record) => (await toBody(context, name, record)).losses,
  }
}

/** Sends a record. If Freshdesk refuses a dispensable field, sends the record again without it. */
export async function sendWithout(
  body: Body,
  dispensable: Readonly<Record<string, WriteLoss>>,
  send: (body: Body) => Promise<Sent>,
): Promise<{ sent: Sent; losses: WriteLoss[] }> {
  const losses = new Set<WriteLoss>()
  let left = body
  for (;;) {
    const sent = await send(left)
    if (sent.result === 'done') return { sent, losses: [...losses] }
    const custom = (left.custom_fields ?? {}) as Body
    // An address that somebody else has is handled by the caller, who may find that person.
    const told = errorsOf(sent.json).filter(({ field, code }) => field !== 'email' || code !== 'duplicate_value')
    const names = told.map(({ field }) => field.replace(/^custom_fields[.[]?/, '').replace(/\]$/, ''))
    const ownNames = names.filter((name) => Object.hasOwn(custom, name))
    // A value that may not be empty stays as it is.
    const others = names.filter(
      (name) => Object.hasOwn(left, name) && (dispensable[name] !== undefined || left[name] === null),
    )
    if (ownNames.length + others.length === 0) return { sent, losses: [...losses] }
    const without = (from: Body, gone: string[]) =>
      Object.fromEntries(Object.entries(from).filter(([name]) => !gone.includes(name)))
    left = without(left, others)
    if (ownNames.length > 0) left = { ...left, custom_fields: without(custom, ownNames) }
    for (const name of others) if (dispensable[name]) losses.add(dispensable[name])
    if (ownNames.length > 0) losses.add('custom_value_refused')
  }
}

const isTaken = (sent: RefusedAnswer, field?: string) =>
  (sent.status === 409 && field === undefined) ||
  errorsOf(sent.json).some((one) => one.code === 'duplicate_value' && (field === undefined || one.field === field))

const contactKey = ({ api }: WriteContext): Key =>
  externalIdKey(
    'unique_external_id',
    ([sought]: readonly SoughtRecord[]) => (sought ? withExternalId(api, sought.key) : Promise.resolve([])),
    1,
    externalOf,
  )

/** Fields that the import does not write. */
const peoplesOwn: Record<PeopleEntity, readonly string[]> = {
  groups: [],
  organizations: ['health_score', 'account_tier', 'industry', 'renewal_date'],
  contacts: ['job_title', 'address', 'twitter_id', 'facebook_id', 'mobile', 'tags', 'other_companies'],
}

async function foundPerson(context: WriteContext, name: PeopleEntity, given: RawRecord) {
  const { api, fields } = context
  const raw = name === 'contacts' ? withAddresses(given) : given
  const blank = { description: null, note: null, domains: [], company_id: null, language: null, agent_ids: [] }
  const content = toStored(label, entityOf(context, name), { ...blank, ...raw })
  const customFields = name === 'groups' ? {} : await fields.stored(name, raw)
  const version = versionOf(content.fields, customFields, ...filledIn(raw, peoplesOwn[name]))
  return { ...content, customFields, version, url: `${api.site}/${kinds[name].page}${raw.id}` }
}

const settle = (context: WriteContext, name: PeopleEntity, key: string, sent: Sent, losses: WriteLoss[] = []) =>
  settled(context, name, key, context.api.one(accepted(sent), 'record'), losses)
const settled = async (context: WriteContext, name: PeopleEntity, key: string, raw: RawRecord, losses: WriteLoss[]) =>
  written(key, raw.id, await foundPerson(context, name, raw), losses)
const match = ({ api }: WriteContext, name: PeopleEntity, key: string, { id }: RawRecord) =>
  matched(key, id, `${api.site}/${kinds[name].page}${id}`)

const dispensable: Readonly<Record<string, WriteLoss>> = {
  email: 'address_refused',
  other_emails: 'address_refused',
  phone: 'phone_refused',
  domains: 'domain_refused',
  company_id: 'relation_refused',
  agent_ids: 'relation_refused',
}

/** A change clears the values that the source has lost since. */
async function toBody(
  context: WriteContext,
  name: PeopleEntity,
  record: OutgoingRecord,
  isChange = record.destinationId !== null,
) {
  const { emails, ...plain } = writeRecord(entityOf(context, name), record, { isWhole: isChange })
  const addresses = Array.isArray(emails) ? { email: emails[0] ?? null, other_emails: emails.slice(1) } : {}
  const custom =
    name === 'groups' ? { body: {}, hasLost: false } : await context.fields.toBody(name, record.customFields, isChange)
  const losses: WriteLoss[] = custom.hasLost ? ['custom_value_refused'] : []
  return { body: { ...plain, ...addresses, ...custom.body } as Body, losses }
}

const lowerName = (name: unknown) => String(name).trim().toLowerCase()
const nameMark = (name: unknown) => digestOf(lowerName(name))
const kindOf = (name: Named) => `${name}_of_record`

/**
 * Finds groups and companies through the ledger: by noted id, or by a digest of the unique name if the answer was lost.
 */
function namedKey(context: WriteContext, name: Named): Key {
  const { api } = context
  let noted = new Map<string, SideRecord>()
  return {
    ...noKey,
    deliveryClass: 'C',
    async seek(sought) {
      noted = new Map((await notesOf(context, kindOf(name), sought)).map((side) => [side.mark, side]))
      const own = sought.flatMap(({ key }) => noted.get(externalOf(key)) ?? [])
      const made = await api.viewEach(
        kinds[name].path,
        own.flatMap(({ destinationId }) => destinationId ?? []),
      )
      const lost = own.filter(({ destinationId }) => destinationId === null).map(({ version }) => version)
      const there = lost.length > 0 ? await api.all(kinds[name].path) : []
      return [...made, ...there.filter((raw) => lost.includes(nameMark(raw.name)))]
    },
    isOn(raw, key) {
      const side = noted.get(externalOf(key))
      return side?.destinationId === null ? side.version === nameMark(raw.name) : side?.destinationId === String(raw.id)
    },
  }
}

/**
 * Writes groups and companies. They have no field for our key, but their names are unique. A record that existed before
 * stays unchanged. A record that we noted before the request is ours, even if the answer was lost.
 */
async function writeNamed(
  context: WriteContext,
  name: Named,
  records: readonly OutgoingRecord[],
): Promise<WriteOutcome[]> {
  const { api, sides } = context
  const { path } = kinds[name]
  const noted = new Set((await notesOf(context, kindOf(name), records)).map(({ mark }) => mark))
  let there = context.listed.get(name) ?? (await api.all(path))
  context.listed.set(name, there)
  const same = (given: unknown) => there.find((raw) => lowerName(raw.name) === lowerName(given))
  return writeEach(records, async (record) => {
    const { key } = record
    const version = nameMark(record.fields.name)
    const side = { kind: kindOf(name), mark: externalOf(key), destinationId: null, version }
    const { body, losses } = await toBody(context, name, record)
    const send = async (method: 'POST' | 'PUT', at: string) => {
      const answer = await sendWithout(body, dispensable, (json) => api.http.send(method, at, { json }))
      return { ...answer, losses: [...losses, ...answer.losses] }
    }
    const known = same(record.fields.name)
    // The record may have been deleted since we read the list.
    const existing = known && ((await api.view(path, known.id)) ?? undefined)
    if (known && !existing) there.splice(there.indexOf(known), 1)
    const own = record.destinationId ?? (existing && noted.has(side.mark) ? String(existing.id) : null)
    if (own !== null) {
      const changed = await send('PUT', `${path}/${own}`)
      return settle(context, name, key, changed.sent, changed.losses)
    }
    if (existing) return match(context, name, key, existing)
    await sides.note(side)
    const made = await send('POST', path)
    if (made.sent.result === 'refused' && isTaken(made.sent)) {
      // The name was taken after we read the list. If our note is older than this attempt, we created the record and
      // lost the answer.
      there = await api.all(path)
      context.listed.set(name, there)
      const now = same(record.fields.name)
      if (now && noted.has(side.mark)) {
        const changed = await send('PUT', `${path}/${now.id}`)
        return settle(context, name, key, changed.sent, changed.losses)
      }
      await sides.forget(side)
      if (now) return match(context, name, key, now)
    }
    if (made.sent.result === 'refused') await sides.forget(side)
    else {
      const raw = api.one(made.sent.json, 'record')
      there.push(raw)
      await sides.note({ ...side, destinationId: String(raw.id) })
    }
    return settle(context, name, key, made.sent, made.losses)
  })
}

/**
 * Writes a contact. Our external id is unique: Freshdesk refuses a second contact with it, and we find the first one by
 * it.
 */
async function writeContact(context: WriteContext, record: OutgoingRecord): Promise<WriteOutcome> {
  const { api } = context
  const { key, destinationId } = record
  const { body, losses } = await toBody(context, 'contacts', record)
  if (destinationId !== null) {
    const { sent, losses: more } = await sendWithout(body, dispensable, (json) =>
      api.http.send('PUT', `/contacts/${destinationId}`, { json }),
    )
    return settle(context, 'contacts', key, sent, [...losses, ...more])
  }
  // Without `company_id: null`, Freshdesk assigns the company whose domain matches the e-mail address.
  const create = (given: Body) =>
    sendWithout({ company_id: null, ...given, unique_external_id: externalOf(key) }, dispensable, (json) =>
      api.http.send('POST', '/contacts', { json }),
    )
  let { sent, losses: more } = await create(body)
  if (sent.result === 'refused' && isTaken(sent)) {
    const named = await api.viewEach('/contacts', holdersIn(sent.json))
    const isOurs = (raw: RawRecord) => raw.deleted !== true && raw.unique_external_id === externalOf(key)
    const own = (await withExternalId(api, key))[0] ?? named.find(isOurs)
    if (own) return settled(context, 'contacts', key, own, losses)
    const trashed = named.length > 0 ? named.find(isUndone) : await findTrashed(api, key, body.email)
    if (trashed) return restore(context, record, trashed)
    const holder = await findByAddress(api, body.email)
    if (holder) return match(context, 'contacts', key, holder)
    // A contact with this address is deleted, or hidden from us.
    const { email: _email, other_emails: _others, ...rest } = body
    ;({ sent, losses: more } = await create(rest))
    more.push('address_refused')
  }
  return settle(context, 'contacts', key, sent, [...losses, ...more])
}

async function restore(context: WriteContext, record: OutgoingRecord, { id }: RawRecord): Promise<WriteOutcome> {
  const { api } = context
  const path = `/contacts/${id}`
  const { body, losses } = await toBody(context, 'contacts', record, true)
  accepted(await api.http.send('PUT', `${path}/restore`))
  const json = { company_id: null, ...body, unique_external_id: externalOf(record.key) }
  const { sent, losses: more } = await sendWithout(json, dispensable, (left) =>
    api.http.send('PUT', path, { json: left }),
  )
  return settle(context, 'contacts', record.key, sent, [...losses, ...more])
}
