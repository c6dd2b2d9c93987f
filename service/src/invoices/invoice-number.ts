import type { Issuer } from '../db/payment-tables.ts'

/** The number as printed: always of the same length, so that lists sort. */
export const invoiceNumber = (number: number, issuer: Issuer | null): string =>
  `${issuer?.prefix ?? ''}${String(number).padStart(6, '0')}`

/** Credit notes have a series of their own. */
export const creditNoteNumber = (number: number, issuer: Issuer | null): string =>
  `${issuer?.prefix ?? ''}CN-${String(number).padStart(6, '0')}`
