import { RetryableError } from '../../../errors.ts'
import type { WriteLoss } from '../../../warnings/codes.ts'
import type {
  FoundRecord,
  OutgoingContent,
  OutgoingRecord,
  SoughtRecord,
  WriteOutcome,
} from '../../contract/contract.ts'
import { type MadeField, toCustomField, writeMade } from '../../kit/custom-fields.ts'
import { eachById, findRecords } from '../../kit/find.ts'
import type { Sent } from '../../kit/http.ts'
import { digestOf, noKey } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { once } from '../../kit/once.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { matched, written } from '../../kit/outcomes.ts'
import { versionOf } from '../../kit/version.ts'
import { writeEach } from '../../kit/write-each.ts'
import { asStored, toStored, writeRecord } from '../../kit/write-record.ts'
import {
  acceptable,
  accepted,
  done,
  type HelpscoutApi,
  isAbout,
  label,
  madeId,
  present,
  requestsAtOnce,
} from './api.ts'
import * as desk from './entities.ts'
import type { InFlight, Noted } from './in-flight.ts'
import { type Facts, joinName, lowered, splitName, trimmed } from './lenses.ts'
import { type Inbox, organizationUrl, personUrl, toPerson } from './look-around.ts'

export interface WriteContext {
  api: HelpscoutApi
  inFlight: InFlight
  facts: Facts & { inboxes: Inbox[] }
  /** The id of the user who owns the key. */
  me: string
}

export function peopleEntities(context: WriteContext): Record<'organizations' | 'contacts', WrittenEntity> {
  const { api, facts } = context
  const at = (path: string) => ({
    byIds: eachById((id) => api.one(`${path}/${id}`), requestsAtOnce),
    key: noKey,
    remove: (id: string) => api.send('DELETE', `${path}/${id}`, undefined, true),
  })
  const organizations = {
    ...at('/v2/organizations'),
    toFound: foundOrganization,
    findNeed: async ({ id }: RawRecord) => {
      const raw = await api.one(`/v2/organizations/${id}?includeCounts=true`)
      return Number(raw?.customerCount ?? 0) > 0 ? 'People of this account belong to it.' : null
    },
  }
  const contacts = {
    ...at('/v2/customers'),
    toFound: (raw: RawRecord) => foundContact(context, raw),
    // Deleting a customer would permanently delete all their conversations.
    findNeed: async ({ conversationCount: count }: RawRecord) =>
      count === 0 ? null : 'Conversations of this account name them.',
  }
  const unplaced = (sought: readonly SoughtRecord[]) => sought.filter(({ destinationId }) => destinationId === null)
  return {
    organizations: {
      declared: desk.organizations,
      offer: {
        required: ['name'],
        unites: { kind: 'organization', by: ['name'] },
        capabilities: { backdate: false, concurrency: 1, batchSize: 50 },
      },
      // The whole list is needed to find a name, so it is requested once for many records.
      write(records) {
        const all = once(() => organizationsNow(context))
        return writeEach(records, (record) => writeOrganization(context, record, all))
      },
      look: () => organizations,
      find: async (sought) => [
        ...(await findRecords(organizations, sought)),
        ...(await findOrganizations(context, unplaced(sought))),
      ],
    },
    contacts: {
      declared: desk.contacts,
      offer: {
        required: ['name'],
        customFields: [...facts.properties.values()].map(toCustomField),
        unites: { kind: 'person', by: ['emails'] },
        capabilities: { backdate: false },
      },
      write: (records) => writeEach(records, (record) => writeContact(context, record)),
      look: () => contacts,
      find: async (sought) => [
        ...(await findRecords(contacts, sought)),
        ...(await findContacts(context, unplaced(sought))),
      ],
      asStored: (content) => ({
        ...asStored(desk.contacts, content),
        customFields: Object.fromEntries(valuesOf(facts.properties.values(), content.customFields)),
      }),
    },
  }
}

/** Custom values as Help Scout takes them: texts, and the ids of choices. */
export const valuesOf = (fields: Iterable<MadeField>, custom: OutgoingContent['customFields']): Map<string, string> =>
  new Map(
    [...fields].flatMap((field) => {
      const value = writeMade(field, custom[field.key]?.value)
      return value === null || value === undefined || value === '' ? [] : [[field.key, String(value)] as const]
    }),
  )
/** Custom values that Help Scout stores, in the same form. */
export const valuesNow = (fields: ReadonlyMap<string, MadeField>, values: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values as Record<string, unknown>).flatMap(([name, value]) => {
      const key = fields.get(name)?.key
      return key === undefined || value === null ? [] : [[key, String(value)]]
    }),
  )

// Customers

const personDigest = (name: unknown, emails: unknown, phones: unknown) =>
  digestOf(JSON.stringify([joinName(splitName(name)), lowered(emails ?? []), trimmed(phones ?? [])]), 16)

function foundContact({ facts }: WriteContext, raw: RawRecord) {
  const person = toPerson(raw, facts)
  const content = toStored(label, desk.contacts, person)
  const customFields = valuesNow(facts.properties, person.entry_properties)
  return { ...content, customFields, version: versionOf(content.fields, customFields), url: personUrl(raw.id) }
}

/** Finds customers by our notes: created since the note, with the same name and addresses. */
async function findContacts(context: WriteContext, sought: readonly SoughtRecord[]): Promise<FoundRecord[]> {
  const noted = await context.inFlight.noted(
    'new_customers',
    sought.map(({ key }) => key),
  )
  if (noted.size === 0) return []
  const since = [...noted.values()].map(({ before }) => before).sort()[0]
  const people = await context.api.all('/v2/customers', 'customers', { modifiedSince: since })
  return [...noted].flatMap(([key, note]) => {
    const same = people.find((raw) => isNoted(context, note, raw))
    return same ? [{ ...foundContact(context, same), key, destinationId: String(same.id) }] : []
  })
}

/** Whether the note describes this customer: created since then, with the same name and addresses. */
function isNoted({ facts }: WriteContext, { before, digest }: Noted, raw: RawRecord): boolean {
  const { entry_name: name, entry_emails: emails, entry_phones: phones } = toPerson(raw, facts)
  const isNew = Date.parse(String(raw.createdAt)) >= Date.parse(before)
  return isNew && personDigest(name, emails, phones) === digest
}

/**
 * Finds a customer by e-mail address. API version 3 filters by address directly, so nothing needs escaping for a
 * search.
 */
async function findByEmail({ api }: WriteContext, email: string): Promise<RawRecord | undefined> {
  const { items } = await api.page('/v3/customers', 'customers', { email })
  const has = (raw: RawRecord) =>
    (lowered(toPerson(raw, { properties: new Map() }).entry_emails) as string[]).includes(email.toLowerCase())
  return items.find(has)
}

/** Ten minutes ago. Even with clocks that differ, Help Scout dates no new record of ours earlier. */
const beforeNow = () => `${new Date(Date.now() - 10 * 60_000).toISOString().slice(0, 19)}Z`

async function writeContact(context: WriteContext, record: OutgoingRecord): Promise<WriteOutcome> {
  const { api, inFlight } = context
  const { key, destinationId } = record
  const { entry_name: name, entry_emails: given, entry_phones: numbers, ...plain } = writeRecord(desk.contacts, record)
  const [emails, phones] = [given, numbers].map((list) => [...new Set((list ?? []) as string[])])
  if (destinationId !== null) return changeContact(context, record, { ...splitName(name), ...plain }, emails, phones)
  const [email] = emails ?? []
  const known = email === undefined ? undefined : await findByEmail(context, email)
  // An earlier request of ours may have created this customer.
  const earlier = (await inFlight.noted('new_customers', [key])).get(key)
  const isOurs = known !== undefined && earlier !== undefined && isNoted(context, earlier, known)
  if (known && !isOurs) return matched(key, known.id, personUrl(known.id))
  const entries = (values: readonly string[] = []) => values.map((value) => ({ value, type: 'work' }))
  const words = Object.entries({ ...splitName(name), ...plain }).filter(([, value]) => value !== null)
  const create = (some: readonly string[] = []) =>
    api.send('POST', '/v2/customers', { ...Object.fromEntries(words), emails: entries(some), phones: entries(phones) })
  const noted = { before: beforeNow(), digest: personDigest(name, emails, phones) }
  return inFlight.make('new_customers', key, noted, async () => {
    const losses: WriteLoss[] = []
    if (known) return finishContact(context, record, String(known.id), losses)
    let sent = await create(emails)
    if (sent.result === 'refused' && sent.status === 409 && email !== undefined) {
      // Another customer has one of the addresses. The list may not show that customer yet.
      const owner = await findByEmail(context, email)
      if (owner) return matched(key, owner.id, personUrl(owner.id))
      if (emails?.length === 1) {
        if (!earlier) await inFlight.forget('new_customers', key)
        throw new RetryableError('Help Scout answered that it knows an address, and does not show whose')
      }
      sent = await create([email])
      losses.push('address_refused')
    } else if (sent.result === 'refused' && isAbout(sent, /^emails/)) {
      const left = await create(acceptable(sent, 'emails', emails ?? []))
      sent = left.result === 'refused' && isAbout(left, /^emails/) ? await create([]) : left
      losses.push('address_refused')
    }
    return finishContact(context, record, madeId(done(sent)), losses)
  })
}

/** Changes a customer. A change removes no address or phone number, because people may have added it. */
async function changeContact(
  context: WriteContext,
  record: OutgoingRecord,
  words: Record<string, unknown>,
  emails: readonly string[] = [],
  phones: readonly string[] = [],
): Promise<WriteOutcome> {
  const { api } = context
  const id = String(record.destinationId)
  const raw = present(await api.one(`/v2/customers/${id}`))
  const now = toPerson(raw, context.facts)
  const changes = Object.entries(words).flatMap(([name, value]) => {
    if ((raw[name] || null) === value || (value === null && name.endsWith('Name') && !('name' in record.fields)))
      return []
    return value === null ? [{ op: 'remove', path: `/${name}` }] : [{ op: 'replace', path: `/${name}`, value }]
  })
  if (changes.length > 0) accepted(await api.send('PATCH', `/v2/customers/${id}`, changes))
  const losses: WriteLoss[] = []
  for (const [kind, values] of [
    ['emails', emails],
    ['phones', phones],
  ] as const) {
    const there = lowered(now[`entry_${kind}`]) as string[]
    for (const value of values.filter((one) => !there.includes(one.trim().toLowerCase()))) {
      const added = await api.send('POST', `/v2/customers/${id}/${kind}`, { value, type: 'work' })
      if (added.result === 'refused') losses.push('address_refused')
    }
  }
  return finishContact(context, record, id, losses)
}

async function finishContact(
  context: WriteContext,
  { key, customFields }: OutgoingRecord,
  id: string,
  losses: WriteLoss[],
): Promise<WriteOutcome> {
  const { api, facts } = context
  const values = valuesOf(facts.properties.values(), customFields)
  const slugs = [...facts.properties].flatMap(([slug, field]) =>
    values.has(field.key) ? [[slug, field.key] as const] : [],
  )
  const ops = slugs.map(([slug, name]) => ({ op: 'replace', path: `/${slug}`, value: values.get(name) }))
  const sent = ops.length > 0 ? await api.send('PATCH', `/v2/customers/${id}/properties`, ops) : null
  if (sent?.result === 'refused') losses.push('custom_value_refused')
  const raw = await api.one(`/v2/customers/${id}`)
  if (!raw) throw new RetryableError('Help Scout answered with no customer that it has just made')
  return written(key, id, foundContact(context, raw), losses)
}

// Organizations

const organizationDigest = (name: unknown) => digestOf(String(name).trim().toLowerCase(), 16)
const organizationsNow = ({ api }: WriteContext) => api.all('/v2/organizations', 'organizations')

function foundOrganization(raw: RawRecord) {
  const whole = { domains: [], description: null, note: null, ...raw }
  const content = toStored(label, desk.organizations, whole)
  return { ...content, version: versionOf(content.fields), url: organizationUrl(raw.id) }
}

async function findOrganizations(context: WriteContext, sought: readonly SoughtRecord[]): Promise<FoundRecord[]> {
  const noted = await context.inFlight.noted(
    'new_organizations',
    sought.map(({ key }) => key),
  )
  const all = noted.size === 0 ? [] : await organizationsNow(context)
  return [...noted].flatMap(([key, { digest }]) => {
    const same = all.find(({ name }) => organizationDigest(name) === digest)
    return same ? [{ ...foundOrganization(same), key, destinationId: String(same.id) }] : []
  })
}

/** A change sends all these fields, because Help Scout might empty omitted ones. */
const kept = ['name', 'website', 'description', 'location', 'logoUrl', 'note', 'domains', 'phones', 'brandColor']

/** Writes an organization. An existing organization with the same name stays unchanged, and is used. */
async function writeOrganization(
  context: WriteContext,
  record: OutgoingRecord,
  all: () => Promise<RawRecord[]>,
): Promise<WriteOutcome> {
  const { api, inFlight } = context
  const { key, fields } = record
  const body = writeRecord(desk.organizations, record)
  const digest = organizationDigest(fields.name)
  const isSame = ({ name }: RawRecord) => organizationDigest(name) === digest
  const same = record.destinationId === null ? (await all()).find(isSame) : undefined
  const isOurs = same !== undefined && (await inFlight.noted('new_organizations', [key])).has(key)
  if (same && !isOurs) return matched(key, same.id, organizationUrl(same.id))
  const destinationId = same ? String(same.id) : record.destinationId
  const raw = destinationId === null ? {} : present(await api.one(`/v2/organizations/${destinationId}`))
  const now = Object.entries(raw).filter(([name, value]) => kept.includes(name) && value !== null)
  const losses: WriteLoss[] = []
  const save = async () => {
    const send = (json: object) =>
      destinationId === null
        ? api.send('POST', '/v2/organizations', json)
        : api.send('PUT', `/v2/organizations/${destinationId}`, { ...Object.fromEntries(now), ...json })
    const sent = await send(body)
    // Help Scout refuses a domain that another organization has, or that is not a valid domain.
    if (sent.result === 'done' || !isAbout(sent, /^domain/)) return sent
    losses.push('relation_refused')
    return send({ ...body, domains: [] })
  }
  const finish = async (sent: Sent): Promise<WriteOutcome> => {
    const answer = done(sent)
    const id = destinationId ?? madeId(answer)
    const stored = await api.one(`/v2/organizations/${id}`)
    if (!stored) throw new RetryableError('Help Scout answered with no organization that it has just made')
    if (destinationId === null) (await all()).push(stored)
    return written(key, id, foundOrganization(stored), losses)
  }
  if (destinationId !== null) return finish(await save())
  return inFlight.make('new_organizations', key, { before: '0', digest }, async () => finish(await save()))
}
