import Type from 'typebox'
import type { FieldType } from '../../../families/definition.ts'
import { cutText } from '../../../text/cut-text.ts'
import { escapeText, plainWords } from '../../../text/plain-words.ts'
import { type MadeField, madeField } from '../../kit/custom-fields.ts'
import { objectsIn, type RawRecord, valueAt } from '../../kit/lens.ts'
import { anId, objects, oddAt, parts, withOdd } from '../../kit/odd-places.ts'
import type { IntercomApi } from './api.ts'
import { type Facts, isInTime, isMarkup, type State, toIso } from './entities.ts'
import { filesOf, stableText } from './files.ts'
import { withIntercoms, withoutMarks } from './own-attributes.ts'

// Requests further data that a record needs, and converts conversations and tickets to one format.

type Raw = Readonly<Record<string, unknown>>
/** Statuses of a list that the plan does not include. Such a list is read as empty and reported (withheld.ts). */
export const lacking = [403, 404] as const

const kinds: Readonly<Record<string, FieldType>> = {
  string: 'text',
  integer: 'integer',
  float: 'decimal',
  decimal: 'decimal',
  boolean: 'boolean',
  date: 'datetime',
  datetime: 'datetime',
  list: 'option',
  options: 'option',
}
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null
const signs: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" }
/** Intercom takes names and addresses as text, and answers them as HTML, such as `O&#39;Brien`. */
export const shownText = (value: unknown): string | null => {
  const text = textOf(value)
  if (text === null || text.includes('<')) return text
  return text.replace(/&(amp|lt|gt|quot|#39|#x27);/g, (sign, name: string) => signs[name] ?? sign)
}
export const listOf = (value: unknown): Raw[] => objectsIn(value)
export const idOf = (value: unknown): string | null =>
  (typeof value === 'string' && value !== '' && value !== '0') || (typeof value === 'number' && value > 0)
    ? String(value)
    : null

/**
 * The choices of an attribute. Each kind of attribute stores them under another name. Older records have choices that
 * were archived since.
 */
export function choicesOf(attribute: Raw, { withArchived = false } = {}): { id: string; label: string }[] {
  const inside = Object.values((attribute.input_options ?? {}) as object)
  const given = [attribute.options, attribute.list_options, ...inside].find(Array.isArray)
  return (given ?? []).flatMap((one: unknown) => {
    if (typeof one === 'string') return { id: one, label: one }
    const { id, label, name: named, value, archived } = (one ?? {}) as Raw
    const name = textOf(label) ?? textOf(named) ?? textOf(value)
    return name === null || (archived === true && !withArchived) ? [] : { id: idOf(id) ?? name, label: name }
  })
}

/** Undefined for files, which become attachments. A type that we do not know is read as text. */
export const typeOf = (attribute: Raw): FieldType | undefined => {
  const type = attribute.data_type === 'files' ? undefined : (kinds[String(attribute.data_type)] ?? 'text')
  if (type === 'text' && choicesOf(attribute).length > 0) return 'option'
  const isLong = attribute.multiline === true || valueAt(attribute, 'input_options.multiline') === true
  return type === 'text' && isLong ? 'long_text' : type
}

/**
 * Merges attributes with the same name and type into one field, for example attributes of several ticket types. Older
 * tickets still hold the values of archived attributes.
 */
function toMade(attributes: readonly Raw[]): Map<string, MadeField> {
  const fields = new Map<string, { label: string; type: FieldType; choices: Map<string, string> }>()
  for (const attribute of attributes) {
    const [label, type] = [textOf(attribute.name), typeOf(attribute)]
    if (label === null || type === undefined || /^_default_/.test(label)) continue
    const known = fields.get(`${label}|${type}`) ?? { label, type, choices: new Map() }
    for (const choice of choicesOf(attribute)) {
      known.choices.set(choice.label, choice.label)
    }
    fields.set(`${label}|${type}`, known)
  }
  const labels = [...fields.values()].map(({ label }) => label)
  return new Map(
    [...fields].map(([key, { label, type, choices }]) => {
      const isOnly = labels.filter((one) => one === label).length === 1
      const options = [...choices].map(([value, name]) => ({ value, label: name }))
      return [key, madeField({ key: isOnly ? label : `${label}_${type}`, label, type, choices: options })]
    }),
  )
}

/**
 * Custom values by the keys of `toMade`, converted to their types. Intercom sends moments as seconds or as texts. A value
 * whose attribute is not listed, such as one of Intercom itself, keeps its name, so that it is reported.
 */
export function valuesOf(values: unknown, attributes: readonly Raw[]): Record<string, unknown> {
  const given = (typeof values === 'object' && values !== null ? values : {}) as Raw
  const read: Record<string, unknown> = {}
  for (const attribute of attributes) {
    const [name, type] = [String(attribute.name), typeOf(attribute)]
    const value = Object.hasOwn(given, name) ? given[name] : null
    if (value === null || value === undefined || type === undefined || /^_default_/.test(name)) continue
    read[`${name}|${type}`] = tidy(type, value, attribute)
  }
  const listed = new Set(attributes.map(({ name }) => name))
  for (const [name, value] of Object.entries(given)) {
    if (!listed.has(name) && !/^_default_/.test(name) && (value ?? '') !== '') read[name] = value
  }
  return read
}

export function tidy(type: FieldType, value: unknown, attribute: Raw): unknown {
  if (value === '') return null
  if (type === 'option' && typeof value !== 'object') {
    const all = choicesOf(attribute, { withArchived: true })
    return all.find(({ id }) => id === String(value))?.label ?? String(value)
  }
  if (type === 'datetime') {
    // Other numbers, such as those of an app that sends microseconds, fit no field of this type, which is reported.
    const isNumber = typeof value === 'number' || /^\d+$/.test(String(value))
    if (isNumber) return isInTime(Number(value)) ? toIso(Number(value)) : value
    return /^\d{4}-\d{2}-\d{2}$/.test(String(value)) ? `${value}T00:00:00.000Z` : value
  }
  const isNumber = type === 'integer' || type === 'decimal'
  if (isNumber && typeof value === 'string') return Number.isFinite(Number(value)) ? Number(value) : value
  return (type === 'text' || type === 'long_text') && typeof value === 'number' ? String(value) : value
}

const familyStates: Readonly<Record<string, [name: string, label: string]>> = {
  submitted: ['new', 'submitted'],
  in_progress: ['open', 'in progress'],
  waiting_on_customer: ['pending', 'waiting on customer'],
  resolved: ['solved', 'resolved'],
}

/** States with family names for standard states, and with their own names for custom states. */
export function toStates(raw: readonly Raw[]): State[] {
  return raw.flatMap((state) => {
    const [category, id] = [String(state.category), idOf(state.id)]
    const [name, usual] = familyStates[category] ?? []
    const shown = textOf(state.internal_label)
    if (id === null) return []
    const isOnly = raw.filter((one) => one.category === category).length === 1
    return { id, category, name: name && (isOnly || shown?.toLowerCase() === usual) ? name : (shown ?? category) }
  })
}

export interface Around extends Facts {
  attributes: Readonly<Record<'organizations' | 'contacts' | 'conversations', readonly Raw[]>>
  types: readonly Raw[]
}
export const attributesOf = (type: Raw | undefined): Raw[] =>
  listOf(
    valueAt(type ?? {}, 'ticket_type_attributes.data') ??
      valueAt(type ?? {}, 'ticket_type_attributes.ticket_type_attributes'),
  )

const archivedToo = { include_archived: true }
/** Without archived attributes whose name a live one has. Records keep the values of the other archived ones. */
function nameable(attributes: readonly Raw[]): Raw[] {
  const live = new Set(attributes.filter(({ archived }) => archived !== true).map(({ name }) => name))
  return attributes.filter(({ archived, name }) => archived !== true || !live.has(name))
}

export async function readAround(api: IntercomApi): Promise<Around> {
  const [me, admins, tags, companies, people, conversations, types, states] = await Promise.all([
    api.http.ask('/me'),
    api.short('/admins', 'admins'),
    api.short('/tags', 'data'),
    api.short('/data_attributes', 'data', { model: 'company', ...archivedToo }, lacking),
    api.short('/data_attributes', 'data', { model: 'contact', ...archivedToo }, lacking),
    api.short('/conversations/attributes', 'data', archivedToo, lacking),
    api.short('/ticket_types', 'data', {}, lacking),
    api.short('/ticket_states', 'data', {}, lacking),
  ])
  const custom = (list: readonly Raw[]) => nameable(list.filter(({ custom: isCustom }) => isCustom === true))
  const attributes = {
    organizations: custom(companies),
    contacts: custom(people),
    conversations: withIntercoms(nameable(conversations)),
  }
  return {
    workspace: textOf(valueAt(me.json as Raw, 'app.id_code')) ?? '',
    admins: new Map(admins.map(({ id, name }) => [String(id), shownText(name) ?? String(id)])),
    tags: new Map(tags.map(({ id, name }) => [String(id), String(name ?? id)])),
    states: toStates(states),
    types,
    attributes,
    made: {
      organizations: toMade(attributes.organizations),
      contacts: toMade(attributes.contacts),
      tickets: toMade([...attributes.conversations, ...types.flatMap(attributesOf)]),
    },
  }
}

export const tagNames = (tags: unknown, around: Around): string[] =>
  listOf(tags).map(({ id, name }) => textOf(name) ?? around.tags.get(String(id)) ?? String(id))
const adminIn = (around: Around, id: unknown): string | null => (around.admins.has(String(id)) ? String(id) : null)

/** The author: a teammate or a customer. A bot counts as no author. */
export function authorsOf(author: unknown, around: Around) {
  const { type, id, email, name } = (author ?? {}) as Raw
  const isPerson = ['user', 'lead', 'contact'].includes(String(type))
  return {
    author_agent: type === 'admin' ? adminIn(around, id) : null,
    author_contact: isPerson ? idOf(id) : null,
    author_email: isPerson ? shownText(email) : null,
    author_name: shownText(name),
  }
}

export const seconds = (value: unknown): number | null =>
  Number.isInteger(value) && Number(value) > 0 ? Number(value) : null

const conversationStates: Readonly<Record<string, string>> = { open: 'open', closed: 'solved', snoozed: 'on_hold' }
/** A conversation is `priority` or `not_priority`; older answers have four levels. */
const priorities: Readonly<Record<string, string>> = {
  ...{ priority: 'high', low: 'low', medium: 'normal', high: 'high', urgent: 'urgent' },
}

export const peopleIn = (raw: RawRecord): string[] =>
  listOf(valueAt(raw, 'contacts.contacts')).flatMap(({ id }) => idOf(id) ?? [])

const sharedParts = {
  ...{ 'contacts.contacts': parts, 'linked_objects.data': parts, 'tags.tags': objects, 'company.id': anId },
  ...{ 'source.author': Type.Object({}), 'source.attachments': objects },
  ...{ source: Type.Object({}), ticket_attributes: Type.Object({}) },
}
const sharedOf = (raw: RawRecord, around: Around) => {
  const people = peopleIn(raw)
  const linked = listOf(valueAt(raw, 'linked_objects.data')).flatMap(({ id, type }) => {
    const prefix = type === 'ticket' ? 't' : type === 'conversation' ? 'c' : null
    return prefix && idOf(id) ? `${prefix}${id}` : []
  })
  const shared = {
    created_at: raw.created_at,
    updated_at: raw.updated_at,
    snoozed_until: seconds(raw.snoozed_until),
    requester: people[0] ?? null,
    others: people.slice(1),
    assignee: adminIn(around, raw.admin_assignee_id),
    is_assignee_gone: idOf(raw.admin_assignee_id) !== null && adminIn(around, raw.admin_assignee_id) === null,
    team: idOf(raw.team_assignee_id),
    organization: idOf(valueAt(raw, 'company.id')),
    linked,
    tag_names: tagNames(valueAt(raw, 'tags.tags'), around),
  }
  return withOdd(shared, oddAt(raw, sharedParts))
}

export function fromConversation(raw: RawRecord, around: Around, site: string): RawRecord {
  const source = (raw.source ?? {}) as Raw
  const id = `c${raw.id}`
  const authors = authorsOf(source.author, around)
  const parent = { entity: 'tickets', sourceId: id }
  const first = { ...source, attributes: raw.custom_attributes }
  const files = filesOf(first, `${id}-0`, parent, raw.created_at, authors.author_agent, site)
  const html = stableText(textOf(source.body) ?? '', files)
  const closedAt = seconds(valueAt(raw, 'statistics.last_close_at'))
  const words = plainWords(html.slice(0, 2_000)).replace(/\s+/g, ' ')
  const shared = sharedOf(raw, around)
  return {
    id,
    ...shared,
    requester: shared.requester ?? authors.author_contact,
    number: String(raw.id),
    url: `${site}/a/inbox/${around.workspace}/inbox/conversation/${raw.id}`,
    subject:
      textOf(raw.title) ??
      textOf(plainWords(textOf(source.subject) ?? '')) ??
      (cutText(words, 100) || `Conversation ${raw.id}`),
    html,
    files,
    status: conversationStates[String(raw.state)] ?? (raw.open === false ? 'solved' : 'open'),
    priority: priorities[String(raw.priority)] ?? null,
    channel: typeof source.type === 'string' ? textOf(source.type) : (source.type ?? null),
    // Where the customer was when the conversation began.
    page: textOf(source.url),
    ...authors,
    is_private: false,
    solved_at: raw.state === 'closed' ? closedAt : null,
    rating: valueAt(raw, 'conversation_rating.rating') ?? null,
    rating_remark: valueAt(raw, 'conversation_rating.remark') ?? null,
    custom_values: valuesOf(withoutMarks(raw.custom_attributes), around.attributes.conversations),
  }
}

/** Descriptions are plain text, unless an answer wraps them in paragraphs. */
const descriptionOf = (text: string): string =>
  text === '' || isMarkup(text) ? text : `<p>${escapeText(text).replace(/\r\n?|\n/g, '<br>')}</p>`

export function fromTicket(raw: RawRecord, around: Around, site: string): RawRecord {
  const id = `t${raw.id}`
  const attributes = (raw.ticket_attributes ?? {}) as Raw
  const type = around.types.find((one) => idOf(one.id) === idOf(valueAt(raw, 'ticket_type.id'))) ?? raw.ticket_type
  const parent = { entity: 'tickets', sourceId: id }
  const body = descriptionOf(textOf(attributes._default_description_) ?? '')
  const own = attributesOf((type ?? {}) as Raw)
  const visible = own.filter(({ visible_to_contacts: isVisible }) => isVisible === true).map(({ name }) => name)
  // Without a word about it, only customer tickets are certainly visible to customers.
  const isPrivate = typeof raw.is_shared === 'boolean' ? !raw.is_shared : raw.category !== 'Customer'
  const files = filesOf({ body, attributes }, `${id}-0`, parent, raw.created_at, null, site, isPrivate, visible)
  const html = stableText(body, files)
  const state = around.states.find((one) => one.id === idOf(valueAt(raw, 'ticket_state.id')))
  const category = String(valueAt(raw, 'ticket_state.category') ?? raw.ticket_state)
  return {
    id,
    ...sharedOf(raw, around),
    number: textOf(raw.ticket_id) ?? String(raw.id),
    url: `${site}/a/inbox/${around.workspace}/inbox/conversation/t${raw.id}`,
    subject:
      textOf(attributes._default_title_) ??
      (cutText(plainWords(html.slice(0, 2_000)), 100) || `Ticket ${raw.ticket_id ?? raw.id}`),
    html,
    files,
    status: state?.name ?? familyStates[category]?.[0] ?? category,
    channel: 'ticket',
    author_agent: null,
    is_private: isPrivate,
    ticket_type_name: textOf(valueAt((type ?? {}) as Raw, 'name')),
    custom_values: valuesOf(attributes, own),
  }
}
