import Type from 'typebox'
import type { RichText } from '../../../families/record.ts'
import { defineEntity } from '../../kit/entity.ts'
import { lens, made, type RawRecord, takenElsewhere } from '../../kit/lens.ts'
import * as is from '../../kit/lenses.ts'
import { type MappedRecord, readRecord } from '../../kit/read-record.ts'
import { chooseFiles, contentId, type Part } from './choose-body.ts'
import { agent, field, type MapFacts, moment, ref } from './lenses.ts'
import type { Message } from './read-messages.ts'

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

function rawOf({ transaction: { id, Type, Creator, Created }, ticketId, isDescription }: Message): RawRecord {
  // A message of any other type counts as internal, and so do its files.
  const isSeenByCustomer = Type === 'Correspond' || Type === 'Create'
  const about = { messageId: id, ticketId, isDescription, isSeenByCustomer }
  return { id, ...about, Created, LastUpdated: Created, ...(Creator ? { Creator } : {}) }
}

/** A message as a comment. */
export const commentOf = (message: Message, body: RichText | undefined): RawRecord => ({
  ...rawOf(message),
  ...(body && { body: withInlineFiles(body, message) }),
})

/** The files of a message. */
export const filesOf = (message: Message, base: string): RawRecord[] =>
  chooseFiles(message.parts).map((part) => ({
    ...rawOf(message),
    id: attachmentId(message, part),
    shownAt: `${base}/Ticket/Attachment/${message.transaction.id}/${part.id}/`,
    Filename: fileName(part),
    ...(part.ContentType ? { ContentType: part.ContentType } : {}),
    ...(isReencoded(part) ? {} : { ContentLength: Number(part.ContentLength) }),
    isInline: contentId(part) !== null && (part.ContentType ?? '').startsWith('image/'),
  }))

export const toComment = (message: Message, body: RichText | undefined, facts: MapFacts): MappedRecord =>
  readRecord(comments, commentOf(message, body), facts)

export const toAttachments = (message: Message, facts: MapFacts): MappedRecord[] =>
  filesOf(message, facts.base).map((raw) => readRecord(attachments, raw, facts))

const attachmentId = ({ transaction }: Pick<Message, 'transaction'>, part: Part) => `${transaction.id}-${part.id}`

export function readAttachmentId(sourceId: string): { transactionId: string; partId: string } | null {
  const [, transactionId, partId] = /^(\d+)-(\d+)$/.exec(sourceId) ?? []
  return transactionId && partId ? { transactionId, partId } : null
}

/** The message id, which is the first part of a file's id. */
export const transactionOf = (id: string): string => readAttachmentId(id)?.transactionId ?? id

/** Adds the pictures that an HTML body shows by content id. */
export function withInlineFiles(body: RichText, message: Pick<Message, 'transaction' | 'parts'>): RichText {
  const inlineFiles = chooseFiles(message.parts).flatMap((part) => {
    const cid = contentId(part)
    const url = `cid:${cid}`
    return cid !== null && body.body.includes(url) ? [{ url, attachment: attachmentId(message, part) }] : []
  })
  return inlineFiles.length > 0 ? { ...body, inlineFiles } : body
}

/**
 * Whether the stored size differs from the file's size: Request Tracker stores texts as UTF-8, but returns them in
 * their original encoding.
 */
function isReencoded({ ContentType = '', Headers = '' }: Part): boolean {
  const [, encoding = 'utf-8'] = /^x-rt-original-encoding:\s*(\S+)/im.exec(Headers) ?? []
  return ContentType.startsWith('text/') && !/^(utf-?8|us-ascii|ascii)$/i.test(encoding)
}

function fileName({ id, Filename = '', ContentType = '' }: Part): string {
  if (Filename !== '') return Filename
  const [, ending] = /^[a-z]+\/([a-z0-9]{2,5})$/.exec(ContentType) ?? []
  return `attachment-${id}${ending ? `.${ending}` : ''}`
}
