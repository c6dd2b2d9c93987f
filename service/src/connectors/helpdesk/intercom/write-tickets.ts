import type { WriteLoss } from '../../../warnings/codes.ts'
import type { OutgoingContent, OutgoingRecord, WriteOutcome } from '../../contract/contract.ts'
import type { Entity } from '../../kit/entity.ts'
import { eachById } from '../../kit/find.ts'
import type { Sent } from '../../kit/http.ts'
import { customFieldKey, type Key } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { nowPrivate, type RefusedAnswer, RefusedError, written } from '../../kit/outcomes.ts'
import { readAll } from '../../kit/pages.ts'
import { type Dispensable, sendWithout } from '../../kit/send-without.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { versionOf } from '../../kit/version.ts'
import { writeEach } from '../../kit/write-each.ts'
import { asStored, toStored, writeRecord } from '../../kit/write-record.ts'
import { accepted, label, largestPage, present, requestsAtOnce } from './api.ts'
import type { Facts, State } from './entities.ts'
import { noSubject, toSeconds } from './entities.ts'
import { isInternal, isInternalId, ownIdOf, withOurId } from './internal-tickets.ts'
import { idOf, listOf, textOf, toStates } from './look-around.ts'
import { arrivalLabel, isTooLong, keyLabel, type OwnFields, storedCustom, ticketTypes } from './own-fields.ts'
import { isSaid, partsOf } from './read-parts.ts'
import { externalOf } from './recall.ts'
import { isPlain } from './texts.ts'
import { asCustom, isNone, type Links, linksIn, linksOf, noLinks, setTags, type TagContext } from './ticket-links.ts'
import type { PeopleContext } from './write-people.ts'

export interface TicketContext extends PeopleContext, TagContext {
  tickets: Entity<Facts>
  states: readonly State[]
  /** The attributes of private tickets. */
  internal: OwnFields
}
const fieldsOf = ({ fields, internal }: TicketContext, isPrivate: boolean) => (isPrivate ? internal : fields)
/** Customers see tickets of the one type, and never those of the other. */
export const typeFor = ({ fields }: Pick<OutgoingContent, 'fields'>) =>
  fields.is_private === true ? ticketTypes.internal : ticketTypes.customer

/** Family fields that Intercom's tickets lack. They become attributes of our ticket type. */
const asAttributes = { type: 'Type of the ticket', priority: 'Priority of the ticket' } as const
type Custom = OutgoingContent['customFields']
const customOf = ({ fields, customFields }: OutgoingRecord): Custom => ({
  ...customFields,
  ...Object.fromEntries(
    Object.entries(asAttributes).flatMap(([name, title]) =>
      fields[name] === undefined ? [] : [[` ${name}`, { label: title, type: 'option' as const, value: fields[name] }]],
    ),
  ),
})

/** The moment in seconds. Undefined for a future moment, which Intercom refuses. */
export const past = (moment: string | null): number | undefined =>
  moment !== null && Date.parse(moment) > 0 && Date.parse(moment) <= Date.now() ? toSeconds(moment) : undefined

/** Parts that may be left out of a refused ticket. */
const dispensable: readonly Dispensable[] = [
  [/assign|admin|team/i, ['assignment'], 'assignee_refused'],
  [/compan/i, ['company_id'], 'relation_refused'],
  [/created_at/i, ['created_at'], 'moment_not_kept'],
  [/attribute/i, ['custom'], 'custom_value_refused'],
]

const isAbout = ({ code, message }: RefusedAnswer, about: RegExp) => about.test(`${code} ${message}`)

/** The ticket search may miss a new ticket for this long. Intercom mentions minutes for contacts. */
const settleMs = 180_000

export const ticketEntity = (context: TicketContext): WrittenEntity => ({
  declared: context.tickets,
  offer: {
    ...{ required: ['requester'], customFields: 'any', fixedRelations: ['requester'] },
    capabilities: { settleMs },
  },
  write: (records) =>
    writeEach(records, (record) =>
      record.destinationId === null
        ? createTicket(context, record)
        : changeTicket(context, record, record.destinationId),
    ),
  async look() {
    const unfinished = await context.moves.unfinished()
    return {
      byIds: ticketsByIds(context),
      key: ticketKey(context),
      toFound: async (raw) => ({
        ...(await foundTicket(context, raw)),
        ...(unfinished.has(ticketMark(raw.id)) && isUnassigned(raw) && { isUnfinished: true as const }),
      }),
      remove: (id) => context.api.http.send('DELETE', ticketPath(id)),
      oneByOne: requestsAtOnce,
    }
  },
  asStored(content) {
    const links = linksOf(content)
    const custom = { ...content.customFields, ...(isNone(links) ? {} : asCustom(links)) }
    return { ...asStored(context.tickets, content), customFields: storedCustom('tickets', custom) }
  },
  lossesOf: async (record) => (await toTicket(context, record, fieldsOf(context, isInternal(typeFor(record))))).losses,
})

const ticketsByIds = ({ api }: TicketContext) =>
  eachById(async (id) => {
    const raw = await api.find(ticketPath(id))
    return raw && { ...raw, id }
  }, requestsAtOnce)

async function toTicket(context: TicketContext, record: OutgoingRecord, fields: OwnFields) {
  const losses: WriteLoss[] = []
  // A value that the source has lost since is cleared in the copy.
  const isChange = record.destinationId !== null
  const body = writeRecord(context.tickets, record, { isWhole: isChange })
  const custom = await fields.toBody('tickets', customOf(record), isChange)
  if (Object.values(record.customFields).some((one) => isTooLong('tickets', one))) losses.push('custom_value_refused')
  if (typeof record.fields.description === 'string' && !isPlain(record.fields.description)) {
    losses.push('comment_simplified')
  }
  if (!isChange && record.createdAt !== null && past(record.createdAt) === undefined) losses.push('moment_not_kept')
  const texts = {
    _default_title_: textOf(body.subject) ?? noSubject,
    ...(body.html !== undefined && { _default_description_: body.html }),
  }
  return { body, custom, texts, losses }
}

async function createTicket(context: TicketContext, record: OutgoingRecord): Promise<WriteOutcome> {
  const { api } = context
  const { key, createdAt } = record
  const fields = fieldsOf(context, isInternal(typeFor(record)))
  const { body, custom, texts, losses } = await toTicket(context, record, fields)
  if (textOf(body.requester) === null) {
    throw new RefusedError('requester_missing', 'Intercom takes no ticket without the person who asked.')
  }
  const type = await fields.makeType()
  const mark = await fields.toBody('tickets', {
    key: { label: keyLabel, type: 'text', value: externalOf(key) },
    at: { label: arrivalLabel, type: 'integer', value: toSeconds(new Date().toISOString()) },
  })
  const at = past(createdAt)
  const assignment = {
    ...(body.assignee !== undefined && { admin_assignee_id: String(body.assignee) }),
    ...(body.team !== undefined && { team_assignee_id: String(body.team) }),
  }
  const whole = {
    ...(Object.keys(assignment).length > 0 && { assignment }),
    ...(body.organization !== undefined && { company_id: String(body.organization) }),
    ...(at !== undefined && { created_at: at }),
    custom,
  }
  const { sent, losses: more } = await sendWithout(whole, dispensable, isAbout, ({ custom: own, ...rest }) => {
    const json = {
      ...{ ticket_type_id: String(type.id), contacts: [{ id: body.requester }], skip_notifications: true },
      ...{ ...rest, ticket_attributes: { ...texts, ...mark, ...(own as object | undefined) } },
    }
    return api.http.send('POST', '/tickets', { json })
  })
  return finish(context, record, api.one(accepted(sent)), [...losses, ...more])
}

async function changeTicket(context: TicketContext, record: OutgoingRecord, id: string): Promise<WriteOutcome> {
  const { api } = context
  const now = present(await api.find(ticketPath(id)))
  if (isInternal(typeFor(record)) && !isInternalId(id)) {
    throw nowPrivate(label)
  }
  const { body, custom, texts, losses } = await toTicket(context, record, fieldsOf(context, isInternal(now)))
  const put = (json: object) => api.http.send('PUT', ticketPath(id), { json: { ...json, skip_notifications: true } })
  const before = linksIn(now)
  const isLost = body.organization === undefined && before.company !== null
  const company =
    body.organization === undefined ? isLost && { company_id: null } : { company_id: String(body.organization) }
  const attributes = dispensable.filter(([, fields]) => fields.includes('custom'))
  const { sent, losses: more } = await sendWithout({ custom }, attributes, isAbout, ({ custom: own }) =>
    put({ ticket_attributes: { ...texts, ...(own as object | undefined) }, ...company }),
  )
  accepted(sent)
  losses.push(...more)
  if (!(await assign(context, put, now, [body.assignee, body.team]))) losses.push('assignee_refused')
  return finish(context, record, (await api.find(ticketPath(id))) ?? now, losses, before)
}

const assigneesOf = (raw: RawRecord) => [raw.admin_assignee_id, raw.team_assignee_id].map(idOf)
const isUnassigned = (raw: RawRecord) => assigneesOf(raw).every((id) => id === null)

/** Assigns a ticket to a teammate and a team, or to none. Intercom takes both away at once. */
async function assign(
  { moves }: TicketContext,
  put: (json: object) => Promise<Sent>,
  now: RawRecord,
  wanted: readonly unknown[],
) {
  const [next, before] = [wanted.map(idOf), assigneesOf(now)]
  const isTaken = before.some((id, place) => id !== null && next[place] === null)
  if (isTaken) await moves.begin(ticketMark(now.id))
  const sent = isTaken ? [await put({ assignee_id: '0' })] : []
  for (const [place, id] of next.entries()) {
    if (id !== null && (isTaken || id !== before[place])) sent.push(await put({ assignee_id: id }))
  }
  await moves.end(ticketMark(now.id))
  return sent.every(({ result }) => result === 'done')
}

const ticketMark = (id: unknown) => `ticket ${ownIdOf(id)}`
export const ticketPath = (id: unknown) => `/tickets/${encodeURIComponent(ownIdOf(id))}`
export const ticketUrl = ({ api, workspace }: PeopleContext, id: unknown) =>
  `${api.site}/a/inbox/${workspace}/inbox/conversation/t${ownIdOf(id)}`

/**
 * Sets state and tags, which need separate requests, and notes company and tags at last. A ticket without the note is
 * unlike the sent one, so that it is sent again after a failure.
 */
async function finish(
  context: TicketContext,
  record: OutgoingRecord,
  made: RawRecord,
  given: WriteLoss[],
  before: Links = noLinks,
) {
  const { api } = context
  const losses = new Set(given)
  let raw = made
  const fields = fieldsOf(context, isInternal(made))
  const wanted = await stateFor(context.states, fields, record.fields.status)
  if (!wanted && textOf(record.fields.status) !== null) losses.add('status_refused')
  if (wanted && wanted.name !== statusOf(context, raw)) {
    const json = { ticket_state_id: wanted.id, skip_notifications: true }
    const sent = await api.http.send('PUT', ticketPath(raw.id), { json })
    if (sent.result === 'done') raw = api.one(sent.json)
    else losses.add('status_refused')
  }
  const links = linksOf(record)
  if (!(await setTags(context, ticketPath(raw.id), before.tags, links.tags))) losses.add('relation_refused')
  if (JSON.stringify(links) !== JSON.stringify(before)) {
    const json = {
      ticket_attributes: await fields.toBody('tickets', asCustom(links)),
      skip_notifications: true,
    }
    raw = api.one(accepted(await api.http.send('PUT', ticketPath(raw.id), { json })))
  }
  return written(record.key, record.destinationId ?? withOurId(raw).id, await foundTicket(context, raw), losses)
}

/** The state with this name, if our ticket type offers it. */
async function stateFor(states: readonly State[], fields: OwnFields, name: unknown): Promise<State | undefined> {
  if (typeof name !== 'string' || name === '') return undefined
  const type = (await fields.knownType()) as { ticket_states?: { data?: unknown } } | null
  const data = type?.ticket_states?.data
  const own = Array.isArray(data) ? listOf(data).map(({ id }) => String(id)) : null
  const offered = states.filter(({ id }) => own === null || own.includes(id))
  return offered.find((state) => state.name === name)
}

const statusOf = ({ states }: Pick<TicketContext, 'states'>, raw: RawRecord): string => {
  const state = (raw.ticket_state ?? {}) as Record<string, unknown>
  const known = states.find(({ id }) => id === idOf(state.id)) ?? toStates([state])[0]
  return known?.name ?? 'new'
}

/**
 * The version includes the number of messages that people wrote. Messages that we add later do not change it. Those of
 * other programs come the same way, so an undo compares `inside` with the ledger.
 */
async function foundTicket(context: TicketContext, raw: RawRecord) {
  const attributes = (raw.ticket_attributes ?? {}) as Record<string, unknown>
  const all = await fieldsOf(context, isInternal(raw)).stored('tickets', attributes)
  const own = Object.fromEntries(
    Object.entries(asAttributes).map(([name, title]) => [name, all[`${title} (option)`] ?? null]),
  )
  const titles = Object.values(asAttributes).map((title) => `${title} (option)`)
  const customFields = Object.fromEntries(Object.entries(all).filter(([name]) => !titles.includes(name)))
  const people = listOf((raw.contacts as { contacts?: unknown } | null | undefined)?.contacts)
  const content = toStored(label, context.tickets, {
    ...{ ...own, subject: textOf(attributes._default_title_), html: textOf(attributes._default_description_) },
    ...{ status: statusOf(context, raw), requester: idOf(people[0]?.id), organization: null, tag_names: null },
    ...{ assignee: idOf(raw.admin_assignee_id), team: idOf(raw.team_assignee_id), is_private: isInternal(raw) },
  })
  const arrival = Number(attributes[arrivalLabel] ?? 0)
  // Not every part from the API names its app. A part older than the import is certainly ours.
  const said = partsOf(raw).filter(
    (part) => isSaid(part) && !textOf(part.app_package_code) && Number(part.created_at) > arrival,
  ).length
  const version = versionOf(content.fields, customFields, said)
  const messages = partsOf(raw).filter((part) => isSaid(part) && !isByBot(part))
  const inside = { ids: messages.map((part) => partIdsOf(raw, part)), own: 0, looks: messages.map(lookOf) }
  return { ...content, customFields, version, url: ticketUrl(context, raw.id), inside }
}

function lookOf({ part_type: type, author, created_at: at, body, attachments }: RawRecord): string {
  const { type: kind, id } = (author ?? {}) as { type?: unknown; id?: unknown }
  return versionOf(
    type,
    kind,
    id,
    at,
    body,
    listOf(attachments).map(({ name }) => name),
  )
}

/** Intercom itself writes as a bot. */
const isByBot = ({ author }: RawRecord) => (author as { type?: unknown } | null | undefined)?.type === 'bot'
/** A comment, or the note of a file. */
const partIdsOf = (ticket: RawRecord, { id }: RawRecord) => [`${ticket.id}-${id}`, `${ticket.id}-${id}-f0`]

/**
 * Finds a ticket by our key in its attribute. The search is minutes behind (see `settleMs`). Without the attribute no
 * ticket has a key.
 */
const ticketKey = (context: TicketContext): Key =>
  customFieldKey(
    'ticket_attributes',
    keyLabel,
    async ([sought]) => {
      if (!sought) return []
      const { api, fields, internal } = context
      const keyFields = (await Promise.all([fields.keyField(), internal.keyField()])).filter((one) => one !== null)
      const found = await sideBySide(keyFields, 2, ({ id }) => {
        const query = { field: `ticket_attribute.${id}`, operator: '=', value: externalOf(sought.key) }
        return readAll(api.search('tickets', query), largestPage)
      })
      // The search may still return deleted tickets and old versions, so each ticket is requested by id.
      return ticketsByIds(context)(found.flat().map((raw) => String(withOurId(raw).id)))
    },
    1,
    externalOf,
  )
