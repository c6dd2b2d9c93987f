import type { OutgoingContent, SentRelation } from '../../contract/contract.ts'
import type { RawRecord } from '../../kit/lens.ts'

// Customers always see tickets of the category "Customer". So private tickets become tickets of the category
// "Back-office", which take notes alone. Our ids of them begin with a letter, so that a message is known as internal
// without a look at its ticket.

const letter = 'b'

/** Intercom's own id of a ticket. */
export const ownIdOf = (ticketId: unknown): string => String(ticketId).replace(/^b(?=\d)/, '')
export const isInternalId = (ticketId: string): boolean => ticketId !== ownIdOf(ticketId)
/** Whether a ticket is of the back office. */
export const isInternal = ({ category }: Readonly<Record<string, unknown>>): boolean => category === 'Back-office'
/** The ticket with our id. */
export const withOurId = (raw: RawRecord): RawRecord =>
  isInternal(raw) ? { ...raw, id: `${letter}${ownIdOf(raw.id)}` } : raw

/** Whether customers can see a comment: it is public, and so is its ticket. */
export const isOpen = ({ fields }: Pick<OutgoingContent, 'fields'>): boolean =>
  fields.is_public === true && !isInternalId((fields.ticket as SentRelation | undefined)?.destinationId ?? '')
