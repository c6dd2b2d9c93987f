import type { Selectable } from 'kysely'
import type { Tx } from '../db/open-database.ts'
import type { Billing, Package, ProviderName } from '../db/payment-tables.ts'
import type { Database } from '../db/schema.ts'
import type { Language } from '../languages.ts'
import type { ProviderFact } from './record-fact.ts'

export type PaymentRow = Selectable<Database['payments']>

/** What is to be paid, for whom and why. */
export interface Order {
  paymentId: string
  importId: string
  quoteId: string
  amount: number
  currency: string
  package: Package
  records: number
  partnerName: string
  language: Language
  billing: Billing | null
  createdAt: Date
}

/** Where the customer pays. */
export interface OpenedOrder {
  providerId: string
  url: string
  expiresAt: Date
}

/** A way to pay. Our rows are the truth; a provider only does at the other side what they say. */
export interface PaymentProvider {
  readonly name: ProviderName
  /** In the transaction that makes the payment exist. */
  prepare(tx: Tx, order: Order): Promise<void>
  /** After it, outside of any transaction; doing it twice must do it once. Null where there is no other side. */
  open(order: Order): Promise<OpenedOrder | null>
  /** Nobody shall be able to pay it any more. */
  close(payment: PaymentRow): Promise<void>
  /** Sends the money back, once however often it is called. Null when people have to do it. */
  refund(payment: PaymentRow): Promise<ProviderFact | null>
  /** How it stands at the other side, in case that a message was lost. */
  look(payment: PaymentRow): Promise<ProviderFact | null>
}

/** The ways to pay that this installation offers, the first one foremost. */
export type PaymentProviders = readonly PaymentProvider[]
