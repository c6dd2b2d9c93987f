import type { OutgoingContent, StoredContent } from '../../contract/contract.ts'
import { cleanText, idOf, toMoment, withoutAddresses } from './stored-values.ts'

export function storedComment(content: OutgoingContent): StoredContent {
  const { ticket, body, isPublic, at } = commentOf(content)
  const fields = { ticket, body: withoutAddresses(body), is_public: isPublic }
  return { fields, customFields: {}, createdAt: at, updatedAt: null }
}

export function commentOf({ fields, createdAt }: Pick<OutgoingContent, 'fields' | 'createdAt'>) {
  return {
    ticket: idOf(fields.ticket),
    body: cleanText(fields.body),
    // A comment that is not certainly public stays among the agents.
    isPublic: fields.is_public === true,
    at: toMoment(createdAt),
  }
}

/** A text that was read back, as it is compared. */
export const comparableText = withoutAddresses
