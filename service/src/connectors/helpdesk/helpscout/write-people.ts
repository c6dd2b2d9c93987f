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
import type { InFlight, Noted } from '../../kit/in-flight.ts'
import { digestOf, noKey } from '../../kit/keys.ts'
import { objectsIn, type RawRecord, valueAt } from '../../kit/lens.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { matched, written } from '../../kit/outcomes.ts'
import { filledIn, versionOf } from '../../kit/version.ts'
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
import { type Facts, joinName, lowered, splitName, trimmed } from './lenses.ts'
import { type Inbox, personUrl, toPerson } from './look-around.ts'

export interface WriteContext {
  api: HelpscoutApi
  inFlight: InFlight
  facts: Facts & { inboxes: Inbox[] }
  /** The id of the user who owns the key. */
  me: string
}

export function contactEntity(context: WriteContext): WrittenEntity {
  const { api, facts } = context
  const look = {
    byIds: eachById((id) => api.one(`/v2/customers/${id}`), requestsAtOnce),
    key: noKey,
    remove: (id: string) => api.send('DELETE', `/v2/customers/${id}`, undefined, true),
    toFound: (raw: RawRecord) => foundContact(context, raw),
    // Deleting a customer would permanently delete all their conversations.
    findNeed: async ({ conversationCount: count }: RawRecord) =>
      count === 0 ? null : 'Conversations of this account name them.',
  }
  const isUnplaced = ({ destinationId }: SoughtRecord) => destinationId === null
  return {
    declared: desk.contacts,
    offer: {
      required: ['name'],
      customFields: [...facts.properties.values()].map(toCustomField),
      unites: { kind: 'person', by: ['emails'] },
      capabilities: { backdate: false },
    },
    write: (records) => writeEach(records, (record) => writeContact(context, record)),
    look: () => look,
    find: async (sought) => [
      ...(await findRecords(look, sought)),
      ...(await findContacts(context, sought.filter(isUnplaced))),
    ],
    asStored: (content) => ({
      ...asStored(desk.contacts, content),
      customFields: Object.fromEntries(valuesOf(facts.properties.values(), content.customFields)),
    }),
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
      const field = fields.get(name)
      // A choice may come as its label.
      return field === undefined || value === null ? [] : [[field.key, String(writeMade(field, value))]]
    }),
  )

const personDigest = (name: unknown, emails: unknown, phones: unknown) =>
  digestOf(JSON.stringify([joinName(splitName(name)), lowered(emails ?? []), trimmed(phones ?? [])]), 16)

function foundContact({ facts }: WriteContext, raw: RawRecord) {
  const person = toPerson(raw, facts)
  const content = toStored(label, desk.contacts, person)
  const customFields = valuesNow(facts.properties, person.entry_properties)
  // Not the values that Help Scout may look up by itself, such as place, age and profiles.
  const own = filledIn(person, ['jobTitle', 'entry_websites', 'entry_chats'])
  return { ...content, customFields, version: versionOf(content.fields, customFields, ...own), url: personUrl(raw.id) }
}

/** Finds customers by our notes: created since the note, with the same name and addresses. */
async function findContacts(context: WriteContext, sought: readonly SoughtRecord[]): Promise<FoundRecord[]> {
  const { inFlight } = context
  const keys = sought.map(({ key }) => key)
  const noted = await inFlight.noted('new_customers', keys)
  if (noted.size === 0) return []
  const since = [...noted.values()].map(({ before }) => before).sort()[0]
  const people = await context.api.all('/v2/customers', 'customers', { modifiedSince: since })
  // Several people may have one name and no address.
  const taken = await inFlight.claimed('new_customers', [...noted.keys()])
  const found: FoundRecord[] = []
  for (const [key, note] of noted) {
    const same = people.find((raw) => !taken.has(String(raw.id)) && isNoted(context, note, raw))
    if (!same) continue
    const destinationId = String(same.id)
    taken.add(destinationId)
    await inFlight.claim('new_customers', key, note, destinationId)
    found.push({ ...foundContact(context, same), key, destinationId })
  }
  return found
}

/** Whether the note describes this customer: created since then, with the same name and addresses. */
function isNoted({ facts }: WriteContext, { before, digest }: Noted, raw: RawRecord): boolean {
  const { entry_name: name, entry_emails: emails, entry_phones: phones } = toPerson(raw, facts)
  const isNew = Date.parse(String(raw.createdAt)) >= Date.parse(before)
  return isNew && personDigest(name, emails, phones) === digest
}

/**
 * Finds a customer by e-mail address. API version 3 filters by address directly, so nothing needs escaping for a
 * search. The list may still show a customer whom an undo has just removed, so each is looked up by id.
 */
async function findByEmail({ api }: WriteContext, email: string): Promise<RawRecord | undefined> {
  const { items } = await api.page('/v3/customers', 'customers', { email })
  const has = (raw: RawRecord) =>
    (lowered(toPerson(raw, { properties: new Map() }).entry_emails) as string[]).includes(email.toLowerCase())
  for (const raw of items.filter(has)) if (await api.one(`/v2/customers/${raw.id}`)) return raw
  return undefined
}

/** Ten minutes ago. Even with clocks that differ, Help Scout dates no new record of ours earlier. */
const beforeNow = () => `${new Date(Date.now() - 10 * 60_000).toISOString().slice(0, 19)}Z`

async function writeContact(context: WriteContext, record: OutgoingRecord): Promise<WriteOutcome> {
  const { api, inFlight } = context
  const { key, destinationId } = record
  // A value that the source has lost since is cleared in the copy.
  const {
    entry_name: name,
    entry_emails: given,
    entry_phones: numbers,
    ...plain
  } = writeRecord(desk.contacts, record, { isWhole: destinationId !== null })
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
  let kept = phones
  const create = (some: readonly string[] = []) =>
    api.send('POST', '/v2/customers', { ...Object.fromEntries(words), emails: entries(some), phones: entries(kept) })
  const noted = { before: beforeNow(), digest: personDigest(name, emails, phones) }
  const outcome = await inFlight.make('new_customers', key, noted, async (): Promise<WriteOutcome> => {
    const losses: WriteLoss[] = []
    if (known) return finishContact(context, record, String(known.id), losses)
    let sent = await create(emails)
    if (sent.result === 'refused' && isAbout(sent, /^phones/)) {
      kept = acceptable(sent, 'phones', phones ?? [])
      sent = await create(emails)
      losses.push('phone_refused')
    }
    if (sent.result === 'refused' && sent.status === 409 && email !== undefined) {
      // Another customer has one of the addresses. The list may not show that customer yet.
      const owner = await findByEmail(context, email)
      if (owner) return matched(key, owner.id, personUrl(owner.id))
      if (emails?.length === 1) {
        if (!earlier) await inFlight.forget('new_customers', key)
        throw new RetryableError('Help Scout answered that it knows an address, and does not show whose')
      }
      // The others are added one by one, so that only the one that is taken gets lost.
      const id = madeId(done(await create([email])))
      if (!(await addEntries(context, id, 'emails', emails?.slice(1) ?? []))) losses.push('address_refused')
      return finishContact(context, record, id, losses)
    } else if (sent.result === 'refused' && isAbout(sent, /^emails/)) {
      const left = await create(acceptable(sent, 'emails', emails ?? []))
      sent = left.result === 'refused' && isAbout(left, /^emails/) ? await create([]) : left
      losses.push('address_refused')
    }
    return finishContact(context, record, madeId(done(sent)), losses)
  })
  if (email === undefined && outcome.result === 'written')
    await inFlight.claim('new_customers', key, noted, outcome.destinationId)
  return outcome
}

/** Changes a customer. The engine leaves a customer alone whom people have changed. */
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
    if ((raw[name] || null) === value) return []
    return value === null ? [{ op: 'remove', path: `/${name}` }] : [{ op: 'replace', path: `/${name}`, value }]
  })
  if (changes.length > 0) accepted(await api.send('PATCH', `/v2/customers/${id}`, changes))
  const losses: WriteLoss[] = []
  for (const [kind, values, loss] of [
    ['emails', emails, 'address_refused'],
    ['phones', phones, 'phone_refused'],
  ] as const) {
    const there = lowered(now[`entry_${kind}`]) as string[]
    const missing = values.filter((one) => !there.includes(one.trim().toLowerCase()))
    if (!(await addEntries(context, id, kind, missing))) losses.push(loss)
    const wanted = lowered(values) as string[]
    for (const entry of objectsIn(valueAt(raw, `_embedded.${kind}`))) {
      if (typeof entry.value !== 'string' || wanted.includes(entry.value.trim().toLowerCase())) continue
      const removed = await api.send('DELETE', `/v2/customers/${id}/${kind}/${entry.id}`)
      if (removed.result === 'refused' && removed.status !== 404) losses.push(loss)
    }
  }
  return finishContact(context, record, id, losses, now.entry_properties)
}

/** Adds addresses or phone numbers to a customer. Whether Help Scout took all of them. */
async function addEntries(
  { api }: WriteContext,
  id: string,
  kind: 'emails' | 'phones',
  values: readonly string[],
): Promise<boolean> {
  const results: Sent['result'][] = []
  for (const value of values)
    results.push((await api.send('POST', `/v2/customers/${id}/${kind}`, { value, type: 'work' })).result)
  return !results.includes('refused')
}

/** `had`: the properties that the customer has so far. */
async function finishContact(
  context: WriteContext,
  { key, customFields }: OutgoingRecord,
  id: string,
  losses: WriteLoss[],
  had: unknown = {},
): Promise<WriteOutcome> {
  const { api, facts } = context
  const values = valuesOf(facts.properties.values(), customFields)
  const now = valuesNow(facts.properties, had)
  const ops = [...facts.properties].flatMap(([slug, { key: name }]) => {
    const [value, kept] = [values.get(name), now[name]]
    if (value === kept) return []
    return [value === undefined ? { op: 'remove', path: `/${slug}` } : { op: 'replace', path: `/${slug}`, value }]
  })
  const send = (some: object[]) => api.send('PATCH', `/v2/customers/${id}/properties`, some)
  if (ops.length > 0 && (await send(ops)).result === 'refused') {
    losses.push('custom_value_refused')
    // The value that Help Scout refuses does not cost the others.
    if (ops.length > 1) for (const op of ops) await send([op])
  }
  const raw = await api.one(`/v2/customers/${id}`)
  if (!raw) throw new RetryableError('Help Scout answered with no customer that it has just made')
  return written(key, id, foundContact(context, raw), losses)
}
