import type { FamilyRecord, RichText } from '../../families/record.ts'
import { chooseFiles, contentId, type Part } from './choose-body.ts'
import type { Message } from './read-messages.ts'
import { readMoment } from './schema.ts'
import { finishRecord, type MapFacts, type MappedRecord, ref } from './to-family.ts'

/** Whatever is not certainly public stays among the agents, with its files. */
const isSeenByCustomer = ({ transaction: { Type } }: Message) => Type === 'Correspond' || Type === 'Create'

export function toComment(message: Message, body: RichText | undefined, facts: MapFacts): MappedRecord {
  const { transaction, ticketId, parts } = message
  const author = authorOf(message, facts)
  return finishRecord(
    {
      entity: 'comments',
      sourceId: transaction.id,
      ...momentsOf(message),
      ...(author.agent ? { createdBy: author.agent } : {}),
      fields: {
        ticket: ref('tickets', ticketId),
        author_agent: author.agent,
        author_contact: author.contact,
        body: body && withInlineFiles(body, transaction.id, parts),
        is_public: isSeenByCustomer(message),
      },
    },
    ['ticket'],
    {},
  )
}

/** The files of a message hang on it; those of the first one on the ticket. */
export function toAttachments(message: Message, facts: MapFacts): MappedRecord[] {
  const { transaction, ticketId, isDescription, parts } = message
  const uploadedBy = authorOf(message, facts).agent
  return chooseFiles(parts).map((part) => {
    const { ContentType = '', ContentLength } = part
    const isShown = contentId(part) !== null && ContentType.startsWith('image/')
    const sourceId = attachmentId(transaction.id, part.id)
    return finishRecord(
      {
        entity: 'attachments',
        sourceId,
        sourceUrl: `${facts.base}/Ticket/Attachment/${transaction.id}/${part.id}/`,
        ...momentsOf(message),
        ...(uploadedBy ? { createdBy: uploadedBy } : {}),
        fields: {
          parent: isDescription ? ref('tickets', ticketId) : ref('comments', transaction.id),
          file_name: fileName(part),
          content_type: ContentType || undefined,
          size: isReencoded(part) ? undefined : Number(ContentLength),
          is_inline: isShown,
          is_private: !isSeenByCustomer(message),
          uploaded_by: uploadedBy,
        },
      },
      ['file_name'],
      {},
    )
  })
}

const attachmentId = (transactionId: string, partId: string) => `${transactionId}-${partId}`

export function readAttachmentId(sourceId: string): { transactionId: string; partId: string } | null {
  const [, transactionId, partId] = /^(\d+)-(\d+)$/.exec(sourceId) ?? []
  return transactionId && partId ? { transactionId, partId } : null
}

/** Pictures that an HTML body shows by the id that they have in the mail. */
export function withInlineFiles(body: RichText, transactionId: string, parts: readonly Part[]): RichText {
  const inlineFiles = chooseFiles(parts).flatMap((part) => {
    const cid = contentId(part)
    const url = `cid:${cid}`
    return cid !== null && body.body.includes(url) ? [{ url, attachment: attachmentId(transactionId, part.id) }] : []
  })
  return inlineFiles.length > 0 ? { ...body, inlineFiles } : body
}

function authorOf({ transaction }: Message, { agents, system }: MapFacts) {
  const id = transaction.Creator ? String(transaction.Creator.id) : ''
  const agent = agents.has(id) ? { userId: id } : undefined
  return { agent, contact: !agent && id !== '' && !system.has(id) ? ref('contacts', id) : undefined }
}

/** A message never changes, so it was last changed when it was written. */
function momentsOf({ transaction }: Message): Pick<FamilyRecord, 'createdAt' | 'updatedAt'> {
  const at = readMoment(transaction.Created)
  return at ? { createdAt: at, updatedAt: at } : {}
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
