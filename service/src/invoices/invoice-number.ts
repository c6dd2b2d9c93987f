import type { Issuer } from '../db/payment-tables.ts'

/** The printed number. All have the same length, so that lists sort correctly. */
export const invoiceNumber = (number: number, issuer: Issuer | null): string =>
  `${issuer?.prefix ?? ''}${String(number).padStart(6, '0')}`

/** Credit notes have their own series of numbers. */
export const creditNoteNumber = (number: number, issuer: Issuer | null): string =>
  `${issuer?.prefix ?? ''}CN-${String(number).padStart(6, '0')}`
