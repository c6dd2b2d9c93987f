import { Parser } from 'htmlparser2'
import type { FieldType } from '../../../families/definition.ts'
import { escapeText } from '../../../text/plain-words.ts'
import { uncounted } from '../../kit/count-skipped.ts'
import { type MadeField, madeFields } from '../../kit/custom-fields.ts'
import { decodePart } from '../../kit/find-in-site.ts'
import { digestOf } from '../../kit/keys.ts'
import { objectsIn, type RawRecord } from '../../kit/lens.ts'
import { anId, objects, oddAt, parts, partsIn, withOdd } from '../../kit/odd-places.ts'
import { once } from '../../kit/once.ts'
import type { FreshdeskApi } from './api.ts'
import type { Facts } from './lenses.ts'

// Requests further data that a record needs, and adds it to the record.

export const fieldLists = {
  tickets: { path: '/ticket_fields', makes: '/admin/ticket_fields', shows: 'displayed_to_customers' },
  contacts: { path: '/contact_fields', makes: '/contact_fields', shows: 'displayed_for_customers' },
  organizations: { path: '/company_fields', makes: '/company_fields' },
} as const
export type FieldEntity = keyof typeof fieldLists

const types: Record<string, { type: FieldType; many?: boolean }> = {
  custom_paragraph: { type: 'long_text' },
  custom_checkbox: { type: 'boolean' },
  custom_number: { type: 'integer' },
  custom_decimal: { type: 'decimal' },
  custom_date: { type: 'date' },
  custom_date_time: { type: 'datetime' },
  custom_dropdown: { type: 'option' },
  nested_field: { type: 'option' },
  custom_multi_select: { type: 'option', many: true },
  custom_phone_number: { type: 'phone' },
  custom_url: { type: 'url' },
}

/**
 * Names of choices at each depth. Freshdesk sends choices as texts, as objects with a value, or as nested objects by
 * name.
 */
export function choicesAt(given: unknown, depth: number): string[] {
  const pairs: [string, unknown][] = [given].flat().flatMap((one: unknown): [string, unknown][] => {
    if (typeof one === 'string') return [[one, null]]
    if (typeof one !== 'object' || one === null) return []
    const { value, choices } = one as { value?: unknown; choices?: unknown }
    return typeof value === 'string' ? [[value, choices]] : Object.entries(one)
  })
  const names = depth === 0 ? pairs.map(([name]) => name) : pairs.flatMap(([, inner]) => choicesAt(inner, depth - 1))
  return [...new Set(names)]
}

const toChoices = (names: readonly string[]) => names.map((value) => ({ value, label: value }))

/** Custom fields. A dependent field, whose choices depend on another field, becomes a separate field. */
export function toMade(definitions: readonly RawRecord[]): Map<string, MadeField> {
  const all = definitions
    .filter((one) => one.default !== true)
    .flatMap((one): Record<string, unknown>[] => {
      const below = [one.nested_ticket_fields ?? one.dependent_fields ?? []].flat() as RawRecord[]
      const inner = below.map((field, index) => ({
        ...field,
        type: 'nested_field',
        choices: toChoices(choicesAt(one.choices, Number.isInteger(field.level) ? Number(field.level) - 1 : index + 1)),
      }))
      return [{ ...one, choices: toChoices(choicesAt(one.choices, 0)) }, ...inner]
    })
  return madeFields(all, { key: 'name', label: 'label', type: 'type', choices: 'choices' }, types)
}

const entriesOf = (choices: unknown): [string, unknown][] =>
  typeof choices === 'object' && choices !== null && !Array.isArray(choices) ? Object.entries(choices) : []

export async function readFacts(api: FreshdeskApi): Promise<Facts> {
  const names = Object.keys(fieldLists) as FieldEntity[]
  const lists = await Promise.all(names.map((entity) => api.plain(fieldLists[entity].path)))
  const staff = await api.all('/agents')
  const standard = (type: string) => lists[0]?.find((field) => field.type === type)?.choices
  return {
    made: Object.fromEntries(names.map((entity, index) => [entity, toMade(lists[index] ?? [])])),
    agents: new Set(staff.map(({ id }) => Number(id))),
    staff: new Map(staff.map((raw) => [Number(raw.id), String(agentAsContact(raw).name ?? raw.id)])),
    agentOf: new Map(staff.map((raw) => [String(agentAsContact(raw).email).toLowerCase(), Number(raw.id)])),
    // Each status has two names: the first is for agents, the second for customers.
    statuses: new Map(entriesOf(standard('default_status')).map(([id, words]) => [id, String([words].flat()[0])])),
    sources: new Map(entriesOf(standard('default_source')).map(([name, id]) => [String(id), name])),
    types: choicesAt(standard('default_ticket_type') ?? [], 0),
    mailboxes: new Map(
      (await api.all('/email/mailboxes', {}, uncounted)).map(({ id, name, support_email: address }) => [
        Number(id),
        [name, typeof address === 'string' && `(${address})`].filter(Boolean).join(' '),
      ]),
    ),
    products: new Map((await api.all('/products', {}, uncounted)).map(({ id, name }) => [Number(id), String(name)])),
    required: (lists[0] ?? [])
      .filter(
        (field) =>
          field.default !== true && (field.required_for_agents === true || field.required_for_closure === true),
      )
      .map((field) => String(field.label)),
  }
}

/**
 * Converts a value to its field's type. Freshdesk sends numbers as texts, dates with a time, and ids of other records
 * as numbers.
 */
export function tidyValue(type: string | undefined, value: unknown): unknown {
  if (value === null || value === undefined || value === '') return null
  if (type === 'integer' || type === 'decimal') return Number.isFinite(Number(value)) ? Number(value) : value
  if (type === 'date') return String(value).slice(0, 10)
  return type !== 'boolean' && typeof value === 'number' ? String(value) : value
}

/** Where tickets have two owners, an inner agent or group works on a ticket that belongs to others. */
export function openOwners(api: FreshdeskApi, facts: () => Promise<Facts>) {
  const groups = once(async () => new Map((await api.all('/groups')).map(({ id, name }) => [id, String(name)])))
  const isThere = (id: unknown): id is number => typeof id === 'number'
  return (tickets: readonly RawRecord[]): Promise<RawRecord[]> =>
    Promise.all(
      tickets.map(async (raw) => {
        const { internal_agent_id: agent, internal_group_id: group } = raw
        return {
          ...raw,
          internal_agent: isThere(agent) ? ((await facts()).staff.get(agent) ?? String(agent)) : null,
          internal_group: isThere(group) ? ((await groups()).get(group) ?? String(group)) : null,
        }
      }),
    )
}

/** Names custom values as the field definitions do. Records sometimes omit the prefix `cf_`. */
export function withValues(raw: RawRecord, { made }: Facts, entity: FieldEntity): RawRecord {
  const known = made[entity] ?? new Map<string, MadeField>()
  // A value of another form is left to the lens, which reports it.
  if (typeof (raw.custom_fields ?? {}) !== 'object') return raw
  const given = Object.entries((raw.custom_fields ?? {}) as object).map(([key, value]): [string, unknown] => {
    const name = [key, `cf_${key}`, key.replace(/^cf_/, '')].find((one) => known.has(one)) ?? key
    return [name, tidyValue(known.get(name)?.type, value)]
  })
  // An undefined field without a value causes no warning.
  return { ...raw, custom_fields: Object.fromEntries(given.filter(([key, value]) => known.has(key) || value !== null)) }
}

const textsIn = (...values: unknown[]): string[] =>
  values.flat().flatMap((one) => (/string|number/.test(typeof one) && String(one).trim() !== '' ? String(one) : []))

/** The same, with values of other forms: they are left to the lens, which reports them. */
const valuesIn = (...values: unknown[]): unknown[] =>
  values.flat().flatMap((one) => {
    if (one === null || one === undefined || one === '') return []
    return /string|number/.test(typeof one) ? textsIn(one) : [one]
  })

export function withAddresses(raw: RawRecord): RawRecord {
  const emails = valuesIn(raw.email, raw.other_emails)
  const inSmall = (one: unknown) => (typeof one === 'string' ? one.toLowerCase() : one)
  const isFirst = (one: unknown, at: number) => emails.findIndex((e) => inSmall(e) === inSmall(one)) === at
  return {
    ...raw,
    emails: emails.filter(isFirst),
    phones: [...new Set(valuesIn(raw.phone, raw.mobile, raw.other_phone_numbers))],
  }
}

/** Freshdesk allows 512 characters per query. */
const longestQuery = 480
const inQuery = (email: string) => `email:'${email}'`

/**
 * Finds contacts by primary address, several per search. The contact list takes one address per request and has a
 * separate limit.
 */
export async function findPeople(api: FreshdeskApi, emails: readonly string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  let left = emails.filter((email) => /^[^\s'"\\]{3,200}$/.test(email))
  while (left.length > 0) {
    const some: string[] = []
    for (const email of left) if ([...some, email].map(inQuery).join(' OR ').length <= longestQuery) some.push(email)
    const query = `"${some.map(inQuery).join(' OR ')}"`
    const { status, json } = await api.http.look('/search/contacts', [400, 403, 404], { query })
    const { results } = (status === 200 ? json : {}) as { results?: unknown }
    const people = api.recordsIn(results ?? [])
    for (const { id, email } of people) found.set(String(email).toLowerCase(), Number(id))
    // Nobody knows which of the addresses this person has. No number of a person is none, which the lens reports.
    const isOdd = people.some(({ email }) => !some.includes(String(email).toLowerCase()))
    for (const email of isOdd ? some : []) if (!found.has(email)) found.set(email, Number.NaN)
    left = left.filter((email) => !some.includes(email))
  }
  return found
}

/** Turns an agent into a contact, because agents can be requesters and authors, too. */
export function agentAsContact(raw: RawRecord): RawRecord {
  const [contact = {}] = objectsIn([raw.contact]) as Record<string, unknown>[]
  return { ...contact, updated_at: raw.updated_at ?? contact.updated_at, id: raw.id, other_emails: [], tags: [] }
}

/**
 * Longer texts are searched only up to this length, because parsing blocks the event loop. Later pictures stay links.
 */
const longestSearched = 500_000

/**
 * Pictures in a text that no file list contains. Their addresses change with each answer, so the id in the address
 * identifies them.
 */
function shownIn(html: unknown, isKnown: (address: string) => boolean): RawRecord[] {
  const found = new Map<string, RawRecord>()
  if (typeof html !== 'string' || !/<img/i.test(html)) return []
  const parser = new Parser({
    onopentag: (name, { src = '', alt, 'data-id': dataId }) => {
      const url = URL.parse(src)
      if (name !== 'img' || !url || !isOwn(url) || isKnown(src)) return
      const id = `i${/^\d{1,20}$/.test(dataId ?? '') ? dataId : idInToken(url)}`
      found.set(id, { id, name: alt?.trim() || nameIn(url), attachment_url: src, is_inline: true })
    },
  })
  parser.end(html.slice(0, longestSearched))
  return [...found.values()]
}

/** Whether Freshdesk hosts the picture. Pictures from elsewhere stay links. */
const isOwn = ({ pathname }: URL) => /\/inline\/attachment|\/helpdesk\/attachments\/|\/data\/helpdesk\//.test(pathname)
const nameIn = ({ pathname }: URL) => {
  const last = pathname.split('/').at(-1) ?? ''
  // A name in another encoding than UTF-8 is kept as the address has it.
  return /\.\w{2,5}$/.test(last) ? (decodePart(last.replace(/%(?![\da-f]{2})/gi, '%25')) ?? last) : 'picture'
}
function idInToken(url: URL): string {
  const [, claims = ''] = (url.searchParams.get('token') ?? '').split('.')
  const [, id] = /"id"\s*:\s*"?(\d{1,20})/.exec(Buffer.from(claims, 'base64url').toString()) ?? []
  return id ?? digestOf(url.searchParams.get('token') ?? url.pathname, 16)
}

/** Files that people keep in a cloud. Freshdesk has only their names and addresses. */
const cloudFilesIn = (given: unknown): string[] =>
  objectsIn(given).map(({ name, filename, url, id }) => textsIn(name ?? filename, url).join(' ') || String(id))

/** Newer chats have their words in parts. Freshdesk usually puts them together in the text, too. */
function wordsIn({ structured_body: body, structured_description: description }: RawRecord): string | null {
  const inBody = (body as { body_contents?: unknown } | null | undefined)?.body_contents
  const inTicket = (description as { description_contents?: unknown } | null | undefined)?.description_contents
  const words = objectsIn(inBody ?? inTicket).flatMap(({ data }) =>
    textsIn((data as { content?: unknown } | null)?.content),
  )
  return words.length === 0 ? null : words.map((one) => `<p>${escapeText(one)}</p>`).join('')
}

/** Adds the files of a text. A file's id contains the ids of its parents. */
export function withFiles(
  raw: RawRecord,
  parent: { entity: string; sourceId: string },
  at: string,
  text: string,
  more: Record<string, unknown>,
): RawRecord {
  const listed = partsIn(raw.attachments).map((file) => ({
    ...file,
    size: file.size ?? file.file_size ?? null,
    is_inline: false,
  }))
  const addresses = new Set(listed.map((file) => (file as RawRecord).attachment_url))
  const body = raw[text] || wordsIn(raw) || raw[text]
  const files = [...listed, ...shownIn(body, (address) => addresses.has(address))]
  const whole = { ...raw, [text]: body, cloud_files: cloudFilesIn(raw.cloud_files) }
  const all = files.map((file) => ({ ...file, ...more, id: `${at}-${file.id}`, parent }))
  return withOdd({ ...whole, files: all }, oddAt(raw, { attachments: parts, cloud_files: objects, user_id: anId }))
}
