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
    // A comment without `is_public` counts as internal.
    isPublic: fields.is_public === true,
    at: toMoment(createdAt),
  }
}

/** The form in which texts are compared. */
export const comparableText = withoutAddresses
