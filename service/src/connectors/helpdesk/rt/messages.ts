import Type from 'typebox'
import type { RichText } from '../../../families/record.ts'
import { plainToHtml } from '../../../text/parse-markup.ts'
import { defineEntity } from '../../kit/entity.ts'
import { inChunks } from '../../kit/in-chunks.ts'
import { lens, made, type RawRecord, takenElsewhere } from '../../kit/lens.ts'
import * as is from '../../kit/lenses.ts'
import { anyOf, type RtApi } from './api.ts'
import { agent, field, type MapFacts, moment, type Raw, ref, take } from './lenses.ts'

// Request Tracker stores a message as the parts of a mail, each container before its content.

export type Part = Raw<'attachment'>

/** A message that a person wrote, with the parts of its mail. */
export interface Message {
  transaction: Raw<'transaction'>
  /** The ticket that the message belongs to now. It differs from the first one after a merge. */
  ticketId: string
  isDescription: boolean
  parts: Part[]
}

const inTickets = "ObjectType = 'RT::Ticket'"
/** Excludes reminders and approvals, which are tickets, too, and deleted tickets, which stay in the history. */
const ofTickets = `${inTickets} AND TicketType = 'ticket' AND TicketStatus != 'deleted'`
/** The "Create" entry of each ticket of a type. */
export const ticketsQuery = (type: 'ticket' | 'reminder' | 'approval', status: string) =>
  `${inTickets} AND TicketType = '${type}' AND ${status} AND Type = 'Create'`
export const historyQuery = `${ofTickets} AND Type != 'Create' AND Type != 'Correspond' AND Type != 'Comment'`
/** Only these entries are messages. The history also contains field changes and copies of outgoing mails. */
export const messageQuery = `${ofTickets} AND (Type = 'Create' OR Type = 'Correspond' OR Type = 'Comment')`
/** Deleted tickets and their messages stay in the history. */
export const deletedQuery = `${inTickets} AND TicketStatus = 'deleted'`

export const transactionFields = {
  fields: 'id,Type,ObjectId,Creator,Created,CustomFields',
  expand: { Creator: 'id' },
}
const partFields = 'id,TransactionId,ContentType,Filename,ContentLength,Headers'
/** Bytes of text per request. A longer text is requested alone. */
const textBytesAtOnce = 4 * 1024 * 1024
const partsAtOnce = 50

const written = moment('Created', { isReadOnly: true })
/** A message never changes, so `updatedAt` is the time of writing. */
const stamps = { createdAt: written, updatedAt: written, createdBy: agent('Creator') }
const author = takenElsewhere(agent('Creator'))

export const comments = defineEntity<MapFacts>('helpdesk', 'comments', {
  ...stamps,
  fields: {
    ticket: is.reference('ticketId', 'tickets'),
    author_agent: author,
    author_contact: takenElsewhere(
      field('relation', 'Creator', {
        relates: 'contacts',
        read: ({ id }, _raw, { agents, system }) =>
          agents.has(String(id)) || system.has(String(id)) ? undefined : ref('contacts', String(id)),
      }),
    ),
    body: takenElsewhere(lens('rich_text', { from: 'body', check: Type.Any(), read: (body: RichText) => body })),
    is_public: is.flag('isSeenByCustomer'),
  },
})

/** A file belongs to its message, or to the ticket if it came with the first message. */
export const attachments = defineEntity<MapFacts>('helpdesk', 'attachments', {
  ...stamps,
  sourceUrl: 'shownAt',
  also: { messageId: Type.String(), ticketId: Type.String(), isDescription: Type.Boolean() },
  fields: {
    parent: takenElsewhere(
      made('relation', ({ isDescription, ticketId, messageId }) =>
        isDescription ? ref('tickets', String(ticketId)) : ref('comments', String(messageId)),
      ),
    ),
    file_name: is.text('Filename', { max: 200 }),
    content_type: is.text('ContentType', { max: 80 }),
    size: is.integer('ContentLength'),
    is_inline: is.flag('isInline', { isReadOnly: true }),
    is_private: is.flag('isSeenByCustomer', { isInverse: true }),
    uploaded_by: author,
  },
})

export function commentOf(message: Message, body?: RichText): RawRecord {
  const { ticketId, isDescription, transaction } = message
  const { id, Type, Creator, Created } = transaction
  // A message of any other type counts as internal, and so do its files.
  const isSeenByCustomer = Type === 'Correspond' || Type === 'Create'
  return {
    ...{ id, messageId: id, ticketId, isDescription, isSeenByCustomer, Created, LastUpdated: Created },
    ...(Creator && { Creator }),
    ...(body && { body: withInlineFiles(body, message) }),
  }
}

export const filesOf = (message: Message, base: string): RawRecord[] =>
  chooseFiles(message.parts).map((part) => ({
    ...commentOf(message),
    id: attachmentId(message, part),
    shownAt: `${base}/Ticket/Attachment/${message.transaction.id}/${part.id}/`,
    Filename: fileName(part),
    ...(part.ContentType && { ContentType: part.ContentType }),
    ...(!isReencoded(part) && { ContentLength: Number(part.ContentLength) }),
    isInline: contentId(part) !== null && (part.ContentType ?? '').startsWith('image/'),
  }))

const attachmentId = ({ transaction }: Message, part: Part) => `${transaction.id}-${part.id}`
/** The message id, which is the first part of a file's id. */
export const transactionOf = (id: string): string => id.replace(/-\d+$/, '')

export function withInlineFiles(body: RichText, message: Message): RichText {
  const inlineFiles = chooseFiles(message.parts).flatMap((part) => {
    const cid = contentId(part)
    const url = `cid:${cid}`
    return cid !== null && body.body.includes(url) ? [{ url, attachment: attachmentId(message, part) }] : []
  })
  return inlineFiles.length > 0 ? { ...body, inlineFiles } : body
}

/** The content id by which an HTML body shows this part. Null if the part has none. */
const contentId = ({ Headers = '' }: Part) => /^content-id:\s*<([^>\s]+)>/im.exec(Headers)?.[1] ?? null

/** Texts are stored as UTF-8, but returned in their original encoding, so the stored size may differ. */
function isReencoded({ ContentType = '', Headers = '' }: Part): boolean {
  const [, encoding = 'utf-8'] = /^x-rt-original-encoding:\s*(\S+)/im.exec(Headers) ?? []
  return ContentType.startsWith('text/') && !/^(utf-?8|us-ascii|ascii)$/i.test(encoding)
}

function fileName({ id, Filename = '', ContentType = '' }: Part): string {
  if (Filename !== '') return Filename
  const [, ending] = /^[a-z]+\/([a-z0-9]{2,5})$/.exec(ContentType) ?? []
  return `attachment-${id}${ending ? `.${ending}` : ''}`
}

const isText = ({ ContentType = '', Filename = '' }: Part) => /^text\/(plain|html)/.test(ContentType) && Filename === ''
const isHtml = ({ ContentType = '' }: Part) => ContentType.startsWith('text/html')

/** The parts that form the readable message: the HTML version if there are alternatives, and every text after it. */
export const chooseBodyParts = (parts: readonly Part[]): Part[] =>
  parts.filter((part, index) => {
    const [before, next] = [parts[index - 1], parts[index + 1]]
    const isFirstAlternative = before?.ContentType?.startsWith('multipart/alternative') ?? false
    const hasRicher = isFirstAlternative && !isHtml(part) && next !== undefined && isText(next) && isHtml(next)
    return isText(part) && !hasRicher
  })

/** The files of a message. An unnamed part without bytes is an empty text, not a file. */
export const chooseFiles = (parts: readonly Part[]): Part[] =>
  parts.filter(({ ContentType = '', Filename = '', ContentLength = 0 }) => {
    if (Filename !== '') return !ContentType.startsWith('multipart/')
    return !/^(multipart\/|message\/|text\/(plain|html))/.test(ContentType) && Number(ContentLength) > 0
  })

/** Joins the texts to one. `contents` holds the text of each part, by the part's id. */
export function joinBody(body: readonly Part[], contents: ReadonlyMap<string, string>): RichText | undefined {
  const texts = body.flatMap((part) => {
    const content = contents.get(part.id)
    return content === undefined ? [] : [{ html: isHtml(part), content }]
  })
  if (texts.length === 0) return undefined
  if (!texts.some(({ html }) => html)) {
    return { format: 'plain', body: texts.map(({ content }) => content).join('\n\n') }
  }
  return { format: 'html', body: texts.map(({ html, content }) => (html ? content : plainToHtml(content))).join('\n') }
}

/** Adds tickets and parts to messages. Leaves out messages of deleted tickets. */
export async function toMessages(api: RtApi, listed: readonly RawRecord[]): Promise<Message[]> {
  const transactions = listed.map((record) => take('transaction', record))
  const ticketIds = new Set(transactions.flatMap(({ ObjectId }) => (ObjectId === undefined ? [] : [String(ObjectId)])))
  const tickets = await findEffectiveIds(api, [...ticketIds])
  const kept = transactions.filter(({ ObjectId }) => tickets.has(String(ObjectId)))
  return (await withParts(api, kept)).map(({ transaction, parts }) => {
    const ticketId = tickets.get(String(transaction.ObjectId)) ?? ''
    const isDescription = transaction.Type === 'Create' && ticketId === String(transaction.ObjectId)
    return { transaction, ticketId, isDescription, parts }
  })
}

/** The current ticket of each id: a merged ticket's id leads to another. Deleted tickets are left out. */
async function findEffectiveIds(api: RtApi, ids: readonly string[]): Promise<Map<string, string>> {
  const found = new Map([...(await findTicketIds(api, ids))].map((id) => [id, id]))
  for (const id of ids.filter((one) => !found.has(one))) {
    const raw = await api.one('ticket', `/ticket/${id}`)
    if (raw && raw.Status !== 'deleted' && raw.id !== id) found.set(id, raw.id)
  }
  return found
}

/** The ids of tickets that were neither deleted nor merged into another ticket. */
export async function findTicketIds(api: RtApi, ids: readonly string[]): Promise<Set<string>> {
  return new Set((await api.listByIds('/tickets', ids, { fields: 'id' })).map(({ id }) => String(id)))
}

export async function withParts<T extends Raw<'transaction'>>(api: RtApi, transactions: readonly T[]) {
  const ids = transactions.map(({ id }) => id)
  const listed = await inChunks(ids, partsAtOnce, (some) =>
    api.all('attachment', '/attachments', { query: anyOf('TransactionId', some), fields: partFields }),
  )
  const parts = Map.groupBy(listed, ({ TransactionId }) => String(TransactionId))
  return transactions.map((transaction) => ({ transaction, parts: parts.get(transaction.id) ?? [] }))
}

export async function readBodies(api: RtApi, messages: readonly Pick<Message, 'transaction' | 'parts'>[]) {
  const chosen = messages.map(({ transaction, parts }) => ({ id: transaction.id, body: chooseBodyParts(parts) }))
  const contents = new Map<string, string>()
  for (const ids of chunkBySize(chosen.flatMap(({ body }) => body))) {
    for (const record of (await api.list('/attachments', { query: anyOf('id', ids), fields: 'id,Content' })).items) {
      const { id, Content } = take('attachment', record)
      if (Content !== undefined) contents.set(id, Content)
    }
  }
  const bodies = chosen.map(({ id, body }) => [id, joinBody(body, contents)] as const)
  return new Map(bodies.flatMap(([id, body]): [string, RichText][] => (body ? [[id, body]] : [])))
}

/** The ids of these parts, for one request each. */
function chunkBySize(parts: readonly Part[]): string[][] {
  const chunks: string[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const { id, ContentLength = 0 } of parts) {
    bytes += Number(ContentLength)
    if (bytes > textBytesAtOnce || (chunks.at(-1)?.length ?? 0) >= partsAtOnce) {
      chunks.push([])
      bytes = Number(ContentLength)
    }
    chunks.at(-1)?.push(id)
  }
  return chunks
}
