import type { Selectable } from 'kysely'
import type { Tx } from '../db/open-database.ts'
import type { Billing, Package, ProviderName } from '../db/payment-tables.ts'
import type { Database } from '../db/schema.ts'
import type { Language } from '../languages.ts'
import type { ProviderFact } from './record-fact.ts'

export type PaymentRow = Selectable<Database['payments']>

/** The amount of a payment, its customer and its reason. */
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

/** The page where the customer pays. */
export interface OpenedOrder {
  providerId: string
  url: string
  expiresAt: Date
}

/** A way to pay. Our rows are the truth; a provider only carries out what they say. */
export interface PaymentProvider {
  readonly name: ProviderName
  /** Runs in the transaction that inserts the payment. */
  prepare(tx: Tx, order: Order): Promise<void>
  /** Runs after that transaction; repeated calls open one order. Null where nothing is opened outside. */
  open(order: Order): Promise<OpenedOrder | null>
  /** Makes the payment impossible to pay from now on. */
  close(payment: PaymentRow): Promise<void>
  /** Sends the money back once, even if it is called several times. Null if a person has to do it. */
  refund(payment: PaymentRow): Promise<ProviderFact | null>
  /** Asks the provider for the payment's state, in case a message was lost. */
  look(payment: PaymentRow): Promise<ProviderFact | null>
}

/** The ways to pay that this installation offers, the preferred one first. */
export type PaymentProviders = readonly PaymentProvider[]
