import { RetryableError } from '../../../errors.ts'
import { plainWords } from '../../../text/plain-words.ts'
import { rewriteLinks } from '../../../text/rewrite-links.ts'
import type { WriteLoss } from '../../../warnings/codes.ts'
import type {
  OutgoingContent,
  OutgoingPart,
  OutgoingRecord,
  SentRelation,
  WriteOutcome,
} from '../../contract/contract.ts'
import { lineOf, originOf } from '../../kit/compared-texts.ts'
import type { Entity } from '../../kit/entity.ts'
import { insideOf } from '../../kit/found-parts.ts'
import type { Sent } from '../../kit/http.ts'
import { externalIdKey } from '../../kit/keys.ts'
import { objectsIn, type RawRecord } from '../../kit/lens.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { blaming, nowPrivate, type RefusedAnswer, RefusedError, written } from '../../kit/outcomes.ts'
import { readAll } from '../../kit/pages.ts'
import { type Dispensable, sendWithout } from '../../kit/send-without.ts'
import { startOf } from '../../kit/start-of.ts'
import { thatHold } from '../../kit/that-hold.ts'
import { versionOf } from '../../kit/version.ts'
import { writeWithParts } from '../../kit/write-each.ts'
import { asStored, toStored, writeRecord } from '../../kit/write-record.ts'
import { accepted, label, largestPage, present, requestsAtOnce } from './api.ts'
import { authorLosses, sendNaming, type Unnamed, withName } from './authors.ts'
import * as desk from './entities.ts'
import { keepBraces } from './keep-braces.ts'
import { type Facts, losesTags } from './lenses.ts'
import { messagesOf, withEntry } from './look-around.ts'
import { storedCustom } from './own-fields.ts'
import { type Message, pairFiles, pairMessages } from './pair-messages.ts'
import type { Suspensions } from './suspensions.ts'
import { externalOf, isAbout, type WriteContext } from './write-people.ts'

export type TicketContext = WriteContext & { tickets: Entity<Facts>; me: string; suspensions: Suspensions }

/** A ticket has at most 5,000 comments, the description among them. */
const mostComments = 4_999
/** Comments inside a ticket that is sent again because Zendesk refused its comments. The others follow. */
const fewerComments = 1_000

export function ticketEntity(context: TicketContext): WrittenEntity {
  const { api, tickets } = context
  return {
    declared: tickets,
    offer: {
      required: ['subject'],
      customFields: 'any',
      fields: { description: { isFixed: true }, due_at: { onlyWith: { field: 'type', value: 'task' } } },
      // An import runs no triggers, but automations of the account may send mails later.
      sendsMail: true,
      carries: { comments: { most: mostComments, backdate: true }, attachments: { most: 200, isUploaded: true } },
      capabilities: { batchSize: 4, concurrency: 4 },
    },
    write: (records) =>
      writeWithParts(records, (record) =>
        record.destinationId === null ? importTicket(context, record) : changeTicket(context, record),
      ),
    look: () => ({
      byIds: async (ids) => (await api.showMany('tickets', ids)).filter(({ status }) => status !== 'deleted'),
      key: externalIdKey(
        'external_id',
        ([sought]) =>
          readAll(api.list('/tickets', 'tickets', { external_id: externalOf(sought?.key ?? '') }), largestPage),
        1,
        externalOf,
      ),
      toFound: async (raw) => foundTicket(context, raw, await messagesNow(context, String(raw.id))),
      remove: (id) => api.http.send('DELETE', `/tickets/${encodeURIComponent(id)}`),
      oneByOne: requestsAtOnce,
    }),
    asStored: (content) => ({
      ...asStored(tickets, content),
      customFields: storedCustom('tickets', content.customFields),
    }),
    lossesOf: async ({ fields }, { destinationId }) => [
      ...(await textLosses(context, destinationId, null, fields.description)),
      ...tagLosses(fields),
    ],
  }
}

/**
 * The moment in whole seconds, and not before 1970. Undefined for a future moment. Zendesk refuses a comment of any other
 * time.
 */
function past(moment: string | null): string | undefined {
  if (moment === null || Date.parse(moment) > Date.now()) return undefined
  return `${new Date(Math.max(0, Date.parse(moment))).toISOString().slice(0, 19)}Z`
}

const isKept = (moment: string | null, stored: unknown): boolean =>
  moment === null || Math.floor(Date.parse(moment) / 1000) === Math.floor(Date.parse(String(stored)) / 1000)

export const authorOf = ({ fields }: Pick<OutgoingContent, 'fields'>): string | null => {
  const contact = fields.author_contact as SentRelation | undefined
  return typeof fields.author_agent === 'string' ? fields.author_agent : (contact?.destinationId ?? null)
}

/**
 * If the author has no account, we are the author and the text names the true one. Without an author, Zendesk might use
 * the requester.
 */
export function toComment({ me }: TicketContext, record: OutgoingRecord, unnamed: Unnamed = new Map()) {
  const { html_body: body, public: isPublic } = writeRecord(desk.comments, record, { isWhole: true })
  const wanted = authorOf(record)
  const author = wanted !== null && unnamed.has(wanted) ? null : wanted
  const line = author === null ? originOf(withName(record, wanted, unnamed)) : ''
  const at = past(record.createdAt)
  return {
    html_body: keepBraces(`${line}${body}`),
    public: isPublic === true,
    author_id: Number(author ?? me),
    ...(at && { created_at: at }),
  }
}

export const ticketUrl = ({ api }: WriteContext, id: unknown) => `${api.site}/agent/tickets/${id}`
const isClosed = (sent: Sent) => sent.result === 'refused' && sent.status === 422 && /closed/i.test(sent.message)
/** The answer to a change of a ticket. Throws if the ticket is closed. */
export function acceptedInTicket(sent: Sent): unknown {
  if (!isClosed(sent)) return accepted(sent)
  throw new RefusedError('closed', 'Zendesk changes nothing in a closed ticket, and adds nothing to it.')
}

/** Parts that may be left out of a refused ticket, by the field name in Zendesk's error. */
const dispensable: readonly Dispensable[] = [
  [/assignee/i, ['assignee_id'], 'assignee_refused'],
  [/follower|collaborator|email_cc/i, ['followers', 'email_ccs'], 'watcher_refused'],
  [/organization|group/i, ['organization_id', 'group_id'], 'relation_refused'],
  [/status/i, ['status', 'custom_status_id'], 'status_refused'],
  [/custom|field/i, ['custom_fields'], 'custom_value_refused'],
  [/\btags?\b/i, ['tags'], 'tags_left_out'],
]

const tagLosses = ({ tags }: OutgoingRecord['fields']): WriteLoss[] => thatHold([losesTags(tags), 'tags_left_out'])

/** The fields that `base` complains about. Only its words and the id of a custom field tell them. */
const namedInBase = ({ json }: RefusedAnswer): string[] =>
  objectsIn((json as { details?: { base?: unknown } } | null)?.details?.base).flatMap((one: Record<string, unknown>) =>
    /required when solving/i.test(String(one.description)) ? 'status' : one.ticket_field_id ? 'custom_fields' : [],
  )

const isAboutOpen = (sent: RefusedAnswer, about: RegExp) =>
  !isClosed(sent) && (isAbout(sent, about) || namedInBase(sent).some((name) => about.test(name)))

/** Fields of comments, and names that may mean a comment. Zendesk never tells which comment. */
const mayBeOfComment = /comment|author|created_at|upload|body|value|public|base/i
const isAboutTicket = (sent: Sent): boolean =>
  sent.result === 'refused' && isAbout(sent, /./) && !isAbout(sent, mayBeOfComment)

const requesterOf = ({ fields }: OutgoingRecord) => (fields.requester as SentRelation | undefined)?.destinationId

async function toTicket({ tickets, fields }: TicketContext, record: OutgoingRecord) {
  // A value that the source has lost since is cleared in the copy.
  const isChange = record.destinationId !== null
  const { entry_html, entry_public, status, ...body } = writeRecord(tickets, record, { isWhole: isChange })
  const custom = await fields.toBody('tickets', record.customFields, isChange)
  const state = typeof status === 'number' ? { custom_status_id: status } : status === undefined ? {} : { status }
  return {
    first: { html: entry_html ?? lineOf(), isPublic: entry_public !== false },
    body: { ...body, ...state, ...custom },
  }
}

/** Comments by time, the first one being the description. Their ids do not always grow. */
export const messagesNow = ({ api }: WriteContext, ticketId: string): Promise<RawRecord[]> =>
  readAll(messagesOf(api, ticketId), largestPage)

/**
 * Creates a ticket through the import API. Only this API keeps times and authors of comments, and only it creates
 * closed tickets, to which nothing can be added later.
 */
async function importTicket(context: TicketContext, record: OutgoingRecord): Promise<WriteOutcome[]> {
  const { key, createdBy, createdAt, updatedAt, parts = [] } = record
  const [said, files] = [ofEntity(parts, 'comments'), ofEntity(parts, 'attachments')]
  const attached = new Map<string, OutgoingPart[]>()
  const hiding = new Set<string>()
  /** A file for agents alone cannot be in a message for everybody. It follows as an internal note. */
  const withUploads = <C extends { html_body: string; public: boolean }>(messageKey: string, message: C) => {
    const all = files.filter(({ fields }) => parentKeyOf(fields) === messageKey)
    const own = all.filter(({ fields }) => !(message.public && fields.is_private))
    attached.set(messageKey, own)
    const hidden = all.flatMap((file) => (own.includes(file) ? [] : (file.upload?.url ?? [])))
    const html_body = withoutAddresses(message.html_body, hidden)
    if (html_body !== message.html_body) hiding.add(messageKey)
    return { ...message, html_body, ...(own.length > 0 && { uploads: own.map(({ upload }) => upload?.token) }) }
  }
  const { first, body } = await toTicket(context, record)
  const requester = requesterOf(record)
  // An agent without an account is named in the text: the requester did not write it.
  const author = (createdBy ? createdBy.userId : requester) ?? null
  const [created, updated] = [past(createdAt), past(updatedAt)]
  let messages: Message[] = []
  let unnamed: Unnamed = new Map()
  const sendWith = (carried: typeof said) =>
    sendWithout(body, dispensable, isAboutOpen, async (ticket) => {
      const begun = past(startOf(createdAt, carried))
      const authors = [author, ...carried.map(authorOf)]
      const done = await sendNaming(context.api, authors, unnamed, (without) => {
        const named = author !== null && without.has(author) ? null : author
        const line = named === null ? originOf(withName(record, author, without)) : ''
        const description = {
          html_body: keepBraces(`${line}${first.html}`),
          public: first.isPublic,
          author_id: Number(named ?? context.me),
          ...(begun && { created_at: begun }),
        }
        const comments = [
          withUploads(key, description),
          ...carried.map((one) => withUploads(one.key, toComment(context, one, without))),
        ]
        messages = comments
        const stamps = { ...(created && { created_at: created }), ...(updated && { updated_at: updated }) }
        const json = { ticket: { ...ticket, ...stamps, external_id: externalOf(key), comments } }
        return context.suspensions.send(requester, () => context.api.http.send('POST', '/imports/tickets', { json }))
      })
      unnamed = done.unnamed
      return done.sent
    })
  let { sent, losses } = await sendWith(said)
  const isTooLong = sent.result === 'refused' && (sent.status === 413 || isAbout(sent, /comment/i))
  if (isTooLong && said.length > fewerComments) ({ sent, losses } = await sendWith(said.slice(0, fewerComments)))
  if (sent.result === 'refused' && files.length > 0 && isAbout(sent, /upload/i)) throw noUploadInTime()
  const raw = context.api.one(
    blaming(isAboutTicket(sent) ? [] : undefined, () => accepted(sent)),
    'ticket',
  )
  if (!isKept(createdAt, raw.created_at)) losses.push('moment_not_kept')
  // Zendesk takes another organization if the requester does not belong to this one.
  const { organization_id: firm } = body as Record<string, unknown>
  const isOther = firm !== undefined && firm !== null && String(raw.organization_id) !== String(firm)
  if (isOther && !losses.includes('relation_refused')) losses.push('relation_refused')
  const ticketId = String(raw.id)
  const now = await messagesNow(context, ticketId)
  const stored = pairMessages(messages, now)
  if (isCut(messages[0], stored[0])) losses.push('text_shortened')
  if (hiding.has(key)) losses.push('picture_hidden')
  losses.push(...authorLosses(record, author, unnamed))
  losses.push(...tagLosses(record.fields).filter((one) => !losses.includes(one)))
  const outcomes: WriteOutcome[] = [written(key, ticketId, await foundTicket(context, raw, now), losses)]
  for (const [index, part] of said.entries()) {
    const message = stored[index + 1]
    if (!message) outcomes.push({ key: part.key, result: 'untried' })
    else {
      const lost: WriteLoss[] = [
        ...(isKept(part.createdAt, message.created_at) ? [] : (['moment_not_kept'] as const)),
        ...(isCut(messages[index + 1], message) ? (['text_shortened'] as const) : []),
        ...(hiding.has(part.key) ? (['picture_hidden'] as const) : []),
        ...authorLosses(part, authorOf(part), unnamed),
      ]
      outcomes.push(writtenIn(context, part.key, String(message.id), lost))
    }
  }
  const storedFiles = new Map(
    [key, ...said.map((part) => part.key)].flatMap((messageKey, index) =>
      pairFiles(attached.get(messageKey) ?? [], (stored[index]?.files ?? []) as RawRecord[]),
    ),
  )
  for (const part of files) {
    const file = storedFiles.get(part.key)
    if (!file) outcomes.push({ key: part.key, result: 'untried' })
    else outcomes.push({ ...writtenIn(context, part.key, String(file.id)), url: addressOf(file) })
  }
  return outcomes
}

/** The text without pictures and links that have one of these addresses. The words of a link stay. */
const withoutAddresses = (html: string, hidden: readonly string[]): string =>
  hidden.length === 0
    ? html
    : rewriteLinks(html, 'html', (url) => (hidden.includes(url) ? '' : null))
        .replace(/<img\b[^>]*\ssrc=""[^>]*>/gi, '')
        .replace(/(<a\b[^>]*?)\shref=""/gi, '$1')

const ofEntity = (parts: readonly OutgoingPart[], name: string) => parts.filter(({ entity }) => entity === name)
const parentKeyOf = ({ parent }: OutgoingPart['fields']) => (parent as SentRelation | undefined)?.key
export const addressOf = ({ content_url: address }: RawRecord) => (typeof address === 'string' && address) || null
export const noUploadInTime = () => new RetryableError('Zendesk answered with no upload in time')

/** Zendesk counts bytes: a text in another script may be cut although it has few characters. */
const keptBytes = 60_000
export function isCut(sent: Message | undefined, stored: RawRecord | undefined): boolean {
  if (!sent || !stored || Buffer.byteLength(sent.html_body) <= keptBytes) return false
  const lengthOf = ({ html_body: html }: RawRecord | Message) =>
    plainWords(String(html ?? '')).replace(/\s+/gu, '').length
  return lengthOf(stored) < lengthOf(sent)
}

/** Whether a text of a ticket was shortened, for a message whose answer was lost. */
export async function textLosses(
  context: WriteContext,
  ticketId: string,
  messageId: string | null,
  html: unknown,
): Promise<WriteLoss[]> {
  const sent = { html_body: String(html ?? '') }
  if (Buffer.byteLength(sent.html_body) <= keptBytes) return []
  const messages = await messagesNow(context, ticketId)
  const stored = messageId === null ? messages[0] : messages.find(({ id }) => id === messageId)
  return thatHold([isCut(sent, stored), 'text_shortened'])
}

async function changeTicket(context: TicketContext, record: OutgoingRecord): Promise<WriteOutcome[]> {
  const { key, destinationId } = record
  const { body } = await toTicket(context, record)
  // Zendesk would mail people who are added to an existing ticket, so copies are not changed.
  const { solved_at: _solved, email_ccs: _copied, ...rest } = body as Record<string, unknown>
  if (record.fields.is_private === true) await hideMessage(context, String(destinationId), null)
  const changes = { ...(rest.assignee_id ? {} : { group_id: null }), ...rest }
  const { sent, losses } = await sendWithout(changes, dispensable, isAboutOpen, (ticket) =>
    context.suspensions.send(requesterOf(record), () =>
      context.api.http.send('PUT', `/tickets/${destinationId}`, { json: { ticket } }),
    ),
  )
  const raw = context.api.one(acceptedInTicket(sent), 'ticket')
  const found = await foundTicket(context, raw, await messagesNow(context, String(raw.id)))
  losses.push(...tagLosses(record.fields).filter((one) => !losses.includes(one)))
  return [written(key, raw.id, found, losses)]
}

/** Makes a message private that is private in the source by now; without an id, the first message. */
export async function hideMessage(context: WriteContext, ticketId: string, messageId: string | null): Promise<void> {
  const messages = await messagesNow(context, ticketId)
  const message = present(messageId === null ? messages[0] : messages.find(({ id }) => id === messageId))
  if (message.public !== true) return
  const path = `/tickets/${ticketId}/comments/${String(message.id).split('-')[1]}/make_private`
  const sent = await context.api.http.send('PUT', path)
  if (sent.result === 'refused') throw nowPrivate(label)
}

/**
 * The version includes the number of messages that did not come through the API. Messages that we add later do not
 * change it. Those of other programs come the same way, so an undo compares `inside` with the ledger.
 */
async function foundTicket(context: TicketContext, ticket: RawRecord, messages: readonly RawRecord[]) {
  const first = messages[0] ?? { id: '', files: [], html_body: null, public: false }
  const { values, tags } = await context.fields.stored('tickets', ticket)
  const own = Array.isArray(ticket.tags) ? ticket.tags.filter((tag) => !tags.includes(String(tag))) : []
  const raw = withEntry(context.api, { solved_at: null, due_at: null, ...ticket, tags: own }, first)
  const content = { ...toStored(label, context.tickets, raw), customFields: values }
  const said = messages.filter((message) => !isByApi(message)).length
  const version = versionOf(content.fields, values, said)
  return { ...content, version, url: ticketUrl(context, ticket.id), inside: insideOf(messages) }
}

const isByApi = ({ via }: RawRecord) => (via as { channel?: unknown } | null | undefined)?.channel === 'api'

/** The outcome of a message or file in a ticket. */
export const writtenIn = (context: WriteContext, key: string, id: string, losses: WriteLoss[] = []) =>
  written(key, id, { url: ticketUrl(context, id.split('-')[0]), version: null }, losses)
