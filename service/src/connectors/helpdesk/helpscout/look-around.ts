import Type from 'typebox'
import { cutText } from '../../../text/cut-text.ts'
import { readHtml } from '../../../text/plain-words.ts'
import { type MadeField, madeField } from '../../kit/custom-fields.ts'
import { decodePart } from '../../kit/find-in-site.ts'
import { objectsIn, type RawRecord, valueAt } from '../../kit/lens.ts'
import { anId, objects, oddAt, oddIn, parts, partsIn, withOdd } from '../../kit/odd-places.ts'
import { readAll } from '../../kit/pages.ts'
import { each } from '../../kit/schema-parts.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { isMoment } from '../../kit/times.ts'
import { type HelpscoutApi, pageSize, requestsAtOnce } from './api.ts'
import { type Facts, joinName, markIn, numberIn } from './lenses.ts'

// Requests further data that a record needs, and adds it to the record.

const site = 'https://secure.helpscout.net'
export const ticketUrl = (id: unknown, number?: unknown) =>
  `${site}/conversation/${id}${number === undefined ? '' : `/${number}`}`
export const personUrl = (id: unknown) => `${site}/customers/${id}/`
export const organizationUrl = (id: unknown) => `${site}/organizations/${id}/`

const types: Readonly<Record<string, MadeField['type']>> = {
  number: 'integer',
  date: 'date',
  dropdown: 'option',
  multiline: 'long_text',
  url: 'url',
}
const listAt = (raw: Readonly<Record<string, unknown>>, path: string): RawRecord[] => objectsIn(valueAt(raw, path))
/** Choices of organizations have no ids: their labels are the values. */
const choicesOf = (raw: RawRecord) =>
  listAt(raw, 'options').map(({ id, label }: Record<string, unknown>) => ({
    value: String(id ?? label),
    label: String(label),
  }))

export interface Inbox {
  id: number
  name: string
  fields: readonly { id: number; required: boolean; made: MadeField }[]
}

/** Reads the inboxes with their custom fields. Fields with the same name get the name of their inbox appended. */
export async function readInboxes(api: HelpscoutApi): Promise<Inbox[]> {
  const boxes = (await api.all('/v2/mailboxes', 'mailboxes')).sort((one, other) => Number(one.id) - Number(other.id))
  const lists = await sideBySide(boxes, requestsAtOnce, ({ id }) => api.all(`/v2/mailboxes/${id}/fields`, 'fields'))
  const names = lists.flat().map(({ name }) => name)
  const isShared = (name: unknown) => names.indexOf(name) !== names.lastIndexOf(name)
  return boxes.map((box, at) => ({
    ...{ id: Number(box.id), name: String(box.name) },
    fields: (lists[at] ?? []).map((raw) => {
      const label = isShared(raw.name) ? `${raw.name} (${box.name})` : String(raw.name)
      const type = types[String(raw.type)] ?? 'text'
      const made = madeField({ key: String(raw.id), label, type, choices: choicesOf(raw) })
      return { id: Number(raw.id), required: raw.required === true, made }
    }),
  }))
}

async function readProperties(api: HelpscoutApi, path: string, list: string): Promise<Map<string, MadeField>> {
  const { json } = await api.look(path, [400, 403, 404])
  return new Map(
    listAt((json ?? {}) as RawRecord, `_embedded.${list}`).map((raw) => {
      const { slug, name, type } = raw as Record<string, unknown>
      const field = { key: `property_${slug}`, label: String(name), type: types[String(type)] ?? 'text' }
      return [String(slug), madeField({ ...field, choices: choicesOf(raw) })]
    }),
  )
}

export async function readFacts(api: HelpscoutApi): Promise<Facts & { inboxes: Inbox[] }> {
  const idsOf = (list: RawRecord[]) => new Set(list.map(({ id }) => String(id)))
  const [users, teams, inboxes, properties, organizationProperties] = await Promise.all([
    api.all('/v2/users', 'users'),
    api.all('/v2/teams', 'teams'),
    readInboxes(api),
    readProperties(api, '/v2/customer-properties', 'customer-properties'),
    readProperties(api, '/v2/organizations/properties', 'organization-properties'),
  ])
  const fields = new Map(inboxes.flatMap((box) => box.fields.map(({ id, made }) => [String(id), made])))
  return { users: idsOf(users), teams: idsOf(teams), inboxes, properties, organizationProperties, fields }
}

/** A choice that was deleted still has its text. */
const isGoneChoice = (field: MadeField | undefined, value: unknown, text: unknown): boolean =>
  field?.type === 'option' && !field.labels.has(String(value)) && typeof text === 'string' && text !== ''

/** Converts a value to its field's type. Help Scout sends all values as texts. */
export const tidy = (field: MadeField | undefined, value: unknown): unknown => {
  if (value === null || value === undefined || value === '') return null
  return field?.type === 'integer' && /^-?\d{1,15}$/.test(String(value)) ? Number(value) : value
}

/** Values of properties, by slug. */
const propertiesIn = (list: RawRecord[], fields: ReadonlyMap<string, MadeField>): Record<string, unknown> =>
  Object.fromEntries(
    list.map(({ slug, value, text }: Record<string, unknown>) => {
      const field = fields.get(String(slug))
      return [String(slug), tidy(field, isGoneChoice(field, value, text) ? text : value)]
    }),
  )

/** Only an organization that was requested alone has its properties. */
export const organizationPath = (id: unknown) => `/v2/organizations/${id}?includeProperties=true`
export const toOrganization = (
  raw: RawRecord,
  { organizationProperties }: Pick<Facts, 'organizationProperties'>,
): RawRecord =>
  withOdd(
    { ...raw, entry_properties: propertiesIn(listAt(raw, 'properties'), organizationProperties) },
    oddAt(raw, { properties: objects }),
  )

function addressIn(raw: RawRecord): Record<string, unknown> | null {
  const address = valueAt(raw, '_embedded.address')
  if (typeof address !== 'object' || address === null) return null
  const { lines, ...rest } = address as { lines?: unknown }
  const [line1, ...more] = Array.isArray(lines) ? lines.map(String) : []
  return { ...rest, line1, line2: more.join(', ') }
}

const personParts = {
  '_embedded.address': Type.Object({ lines: Type.Optional(Type.Array(Type.String())) }),
  ...each(
    objects,
    ...['emails', 'phones', 'websites', 'social_profiles', 'chats', 'properties'].map((name) => `_embedded.${name}`),
  ),
}
export function toPerson(raw: RawRecord, { properties }: Pick<Facts, 'properties'>): RawRecord {
  const isThere = (value: unknown) => value !== null && value !== undefined && value !== ''
  const valuesOf = (name: string) =>
    listAt(raw, `_embedded.${name}`)
      .map(({ value }) => value)
      .filter(isThere)
  const email = valuesOf('emails').find((one) => typeof one === 'string')
  /** Names at other services, each with its service. */
  const handlesOf = (name: string) =>
    listAt(raw, `_embedded.${name}`).flatMap(({ type, value }: Record<string, unknown>) => {
      const service = typeof type === 'string' && !/^(other)?$/i.test(type) ? `${type}: ` : ''
      if (!isThere(value)) return []
      return [typeof value === 'string' ? `${service}${value}` : value]
    })
  const person = {
    ...raw,
    // Help Scout leaves out values that a customer does not have.
    ...{ organizationId: raw.organizationId ?? null, background: raw.background ?? null },
    // Some customers have only the name of an organization.
    entry_organization: (raw.organizationId ?? null) === null ? (raw.organization ?? null) : null,
    // A customer without a name gets the e-mail address as name.
    entry_name: joinName(raw) || (email ?? `Customer ${raw.id}`),
    entry_emails: valuesOf('emails'),
    entry_phones: valuesOf('phones'),
    entry_websites: valuesOf('websites'),
    entry_profiles: handlesOf('social_profiles'),
    entry_chats: handlesOf('chats'),
    entry_address: addressIn(raw),
    entry_gender: /^unknown$/i.test(String(raw.gender ?? 'unknown')) ? null : raw.gender,
    age: raw.age || null,
    entry_properties: propertiesIn(listAt(raw, '_embedded.properties'), properties),
  }
  return withOdd(person, oddAt(raw, personParts))
}

/** An address in a text. Some of Help Scout's texts leave the scheme out. */
export const addressAt = (text: string): URL | null => {
  const url = URL.parse(text.trim(), 'https://secure.helpscout.net/')
  return url && /^https?:$/.test(url.protocol) && /^(https?:)?\/\//i.test(text.trim()) ? url : null
}
/** Pictures in a text that Help Scout hosts. We never request pictures from other hosts. */
export const picturesIn = (html: unknown, isHome: (url: URL) => boolean): string[] =>
  addressesIn(html, 'img', 'src', isHome)

/** The addresses of one kind of tag that lead to Help Scout's hosts, as the text has them. */
export function addressesIn(html: unknown, tag: string, attribute: string, isWanted: (url: URL) => boolean): string[] {
  const found = new Set<string>()
  if (typeof html !== 'string' || !html.toLowerCase().includes(`<${tag}`)) return []
  readHtml(html, {
    onopentag: (name, attributes) => {
      const text = attributes[attribute] ?? ''
      const url = name === tag ? addressAt(text) : null
      if (url && isWanted(url)) found.add(text)
    },
  })
  return [...found]
}
export function pictureAt(url: string) {
  const name = decodePart(addressAt(url)?.pathname.split('/').at(-1) ?? '')
  return { filename: cutText(name ?? '', 200) || 'picture', web_url: url, is_inline: true }
}

/** The customer never sees a note, nor a message that was forwarded to somebody else or is to be sent later. */
const isForAll = (thread: RawRecord) =>
  thread.type !== 'note' &&
  thread.type !== 'forwardparent' &&
  thread.state === 'published' &&
  !(Date.parse(String(valueAt(thread, 'scheduled.scheduledFor'))) > Date.now())
/** Line items, such as status changes, are not messages. */
const isMessage = ({ type }: RawRecord) => type !== 'lineitem'
const byId = (one: RawRecord, other: RawRecord) => Number(one.id) - Number(other.id)
const byTime = (one: RawRecord, other: RawRecord) =>
  String(one.createdAt).localeCompare(String(other.createdAt)) || byId(one, other)
const isTimed = ({ createdAt }: RawRecord) => typeof createdAt === 'string' && isMoment(createdAt)

export interface Talk {
  /** All messages, oldest first. */
  messages: RawRecord[]
  /** The number of entries of the history. */
  history: number
  /** The number of messages that Help Scout withholds from the account. */
  missing: number
  /** Our key and the ticket's old number, if we created this conversation. */
  marker: string | null
  number: string | null
}

/** The most threads that a conversation embeds. Its number of threads leaves out drafts, so it cannot tell. */
const mostEmbedded = 25

/**
 * Reads all messages of a conversation. The conversation list shortens chats and may omit threads, so missing threads
 * are requested.
 */
export async function talkOf(api: HelpscoutApi, conversation: RawRecord, order = byTime): Promise<Talk> {
  const inside = listAt(conversation, '_embedded.threads')
  const isWhole =
    inside.length < mostEmbedded &&
    inside.filter(isMessage).length >= Number(conversation.threads ?? Number.POSITIVE_INFINITY) &&
    !inside.some(({ type }) => /chat/.test(String(type)))
  const id = String(conversation.id)
  const path = `/v2/conversations/${id}/threads`
  if (isWhole) return toTalk(api, id, inside, order)
  const open = await readAll(api.list(path, 'threads', {}, [403, 404]), pageSize)
  const isWithheld = open.length === 0 && (await api.lookAtOne(path, [404])).status === 403
  const threads = isWithheld ? inside : open
  const missing = Math.max(0, Number(conversation.threads ?? 0) - threads.filter(isMessage).length)
  return { ...toTalk(api, id, threads, order), missing }
}

/** Reads a conversation that we created. We sent its threads in order, so their ids give the order. */
export const ownTalkOf = (api: HelpscoutApi, conversation: RawRecord) => talkOf(api, conversation, byId)
export const ownThreads = (api: HelpscoutApi, ticketId: string, threads: readonly RawRecord[]) =>
  toTalk(api, ticketId, threads, byId)

function toTalk(
  { isHome }: Pick<HelpscoutApi, 'isHome'>,
  ticketId: string,
  threads: readonly RawRecord[],
  order = byTime,
): Talk {
  const messagesIn = threads.filter(isMessage)
  // A message whose time cannot be read must not become the first one.
  const said = messagesIn.sort(messagesIn.every(isTimed) ? order : byId)
  const note = said.find(({ type, body }) => type === 'note' && markIn(body) !== null)
  const messages = said
    .filter((thread) => thread !== note)
    .map((thread, index) => {
      const id = `${ticketId}-${thread.id}`
      const parent = index === 0 ? { entity: 'tickets', sourceId: ticketId } : { entity: 'comments', sourceId: id }
      const isPublic = isForAll(thread)
      const more = { parent, is_private: !isPublic }
      const files: RawRecord[] = partsIn(valueAt(thread, '_embedded.attachments')).map((file) => ({
        ...{ ...file, ...more, id: `${id}-${file.id}`, is_inline: false },
        ...{ web_url: valueAt(file, '_links.web.href'), data_url: valueAt(file, '_links.data.href') },
        entry_url: valueAt(file, '_links.web.href') ?? null,
      }))
      const shown = picturesIn(thread.body, isHome).filter((url) => !files.some(({ web_url }) => web_url === url))
      files.push(...shown.map((url, at) => ({ ...more, ...pictureAt(url), id: `${id}-p${at + 1}` })))
      const message = { ...thread, id, ticket_id: ticketId, body: thread.body ?? null, entry_public: isPublic, files }
      return withOdd(message, oddAt(thread, { '_embedded.attachments': parts }))
    })
  const rest = { history: threads.length - said.length, missing: 0 }
  return { ...rest, messages, marker: markIn(note?.body), number: note ? numberIn(note.body) : null }
}

/** Adds the author. A former user is no longer listed in `users`. */
export function withAuthor(message: RawRecord, { users }: Pick<Facts, 'users'>): RawRecord {
  const by = (message.createdBy ?? {}) as { id?: unknown; type?: unknown }
  const isAgent = by.type !== 'customer'
  const author_agent = isAgent && users.has(String(by.id)) ? by.id : null
  const files = (message.files as RawRecord[]).map((file) => ({ ...file, author_agent }))
  return { ...message, files, author_agent, author_contact: !isAgent && Number(by.id) > 0 ? by.id : null }
}

const addressesOf = (name: 'cc' | 'bcc', raw: RawRecord, { messages }: Talk): unknown[] => [
  ...new Set([raw, ...messages].flatMap((one) => one[name] ?? [])),
]

/** To whom agents wrote, beside the customer. A message of a customer is addressed to an inbox. */
function recipientsOf(raw: RawRecord, messages: readonly RawRecord[]): unknown[] {
  const customer = String(valueAt(raw, 'primaryCustomer.email') ?? '').toLowerCase()
  const written = messages.filter((one) => valueAt(one, 'createdBy.type') === 'user')
  const all = written.flatMap(({ to }) => (Array.isArray(to) ? to : []))
  return [...new Set(all.filter((one) => typeof one === 'string' && one.toLowerCase() !== customer))]
}

export function toTicket(raw: RawRecord, talk: Talk, { users, teams, fields, inboxes }: Facts & { inboxes: Inbox[] }) {
  const first = talk.messages[0]
  const assignee = String(valueAt(raw, 'assignee.id') ?? '')
  const by = first && withAuthor(first, { users })
  const rated = talk.messages.findLast(({ rating }) => rating)
  const ticket = {
    ...raw,
    closedAt: raw.closedAt ?? null,
    entry_url: ticketUrl(raw.id, raw.number),
    entry_html: first?.body ?? null,
    entry_files: first?.files ?? [],
    entry_agent: by?.author_agent ?? null,
    entry_private: first ? first.entry_public !== true : false,
    entry_customer: valueAt(raw, 'primaryCustomer.id') ?? null,
    // A former user is named, too, so that the loss is reported.
    entry_assignee: Number(assignee) > 1 && !teams.has(assignee) ? Number(assignee) : null,
    entry_team: teams.has(assignee) ? Number(assignee) : null,
    entry_tags: listAt(raw, 'tags').flatMap(({ tag }) => tag ?? []),
    entry_inbox: inboxes.find(({ id }) => id === raw.mailboxId)?.name ?? null,
    entry_number: talk.number,
    // Each message has addresses of its own.
    ...{ entry_cc: addressesOf('cc', raw, talk), entry_bcc: addressesOf('bcc', raw, talk) },
    entry_to: recipientsOf(raw, talk.messages.filter(isForAll)),
    entry_forwarded: recipientsOf(
      raw,
      talk.messages.filter(({ type }) => type === 'forwardparent'),
    ),
    ...{ entry_history: talk.history, entry_missing: talk.missing },
    entry_rating: valueAt(rated ?? {}, 'rating.rating') ?? null,
    entry_rating_comment: valueAt(rated ?? {}, 'rating.comments') ?? null,
    entry_fields: Object.fromEntries(
      listAt(raw, 'customFields').map(({ id, value, text }) => {
        const field = fields.get(String(id))
        return [String(id), tidy(field, isGoneChoice(field, value, text) ? text : value)]
      }),
    ),
  }
  const oddParts = oddAt(raw, { 'assignee.id': anId, 'primaryCustomer.id': anId, tags: objects, customFields: objects })
  return withOdd(ticket, [...oddIn(first ?? {}), ...oddParts])
}
