import type { FieldType } from '../../../families/definition.ts'
import { escapeAttribute, escapeText } from '../../../text/plain-words.ts'
import { type MadeField, madeFields } from '../../kit/custom-fields.ts'
import { objectsIn, type RawRecord, valueAt } from '../../kit/lens.ts'
import { oddAt, oddIn, parts, partsIn, withOdd } from '../../kit/odd-places.ts'
import { once } from '../../kit/once.ts'
import { readAll, type Walk } from '../../kit/pages.ts'
import { through } from '../../kit/shape-walks.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { largestPage, requestsAtOnce, type ZendeskApi } from './api.ts'
import type { Facts, Status } from './lenses.ts'

// Requests further data that a record needs, and adds it to the record.

const standard = new Set(
  'subject description status tickettype priority basic_priority group assignee custom_status'.split(' '),
)
const types: Record<string, { type: FieldType; many?: boolean }> = {
  textarea: { type: 'long_text' },
  checkbox: { type: 'boolean' },
  date: { type: 'date' },
  integer: { type: 'integer' },
  decimal: { type: 'decimal' },
  tagger: { type: 'option' },
  dropdown: { type: 'option' },
  multiselect: { type: 'option', many: true },
}

export const fieldLists = {
  tickets: { path: '/ticket_fields', name: 'ticket_fields', one: 'ticket_field', key: 'id' },
  contacts: { path: '/user_fields', name: 'user_fields', one: 'user_field', key: 'key' },
  organizations: { path: '/organization_fields', name: 'organization_fields', one: 'organization_field', key: 'key' },
} as const
export type FieldEntity = keyof typeof fieldLists

/** Custom fields, as Zendesk describes them. */
export const listFields = async (api: ZendeskApi, entity: FieldEntity): Promise<RawRecord[]> =>
  (await api.all(fieldLists[entity].path, fieldLists[entity].name)).filter(
    ({ type, system }) => !standard.has(String(type)) && system !== true,
  )

export function toMade(entity: FieldEntity, definitions: readonly RawRecord[]): Map<string, MadeField> {
  // A field in use keeps its title if a field that is switched off has the same.
  const sorted = definitions.toSorted((a, b) => Number(a.active === false) - Number(b.active === false))
  const given = sorted.map((one) => {
    const options = objectsIn(one.custom_field_options)
    return { ...one, choices: options.map(({ name, value }) => ({ value: String(value), label: String(name) })) }
  })
  return madeFields(given, { key: fieldLists[entity].key, label: 'title', type: 'type', choices: 'choices' }, types)
}

export async function readFacts(api: ZendeskApi): Promise<Facts & { activeStatuses: readonly Status[] }> {
  const names = Object.keys(fieldLists) as FieldEntity[]
  const [ticketFields, ...lists] = await Promise.all([
    api.all('/ticket_fields', 'ticket_fields'),
    ...names.map((entity) => listFields(api, entity)),
  ])
  // 403 or 404: the account has no custom statuses, or does not open them. The field of statuses lists them, too.
  // Tickets that name another one have a warning.
  const opened = (await api.page('/custom_statuses', 'custom_statuses', {}, [403, 404])).items
  const shown = objectsIn(ticketFields.find(({ type }) => type === 'custom_status')?.custom_statuses)
  const items = opened.length > 0 ? opened : shown
  const own = items.filter((status) => status.default === false)
  const toStatus = (raw: RawRecord): Status => ({
    id: Number(raw.id),
    category: String(raw.status_category),
    label: String(raw.agent_label),
  })
  const languages = (await api.page('/locales', 'locales', {}, [403, 404])).items
  const status = ticketFields.find(({ type }) => type === 'status')
  const offered = status?.system_field_options
  const hasHold = Array.isArray(offered)
    ? objectsIn(offered).some(({ value }) => value === 'hold')
    : status?.sub_type_id !== 0
  return {
    made: Object.fromEntries(names.map((entity, index) => [entity, toMade(entity, lists[index] ?? [])])),
    statuses: own.map(toStatus),
    statusIds: new Set(items.map(({ id }) => id)),
    activeStatuses: own.filter(({ active }) => active !== false).map(toStatus),
    categories: ['new', 'open', 'pending', ...(hasHold ? ['hold'] : []), 'solved', 'closed'],
    locales: languages.flatMap(({ locale }) => (typeof locale === 'string' ? locale : [])),
    locale: String(languages.find((one) => one.default === true)?.locale ?? '') || null,
    zone: String(valueAt(await api.settings(), 'localization.iana_time_zone') ?? '') || null,
  }
}

export interface Brand {
  id: unknown
  name: string
  /** The brand's hosts: Zendesk's host, and the account's own domain. */
  hosts: readonly string[]
  isDefault: boolean
  hasHelpCenter: boolean
}

/** Reads the brands, which tickets name by id. Null if the account does not open the list. */
export async function readBrands(api: ZendeskApi): Promise<Brand[] | null> {
  const { status } = await api.http.look('/brands', [403, 404], { per_page: 1 })
  if (status !== 200) return null
  return (await api.all('/brands', 'brands')).map((raw) => ({
    id: raw.id,
    name: String(raw.name),
    hosts: [
      ...(URL.canParse(String(raw.brand_url)) ? [new URL(String(raw.brand_url)).host] : []),
      ...(typeof raw.subdomain === 'string' ? [`${raw.subdomain}.zendesk.com`] : []),
    ],
    isDefault: raw.default === true,
    hasHelpCenter: raw.has_help_center === true,
  }))
}

/** Reads the names of ticket forms by their ids. Empty if the account has no forms, or does not open them. */
export async function readForms(api: ZendeskApi): Promise<ReadonlyMap<unknown, string>> {
  const forms = await readAll(api.list('/ticket_forms', 'ticket_forms', {}, [403, 404]), largestPage)
  return new Map(forms.map(({ id, name }) => [id, String(name)]))
}

/** Adds the name of the ticket's form if the account has several forms, and its id if the name is not known. */
export function withForm(ticket: RawRecord, forms: ReadonlyMap<unknown, string>): RawRecord {
  const id = ticket.ticket_form_id
  const name = forms.get(id) ?? (typeof id === 'object' ? id : String(id))
  return { ...ticket, form_name: forms.size === 1 || !id ? null : name }
}

/**
 * Adds the brand's name if the account has several brands, and its id if their names are not known. Keeps a rating only
 * if the customer has given it.
 */
export function withBrand(ticket: RawRecord, brands: readonly Brand[] | null): RawRecord {
  const { score, comment } = (ticket.satisfaction_rating ?? {}) as Record<string, unknown>
  const nameOfBrand = brands?.find(({ id }) => id === ticket.brand_id)?.name
  const isGiven = score === 'good' || score === 'bad'
  return {
    ...ticket,
    brand_name: brands?.length === 1 || !ticket.brand_id ? null : (nameOfBrand ?? String(ticket.brand_id)),
    rating: isGiven ? [score, comment].filter((part) => typeof part === 'string' && part !== '').join(': ') : null,
  }
}

/**
 * Converts a value to its field's type. Zendesk sends numbers as texts, dates with a time, and ids of other records as
 * numbers.
 */
export function tidyValue(field: MadeField | undefined, value: unknown): unknown {
  if (value === null || value === undefined || value === '' || !field) return value ?? null
  if (field.type === 'integer' || field.type === 'decimal') {
    // Zendesk accepts a decimal comma, too.
    const number = Number(String(value).replace(/^([-+]?\d*),(\d+)$/, '$1.$2'))
    return Number.isFinite(number) ? number : value
  }
  if (field.type === 'date') return String(value).slice(0, 10)
  if (field.type === 'text' || field.type === 'long_text') return typeof value === 'number' ? String(value) : value
  return value
}

export function withValues(raw: RawRecord, { made }: Facts, entity: FieldEntity): RawRecord {
  const known = made[entity]
  if (entity === 'tickets') {
    // A value of another form is left to the lens, which reports it.
    if (!Array.isArray(raw.custom_fields)) return raw
    const values = objectsIn(raw.custom_fields).map(({ id, value }) => ({
      id,
      value: tidyValue(known?.get(String(id)), value),
    }))
    return { ...raw, custom_fields: values }
  }
  const name = entity === 'contacts' ? 'user_fields' : 'organization_fields'
  if (typeof raw[name] !== 'object') return raw
  // Leaves out values of fields that Zendesk manages itself, and empty values of fields that it does not list.
  const entries = Object.entries((raw[name] ?? {}) as object).filter(
    ([key, value]) => known?.has(key) || (value !== null && value !== '' && !key.startsWith('system::')),
  )
  return { ...raw, [name]: Object.fromEntries(entries.map(([key, value]) => [key, tidyValue(known?.get(key), value)])) }
}

export function withAddresses(user: RawRecord): RawRecord {
  const others = objectsIn(user.identities).flatMap(({ type, value }) =>
    type === 'email' && typeof value === 'string' ? value : [],
  )
  const emails = [...(typeof user.email === 'string' && user.email !== '' ? [user.email] : []), ...others]
  const isNew = (one: string, at: number) => emails.findIndex((e) => e.toLowerCase() === one.toLowerCase()) === at
  const phones = [user.phone ?? []].flat().filter((phone) => phone !== '')
  return {
    ...user,
    emails: emails.filter(isNew),
    phones: phones.map((one) => (typeof one === 'number' ? String(one) : one)),
  }
}

/** Adds what else identifies a person: further phone numbers, and accounts at other services. */
export function withIdentities(user: RawRecord): RawRecord {
  const all = objectsIn(user.identities).flatMap(({ type, value }) => (value ? [[String(type), String(value)]] : []))
  const numbers = all.flatMap(([type, value = '']) => (type === 'phone_number' ? value : []))
  const others = all.flatMap(([type = '', value]) => (/^(email|phone_number)$/.test(type) ? [] : `${type}: ${value}`))
  return {
    ...user,
    phones: [...new Set([...((user.phones ?? []) as unknown[]), ...numbers])],
    other_identities: others,
  }
}

/** Above this number of memberships, those of each person are asked for: a call must end in time. */
const mostMemberships = 50_000

/**
 * Adds the names of the further organizations of people. Zendesk lists memberships of all people, or of one person.
 * Most accounts do not allow several organizations.
 */
export function openMemberships(api: ZendeskApi): (people: RawRecord[]) => Promise<RawRecord[]> {
  const list = 'organization_memberships'
  const further = (page: readonly RawRecord[]) => page.filter((one) => one.default !== true)
  const nameOf = ({ organization_name: name, organization_id: id }: RawRecord) => String(name ?? id)
  /** The memberships of all people; null if there are too many. */
  const all = once(async () => {
    const { json } = await api.page('/organization_memberships', list, { per_page: 1 }, [404])
    if (Number(json.count) > mostMemberships) return null
    const found = await readAll(through(api.list('/organization_memberships', list, {}, [404]), further), largestPage)
    return Map.groupBy(found, ({ user_id }) => user_id)
  })
  return async (people) => {
    const isAllowed = valueAt(await api.settings(), 'user.multiple_organizations') !== false
    if (people.length === 0 || !isAllowed) return people
    const known = await all()
    return sideBySide(people, requestsAtOnce, async (person) => {
      const path = `/users/${person.id}/organization_memberships`
      const own = known?.get(person.id) ?? (known ? [] : further(await api.all(path, list)))
      return { ...person, further_organizations: own.map(nameOf) }
    })
  }
}

/** Whether Zendesk found malware in a file, and nobody has allowed it since. */
export const isWithheld = (file: Readonly<Record<string, unknown>> | null): boolean =>
  file?.malware_scan_result === 'malware_found' && file.malware_access_override !== true

/** The files of a comment. A file's id contains the ids of its parents. A withheld file has no address. */
export function filesOf(comment: RawRecord, at: string, parent: { entity: string; sourceId: string }): RawRecord[] {
  return partsIn(comment.attachments)
    .filter(({ deleted }) => deleted !== true)
    .map((file) => ({
      ...{ ...file, id: `${at}-${file.id}`, parent, is_private: comment.public !== true },
      ...(isWithheld(file) && { content_url: null }),
    }))
}

export function htmlOf({ html_body: html, body, data }: Readonly<Record<string, unknown>>): string | null {
  const plain = (text: string) => `<p>${escapeText(text).replace(/\r?\n/g, '<br>')}</p>`
  const said = typeof html === 'string' ? html : typeof body === 'string' ? plain(body) : null
  // A phone call has a recording and a transcription in addition to its text.
  const { recording_url: url, transcription_text: words } = (data ?? {}) as Record<string, unknown>
  const isNew = (one: unknown): one is string =>
    typeof one === 'string' && one !== '' && !said?.includes(one) && !said?.includes(escapeText(one))
  const isLink = isNew(url) && /^https:\/\//.test(url)
  const link = isLink ? `<p><a href="${escapeAttribute(url)}">${escapeText(url)}</a></p>` : ''
  const more = `${isNew(words) ? plain(words) : ''}${link}`
  return more === '' ? said : `${said ?? ''}${more}`
}

/** All messages of a ticket, the description first. A deleted ticket has none. */
export const messagesOf =
  (api: ZendeskApi, ticketId: string): Walk<RawRecord> =>
  async (cursor, size) => {
    const path = `/tickets/${encodeURIComponent(ticketId)}/comments`
    const query = { include_inline_images: true, sort: 'created_at' }
    const walk = api.list(path, 'comments', query, [404])
    let { items, next } = await walk(cursor, size)
    // The first page may be empty even if more pages follow. The first comment found is the description.
    while (cursor === null && items.length === 0 && next !== null) ({ items, next } = await walk(next, size))
    const messages = items.map((raw, index) => {
      const isFirst = cursor === null && index === 0
      const id = `${ticketId}-${raw.id}`
      const parent = isFirst ? { entity: 'tickets', sourceId: ticketId } : { entity: 'comments', sourceId: id }
      const files = filesOf(raw, id, parent)
      const message = { ...raw, id, ticket_id: ticketId, isFirst, files, html_body: htmlOf(raw) }
      return withOdd(message, oddAt(raw, { attachments: parts }))
    })
    return { items: messages, next }
  }

const isUser = (id: unknown): boolean => /^(number|string)$/.test(typeof id) && /^[1-9]\d*$/.test(String(id))

/**
 * Adds whether each author is an agent or a customer. A deleted author counts as neither, and is named: the list of
 * users may leave deleted ones out, so each of them is asked for once.
 */
export function openAuthors(api: ZendeskApi): (messages: readonly RawRecord[]) => Promise<RawRecord[]> {
  const names = new Map<unknown, string>()
  async function nameOf(id: unknown, user: RawRecord | undefined): Promise<string> {
    // Zendesk itself writes under the id -1.
    if (!isUser(id)) return id === -1 ? 'Zendesk' : 'Unknown author'
    const known = names.get(id)
    if (known !== undefined) return known
    const { json } = user ? { json: { user } } : await api.http.look(`/users/${id}`, [404])
    const name = valueAt((json ?? {}) as RawRecord, 'user.name')
    names.set(id, typeof name === 'string' && name !== '' ? name : `Deleted user ${id}`)
    return nameOf(id, user)
  }
  return async (messages) => {
    const ids = [...new Set(messages.flatMap(({ author_id: id }) => (isUser(id) ? String(id) : [])))]
    const users = new Map((await api.showMany('users', ids)).map((user) => [user.id, user]))
    return sideBySide(messages, requestsAtOnce, async (message) => {
      const { author_id: id } = message
      const user = users.get(id as number)
      const isThere = user !== undefined && user.active !== false
      const isAgent = isThere && user.role !== 'end-user'
      const author_agent = isAgent ? id : null
      const files = (message.files as RawRecord[]).map((file) => ({ ...file, author_agent }))
      const author_former = isThere ? null : await nameOf(id, user)
      return { ...message, files, author_agent, author_contact: isThere && !isAgent ? id : null, author_former }
    })
  }
}

/**
 * Adds descriptions to tickets. A description is the first comment, because only comments have markup, files and an
 * author.
 */
export async function withEntries(
  api: ZendeskApi,
  tickets: readonly RawRecord[],
  messages: (ticketId: string) => Walk<RawRecord>,
  withAuthors: (messages: readonly RawRecord[]) => Promise<RawRecord[]>,
): Promise<RawRecord[]> {
  const firsts = await sideBySide(tickets, requestsAtOnce, async ({ id, description, ...ticket }) => {
    const { items } = await messages(String(id))(null, largestPage)
    // A ticket without comments still has the text of its description. Zendesk submits tickets of tweets as user -1.
    const html_body = htmlOf({ body: description })
    const author_id = isUser(ticket.submitter_id) ? ticket.submitter_id : ticket.requester_id
    return items[0] ?? { id: `${id}-0`, files: [], html_body, public: false, author_id }
  })
  const authored = await withAuthors(firsts)
  return tickets.map((ticket, index) => withEntry(api, ticket, authored[index] as RawRecord))
}

export function withEntry({ site }: ZendeskApi, ticket: RawRecord, first: RawRecord): RawRecord {
  // A value of another form is left to the lens, which reports it.
  const followers = ticket.follower_ids ?? []
  const isFollower = (id: unknown) => Array.isArray(followers) && followers.includes(id)
  const collaborators = Array.isArray(ticket.collaborator_ids) ? ticket.collaborator_ids : []
  const whole = {
    ...ticket,
    html_url: `${site}/agent/tickets/${ticket.id}`,
    follower_ids: followers,
    entry_ccs: ticket.email_cc_ids ?? collaborators.filter((id) => !isFollower(id)),
    entry_html: first.html_body ?? null,
    entry_files: first.files ?? [],
    entry_public: first.public === true,
    entry_agent: first.author_agent ?? null,
    entry_former: first.author_former ?? null,
  }
  return withOdd(whole, oddIn(first))
}
