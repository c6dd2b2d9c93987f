import type { Db } from '../db/open-database.ts'

/** The newest invoice of an import. */
export async function findInvoicePdf(db: Db, importId: string) {
  return db
    .selectFrom('invoices')
    .innerJoin('payments', 'payments.id', 'invoices.payment_id')
    .select(['invoices.number', 'invoices.pdf'])
    .where('payments.import_id', '=', importId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The newest credit note of an import. */
export async function findCreditNotePdf(db: Db, importId: string) {
  return db
    .selectFrom('credit_notes')
    .innerJoin('payments', 'payments.id', 'credit_notes.payment_id')
    .select(['credit_notes.number', 'credit_notes.pdf'])
    .where('payments.import_id', '=', importId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
}
