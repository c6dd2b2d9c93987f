import type { ColumnType, Generated } from 'kysely'
import type { Language } from '../languages.ts'

type Json<T> = ColumnType<T, string, string>
type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>
/** Postgres answers large numbers as texts. */
type Amount = ColumnType<string, number, number>

export interface PaymentTables {
  prices: { version: Generated<number>; document: Json<unknown>; created_at: Generated<Date> }
  quotes: QuotesTable
  payments: PaymentsTable
  payment_events: PaymentEventsTable
  invoice_book: {
    only_row: Generated<boolean>
    last_number: Generated<number>
    last_credit_number: Generated<number>
    issuer: NullableJson<Issuer>
  }
  invoices: InvoicesTable
  credit_notes: CreditNotesTable
  sponsorship_charges: {
    id: Generated<string>
    partner_id: string
    import_id: string
    /** The first day of the month, in UTC. */
    month: ColumnType<Date, string, never>
    amount: Amount
    currency: string
    records: number
    created_at: Generated<Date>
  }
}

export type Policy = 'ask' | 'customer_pays' | 'sponsor_all' | 'sponsor_up_to'

/** The facts behind a policy's decision. */
export interface PolicyReason {
  policy: Policy
  /** The plan's count of priced records; null if the policy did not need it. */
  records: number | null
  limit: number | null
  /** The policy, or the partner's own acceptance, would pay; its budget for the month has no room for it. */
  budget_spent?: true
}

export interface CountedEntity {
  entity: string
  records: number
}

export interface Package {
  name: string
  /** The most records of the package; null for any number. */
  up_to: number | null
}

/** Customers without a text in their language read the English one. */
export type TaxNote = { en: string } & Partial<Record<Language, string>>

interface QuotesTable {
  id: string
  import_id: string
  prices_version: number | null
  currency: string
  amount: Amount
  price: Amount
  package: Json<Package>
  records: number
  counted: Json<CountedEntity[]>
  is_estimated: boolean
  tax_note: Json<TaxNote>
  created_at: Generated<Date>
  expires_at: Date
}

export type ProviderName = 'stripe' | 'invoice'
export type PaymentState = 'open' | 'paid' | 'expired' | 'cancelled' | 'refund_due' | 'refunded'
export type PaymentTask = 'check' | 'expire' | 'refund'

/** Why a payment was cancelled, or its money goes back. */
export type PaymentReason = 'partner_pays' | 'other_way' | 'paid_twice' | 'import_ended' | 'operator' | 'new_quote'

export interface Billing {
  name: string
  company: string | null
  street: string
  postal_code: string | null
  city: string
  region: string | null
  /** ISO 3166, two letters. */
  country: string
  vat_id: string | null
  email: string
}

/** The issuer as printed on invoices. */
export interface Issuer {
  name: string
  address: string[]
  vat_id?: string
  email?: string
  /** Bank, account and the like, one line each. */
  payment: string[]
  /** Begins every invoice number. */
  prefix?: string
  /** The VAT that prices contain; none without it. */
  vat_percent?: number
}

interface PaymentsTable {
  id: string
  import_id: string
  quote_id: string
  provider: ProviderName
  amount: Amount
  currency: string
  state: PaymentState
  provider_id: string | null
  payment_intent: string | null
  checkout_url: string | null
  language: Language
  billing: NullableJson<Billing>
  receipt_email: string | null
  reason: PaymentReason | null
  attention: string | null
  task: PaymentTask | null
  task_due_at: Date | null
  task_failures: Generated<number>
  created_at: Generated<Date>
  expires_at: Date | null
  paid_at: Date | null
  refunded_at: Date | null
}

export type PaymentFact = 'paid' | 'failed' | 'expired' | 'refunded' | 'mismatch' | 'none'

interface PaymentEventsTable {
  id: string
  type: string
  payment_id: string | null
  payment_intent: string | null
  fact: PaymentFact
  amount: ColumnType<string | null, number | null, number | null>
  currency: string | null
  details: ColumnType<Record<string, unknown>, string | undefined, string>
  received_at: Generated<Date>
}

interface InvoicesTable {
  number: number
  payment_id: string
  issuer: NullableJson<Issuer>
  pdf: Buffer
  issued_at: Date
  due_at: Date
}

interface CreditNotesTable {
  number: number
  payment_id: string
  issuer: NullableJson<Issuer>
  pdf: Buffer
  issued_at: Generated<Date>
}
