import type { OutgoingContent, StoredContent } from '../contract.ts'
import { cleanText, idOf, withoutAddresses } from './stored-values.ts'

export function storedComment(content: OutgoingContent): StoredContent {
  const { ticket, body, isPublic, at } = commentOf(content)
  return {
    fields: { ticket, body: withoutAddresses(body), is_public: isPublic },
    customFields: {},
    createdAt: at,
    updatedAt: null,
  }
}

export function commentOf({ fields, createdAt }: Pick<OutgoingContent, 'fields' | 'createdAt'>) {
  const isMoment = createdAt !== null && !Number.isNaN(Date.parse(createdAt))
  return {
    ticket: idOf(fields.ticket),
    body: typeof fields.body === 'string' ? cleanText(fields.body) : '',
    // Whatever is not certainly public stays among the agents.
    isPublic: fields.is_public === true,
    at: isMoment ? new Date(createdAt).toISOString() : null,
  }
}

/** A text that was read back, as it is compared. */
export const comparableText = withoutAddresses
