import type { Issuer } from '../../db/payment-tables.ts'

/** As it stands on the invoice: always of the same length, so that lists sort. */
export const invoiceNumber = (number: number, issuer: Issuer | null): string =>
  `${issuer?.prefix ?? ''}${String(number).padStart(6, '0')}`

/** A series of its own. */
export const creditNoteNumber = (number: number, issuer: Issuer | null): string =>
  `${issuer?.prefix ?? ''}CN-${String(number).padStart(6, '0')}`
