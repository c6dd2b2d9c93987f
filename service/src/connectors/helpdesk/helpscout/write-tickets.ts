import { RetryableError } from '../../../errors.ts'
import type { WriteLoss } from '../../../warnings/codes.ts'
import type { OutgoingContent, OutgoingRecord, SentRelation, WriteOutcome } from '../../contract/contract.ts'
import { lineOf, originOf } from '../../kit/compared-texts.ts'
import { toCustomField } from '../../kit/custom-fields.ts'
import { eachById } from '../../kit/find.ts'
import { insideOf } from '../../kit/found-parts.ts'
import type { Sent } from '../../kit/http.ts'
import { type Key, markerKey } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { blaming, nowPrivate, RefusedError, written } from '../../kit/outcomes.ts'
import { sendWithout } from '../../kit/send-without.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { startOf } from '../../kit/start-of.ts'
import { thatHold } from '../../kit/that-hold.ts'
import { versionOf } from '../../kit/version.ts'
import { writeWithParts } from '../../kit/write-each.ts'
import { asStored, toStored, writeRecord } from '../../kit/write-record.ts'
import {
  accepted,
  done,
  isAbout,
  label,
  madeId,
  present,
  refusedAuthors,
  refusedPlaces,
  requestsAtOnce,
} from './api.ts'
import * as desk from './entities.ts'
import { isSameText, lineIn, lowered, markOf, noteOf } from './lenses.ts'
import { type Inbox, ownTalkOf, type Talk, ticketUrl, toTicket } from './look-around.ts'
import {
  authorLosses,
  authorsOf,
  customersIn,
  dispensable,
  moment,
  namelessLoss,
  toThread,
  type Without,
  withoutOf,
} from './threads.ts'
import { valuesNow, valuesOf, type WriteContext } from './write-people.ts'

/** Comments per request. Help Scout allows 100 threads, and two of them are the description and our note. */
const mostCarried = 98
/**
 * Text per request. The documentation of an earlier version allows 256 kB per conversation. Further comments are sent
 * separately.
 */
const mostBytes = 200_000

export function ticketEntity(context: WriteContext): WrittenEntity {
  const { api, facts } = context
  const inbox = { key: 'inbox', label: 'Inbox', type: 'option' as const, many: false }
  const names = new Set(facts.inboxes.map(({ name }) => name))
  return {
    declared: desk.tickets,
    offer: {
      required: ['requester'],
      hidesLinks: true,
      customFields: [{ ...inbox, options: [...names] }, ...[...facts.fields.values()].map(toCustomField)],
      carries: { comments: { most: mostCarried } },
      capabilities: { batchSize: 4 },
    },
    write: (records) =>
      writeWithParts(records, (record) =>
        record.destinationId === null ? importTicket(context, record) : changeTicket(context, record),
      ),
    look: () => ({
      byIds: eachById((id) => ticketNow(context, id), requestsAtOnce),
      key: ticketKey(context),
      toFound: async (raw) => foundTicket(context, raw, await ownTalkOf(api, raw)),
      remove: (id) => api.send('DELETE', `/v2/conversations/${id}`, undefined, true),
      oneByOne: requestsAtOnce,
    }),
    asStored: (content) => storedTicket(context, content),
    lossesOf: (record) => thatHold([record.destinationId === null && isUnderOurName(record), 'author_not_kept']),
  }
}

export function inboxOf({ facts: { inboxes } }: Pick<WriteContext, 'facts'>, content: OutgoingContent): Inbox {
  const asked = content.customFields.inbox?.value
  const inbox = inboxes.find(({ name }) => name === asked) ?? inboxes[0]
  if (!inbox) throw new RetryableError('Help Scout answered with no inbox')
  return inbox
}

/** The values of the custom fields that belong to the ticket's inbox. */
const fieldsOf = (context: WriteContext, record: OutgoingContent) => {
  const { fields } = inboxOf(context, record)
  const values = valuesOf(
    fields.map(({ made }) => made),
    record.customFields,
  )
  return fields.flatMap(({ id, made }) => (values.has(made.key) ? [{ id, value: String(values.get(made.key)) }] : []))
}

function storedTicket(context: WriteContext, content: OutgoingContent) {
  const values = fieldsOf(context, content).map(({ id, value }) => [String(id), value])
  return {
    ...asStored(desk.tickets, content),
    customFields: { inbox: inboxOf(context, content).name, ...Object.fromEntries(values) },
  }
}

/**
 * The version includes the number of messages that did not come through the API. Messages that we add later do not
 * change it. Those of other programs come the same way, so an undo compares `inside` with the ledger.
 */
function foundTicket({ facts }: WriteContext, raw: RawRecord, talk: Talk) {
  const ticket = toTicket(raw, talk, facts)
  const content = toStored(label, desk.tickets, ticket)
  const inbox = typeof ticket.entry_inbox === 'string' ? { inbox: ticket.entry_inbox } : {}
  const customFields = { ...inbox, ...valuesNow(facts.fields, ticket.entry_fields) }
  const said = talk.messages.filter(({ source }) => (source as { type?: unknown } | null)?.type !== 'api').length
  // Not the time of closing, which is not compared either.
  const { closed_at: _closed, ...compared } = content.fields
  const version = versionOf(compared, customFields, said)
  const place = { url: ticketUrl(raw.id, raw.number), marker: talk.marker, inside: insideOf(talk.messages, lookOf) }
  return { ...content, customFields, version, ...place }
}

const lookOf = ({ type, createdBy, createdAt, body, files }: RawRecord) => {
  const { type: kind, id } = (createdBy ?? {}) as { type?: unknown; id?: unknown }
  return versionOf(
    type,
    kind,
    id,
    createdAt,
    body,
    (files as RawRecord[]).map(({ filename, size }) => [filename, size]),
  )
}

export const ticketNow = ({ api }: WriteContext, id: string) => api.one(`/v2/conversations/${id}?embed=threads`)
/**
 * Finds a conversation by our key in its note. If our ledger has a note, also searches the customer's conversations, in
 * case the search ignores notes.
 */
const ticketKey = ({ api, inFlight }: WriteContext): Key =>
  markerKey(markOf, async ([sought]) => {
    if (!sought) return []
    const noted = (await inFlight.noted('new_conversations', [sought.key])).get(sought.key)
    const queries = [`(body:"${markOf(sought.key)}")`, ...(noted ? [`(customerIds:${noted.before})`] : [])]
    const found = await sideBySide(
      queries.flatMap((query) => ['all', 'spam'].map((status) => ({ query, status, embed: 'threads' }))),
      requestsAtOnce,
      (query) => api.all('/v2/conversations', 'conversations', query),
    )
    return [...new Map(found.flat().map((raw) => [raw.id, raw])).values()]
  })

/** The description and our note are the first threads of a conversation. */
const threadsBefore = 2

/** Whether the first message can only be sent under the name of the key's owner. */
const isUnderOurName = ({ createdBy, fields }: OutgoingRecord): boolean =>
  createdBy === null ? fields.is_private === true : createdBy.userId === null

async function importTicket(context: WriteContext, record: OutgoingRecord): Promise<WriteOutcome[]> {
  const { api, inFlight } = context
  const { key, createdBy, createdAt, fields, parts = [] } = record
  const { entry_html: html, entry_private: isPrivate, closedAt, ...sent } = writeRecord(desk.tickets, record)
  const requester = (fields.requester as SentRelation | undefined)?.destinationId
  if (requester === undefined)
    throw new RefusedError('requester', 'Help Scout takes no conversation without a customer.')
  const customer = { id: Number(requester) }
  const isCustomersNote = isPrivate === true && createdBy === null
  const authors = await authorsOf(context, [...(isCustomersNote ? [requester] : []), ...customersIn(parts)])
  // An agent's text is never sent as the customer's, even if the agent has no account here: then a line names them.
  const first = (without: Without) => {
    const user = !without.names && createdBy?.userId ? { user: Number(createdBy.userId) } : {}
    const type = isPrivate === true ? 'note' : createdBy ? 'reply' : 'customer'
    const who = type === 'note' ? user : type === 'reply' ? { customer, ...user } : { customer }
    const author = { createdBy: createdBy ?? authors.get(requester) ?? null, createdAt }
    const line = type !== 'customer' && !('user' in user) ? originOf(author) : ''
    return { type, text: `${line}${html ?? lineOf()}`, ...who }
  }
  const note = { type: 'note', text: noteOf(key, fields.number) }
  const taken = partsThatFit(parts, requester, Buffer.byteLength(String(html ?? '')))
  const closed = sent.status === 'closed' && typeof closedAt === 'string' ? { closedAt } : {}
  const body = {
    ...{ subject: sent.subject ?? '(no subject)', customer, mailboxId: inboxOf(context, record).id, type: 'email' },
    // Without these values, the inbox's settings would decide.
    ...{ status: sent.status ?? 'active', assignTo: sent.entry_assignee ?? null, tags: sent.entry_tags ?? [] },
    fields: fieldsOf(context, record),
  }
  const noted = { before: requester, digest: markOf(key) }
  /** The threads whose author Help Scout refused. The description and our note are the first two threads. */
  const unnamed = new Set<number>()
  const { sent: answer, losses } = await sendWithout(body, dispensable, isAbout, async (left, lost) => {
    const all = withoutOf(lost)
    for (;;) {
      const without = (place: number) => ({ ...all, names: all.names || unnamed.has(place) })
      const history = { imported: true, ...moment(createdAt, all) }
      const begun = { imported: true, ...moment(startOf(createdAt, taken), all) }
      const own = [first(without(0)), note].map((thread) => ({ ...thread, ...begun }))
      const said = taken.map((one, at) => toThread(one, requester, without(at + threadsBefore), authors))
      const sent = await inFlight.make('new_conversations', key, noted, () =>
        api.send('POST', '/v2/conversations', {
          ...{ assignTo: null, ...left, ...history, threads: [...own, ...said] },
          ...(all.oddTimes ? {} : closed),
        }),
      )
      const more = refusedAuthors(sent).filter((place) => !unnamed.has(place))
      if (more.length === 0) return sent
      for (const place of more) unnamed.add(place)
    }
  })
  const places = refusedPlaces(answer, 'threads')
  const isItself = places?.some((place) => place < threadsBefore)
  const refusedParts = isItself ? [] : places?.flatMap((place) => taken[place - threadsBefore]?.key ?? [])
  const id = madeId(blaming(refusedParts, () => done(answer)))
  const raw = await ticketNow(context, id)
  if (!raw) throw new RetryableError('Help Scout answered with no conversation that it has just made')
  const talk = await ownTalkOf(api, raw)
  const isMoved = (wanted: unknown, at: unknown) =>
    typeof wanted === 'string' && Math.trunc(Date.parse(wanted) / 1000) * 1000 !== Date.parse(String(at))
  if (isMoved(createdAt, raw.createdAt) || isMoved(closed.closedAt, raw.closedAt)) losses.push('moment_not_kept')
  const isNameless = losses.includes('author_not_kept')
  if (isUnderOurName(record) || unnamed.has(0)) losses.push('author_not_kept')
  const { messages } = talk
  const outcomes: WriteOutcome[] = [written(key, id, foundTicket(context, raw, talk), losses)]
  for (const [index, part] of parts.entries()) {
    const message = index < taken.length ? messages[index + 1] : undefined
    const isAgents = typeof part.fields.author_agent === 'string'
    const isUnnamed = (isAgents && isNameless) || unnamed.has(index + threadsBefore)
    const lost: WriteLoss[] = isUnnamed ? [namelessLoss(part)] : authorLosses(part)
    outcomes.push(message ? writtenThread(part.key, String(message.id), lost) : { key: part.key, result: 'untried' })
  }
  return outcomes
}

function partsThatFit(
  parts: readonly OutgoingRecord[],
  requester: string,
  descriptionBytes: number,
): readonly OutgoingRecord[] {
  let bytes = descriptionBytes
  const end = parts.findIndex((part) => {
    bytes += Buffer.byteLength(JSON.stringify(toThread(part, requester)))
    return bytes > mostBytes
  })
  return parts.slice(0, Math.min(mostCarried, end === -1 ? parts.length : end))
}

export const writtenThread = (key: string, id: string, losses: WriteLoss[] = []) =>
  written(key, id, { url: ticketUrl(id.split('-')[0]), version: null }, losses)

/**
 * Changes a conversation by sending only the differences. The assignee stays unchanged, because Help Scout would mail
 * the new one.
 */
async function changeTicket(context: WriteContext, record: OutgoingRecord): Promise<WriteOutcome[]> {
  const { api } = context
  const { key, fields } = record
  const id = String(record.destinationId)
  const raw = present(await ticketNow(context, id))
  const talk = await ownTalkOf(api, raw)
  const now = toTicket(raw, talk, context.facts) as RawRecord
  // A value that the source has lost since is cleared in the copy.
  const wanted = writeRecord(desk.tickets, record, { isWhole: true })
  const path = `/v2/conversations/${id}`
  const requests: (() => Promise<Sent>)[] = []
  const patch = (name: string, from: string, op = 'replace', value = wanted[from]) => {
    if (value === undefined || value === null || String(value) === String(now[from] ?? '')) return
    requests.push(() => api.send('PATCH', path, { op, path: `/${name}`, value }))
  }
  patch('subject', 'subject')
  patch('status', 'status')
  patch('primaryCustomer.id', 'entry_customer')
  patch('mailboxId', 'mailboxId', 'move', record.customFields.inbox ? inboxOf(context, record).id : undefined)
  const first = talk.messages[0]
  if (wanted.entry_private === true && first?.entry_public === true) throw nowPrivate(label)
  if (first && !isSameText(`${lineIn(first.body)}${wanted.entry_html}`, first.body)) {
    requests.push(() => changeText(context, String(first.id), `${lineIn(first.body)}${wanted.entry_html}`))
  }
  if (`${lowered(wanted.entry_tags)}` !== `${lowered(now.entry_tags)}`)
    requests.push(() => api.send('PUT', `${path}/tags`, { tags: wanted.entry_tags }))
  // Help Scout empties fields that are not sent.
  const values = fieldsOf(context, record)
  const valueNow = (field: number) => String((now.entry_fields as Record<string, unknown>)[field] ?? '')
  const filled = Object.values(now.entry_fields as object).filter((value) => value !== null).length
  const isFilledAnew = values.length !== filled || values.some((one) => valueNow(one.id) !== one.value)
  const losses: WriteLoss[] = []
  for (const request of requests) accepted(await request())
  if (isFilledAnew) {
    const sent = await api.send('PUT', `${path}/fields`, { fields: values })
    if (sent.result === 'refused' && isAbout(sent, /^fields/)) losses.push('custom_value_refused')
    else accepted(sent)
  }
  const isAssigned = String(fields.assignee ?? '') === String(now.entry_assignee ?? '')
  if (!isAssigned) losses.push('assignee_refused')
  // Help Scout takes the time of closing only with a new conversation.
  if (wanted.status === 'closed' && now.status !== 'closed' && typeof wanted.closedAt === 'string')
    losses.push('moment_not_kept')
  const isSame = requests.length === 0 && !isFilledAnew
  const stored = isSame ? raw : present(await ticketNow(context, id))
  const found = foundTicket(context, stored, isSame ? talk : await ownTalkOf(api, stored))
  return [written(key, id, found, losses)]
}

export const changeText = ({ api }: WriteContext, id: string, value: unknown): Promise<Sent> => {
  const [ticketId, threadId] = id.split('-')
  return api.send('PATCH', `/v2/conversations/${ticketId}/threads/${threadId}`, { op: 'replace', path: '/text', value })
}
