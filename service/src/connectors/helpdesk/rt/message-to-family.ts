import type { RichText } from '../../../families/record.ts'
import { defineEntity } from '../../kit/entity.ts'
import { made } from '../../kit/lens.ts'
import { type MappedRecord, readRecord } from '../../kit/read-record.ts'
import { chooseFiles, contentId, type Part } from './choose-body.ts'
import { type MapFacts, ref } from './lenses.ts'
import type { Message } from './read-messages.ts'
import { readMoment } from './schema.ts'

interface Around {
  message: Message
  facts: MapFacts
}

/** Whatever is not certainly public stays among the agents, with its files. */
const isSeenByCustomer = ({ transaction: { Type } }: Message) => Type === 'Correspond' || Type === 'Create'
const authorOf = ({ message: { transaction } }: Around) => (transaction.Creator ? String(transaction.Creator.id) : '')

const agent = made<Around>('user', (_raw, around) => {
  const userId = authorOf(around)
  return around.facts.agents.has(userId) ? { userId } : undefined
})
/** A message never changes, so it was last changed when it was written. */
const at = made<Around>('datetime', (_raw, { message }) => readMoment(message.transaction.Created))
const stamps = { createdAt: at, updatedAt: at, createdBy: agent }

const comments = defineEntity<Around & { body: RichText | undefined }>('helpdesk', 'comments', {
  ...stamps,
  fields: {
    ticket: made('relation', (_raw, { message }) => ref('tickets', message.ticketId)),
    author_agent: agent,
    author_contact: made<Around>('relation', (_raw, around) => {
      const id = authorOf(around)
      const { agents, system } = around.facts
      return id === '' || agents.has(id) || system.has(id) ? undefined : ref('contacts', id)
    }),
    body: made('rich_text', (_raw, { body, message }) => body && withInlineFiles(body, message)),
    is_public: made('boolean', (_raw, { message }) => isSeenByCustomer(message)),
  },
})

export const toComment = (message: Message, body: RichText | undefined, facts: MapFacts): MappedRecord =>
  readRecord(comments, { id: message.transaction.id }, { message, body, facts })

/** The files of a message hang on it; those of the first one on the ticket. */
const attachments = defineEntity<Around & { part: Part }>('helpdesk', 'attachments', {
  ...stamps,
  sourceUrl: 'shownAt',
  fields: {
    parent: made('relation', (_raw, { message: { isDescription, ticketId, transaction } }) =>
      isDescription ? ref('tickets', ticketId) : ref('comments', transaction.id),
    ),
    file_name: made('text', (_raw, { part }) => fileName(part)),
    content_type: made('text', (_raw, { part }) => part.ContentType || undefined),
    size: made('integer', (_raw, { part }) => (isReencoded(part) ? undefined : Number(part.ContentLength))),
    is_inline: made(
      'boolean',
      (_raw, { part }) => contentId(part) !== null && (part.ContentType ?? '').startsWith('image/'),
    ),
    is_private: made('boolean', (_raw, { message }) => !isSeenByCustomer(message)),
    uploaded_by: agent,
  },
})

export const toAttachments = (message: Message, facts: MapFacts): MappedRecord[] =>
  chooseFiles(message.parts).map((part) => {
    const shownAt = `${facts.base}/Ticket/Attachment/${message.transaction.id}/${part.id}/`
    return readRecord(attachments, { id: attachmentId(message, part), shownAt }, { message, part, facts })
  })

const attachmentId = ({ transaction }: Pick<Message, 'transaction'>, part: Part) => `${transaction.id}-${part.id}`

export function readAttachmentId(sourceId: string): { transactionId: string; partId: string } | null {
  const [, transactionId, partId] = /^(\d+)-(\d+)$/.exec(sourceId) ?? []
  return transactionId && partId ? { transactionId, partId } : null
}

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
