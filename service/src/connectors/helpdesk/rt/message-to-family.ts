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
/** A message never changes, so it was last changed when it was written. */
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

/** A message's files belong to it; those of the first message belong to the ticket. */
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
  // A message that is not certainly public stays among the agents, with its files.
  const isSeenByCustomer = Type === 'Correspond' || Type === 'Create'
  const about = { messageId: id, ticketId, isDescription, isSeenByCustomer }
  return { id, ...about, Created, LastUpdated: Created, ...(Creator ? { Creator } : {}) }
}

/** A message as a comment is read of it. */
export const commentOf = (message: Message, body: RichText | undefined): RawRecord => ({
  ...rawOf(message),
  ...(body && { body: withInlineFiles(body, message) }),
})

/** Its files, as they are read. */
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

/** A file is part of its message: the number of that comes first in its id. */
export const transactionOf = (id: string): string => readAttachmentId(id)?.transactionId ?? id

/** Pictures that an HTML body shows by the id that they have in the mail. */
export function withInlineFiles(body: RichText, message: Pick<Message, 'transaction' | 'parts'>): RichText {
  const inlineFiles = chooseFiles(message.parts).flatMap((part) => {
    const cid = contentId(part)
    const url = `cid:${cid}`
    return cid !== null && body.body.includes(url) ? [{ url, attachment: attachmentId(message, part) }] : []
  })
  return inlineFiles.length > 0 ? { ...body, inlineFiles } : body
}

/** Texts are kept as UTF-8 and handed out as they came, so the size that is told is not the size of the file. */
function isReencoded({ ContentType = '', Headers = '' }: Part): boolean {
  const [, encoding = 'utf-8'] = /^x-rt-original-encoding:\s*(\S+)/im.exec(Headers) ?? []
  return ContentType.startsWith('text/') && !/^(utf-?8|us-ascii|ascii)$/i.test(encoding)
}

function fileName({ id, Filename = '', ContentType = '' }: Part): string {
  if (Filename !== '') return Filename
  const [, ending] = /^[a-z]+\/([a-z0-9]{2,5})$/.exec(ContentType) ?? []
  return `attachment-${id}${ending ? `.${ending}` : ''}`
}
