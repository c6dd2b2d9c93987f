import type { Selectable } from 'kysely'
import type { Tx } from '../db/open-database.ts'
import type { Billing, Package, ProviderName } from '../db/payment-tables.ts'
import type { Database } from '../db/schema.ts'
import type { Language } from '../languages.ts'
import type { ProviderFact } from './record-fact.ts'

export type PaymentRow = Selectable<Database['payments']>

/** The data of a payment: amount, customer and reason. */
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

/**
 * A payment provider, such as Stripe. The table `payments` holds the state; a provider only carries out the tasks in
 * it.
 */
export interface PaymentProvider {
  readonly name: ProviderName
  /** Runs in the transaction that inserts the payment. */
  prepare(tx: Tx, order: Order): Promise<void>
  /**
   * Runs after that transaction. Repeated calls open only one order. Null if nothing is opened at an external service.
   */
  open(order: Order): Promise<OpenedOrder | null>
  /** Prevents that the payment can still be paid. */
  expire(payment: PaymentRow): Promise<void>
  /** Returns the money. Repeated calls return it only once. Null if a person has to do it. */
  refund(payment: PaymentRow): Promise<ProviderFact | null>
  /** Asks the provider for the payment's state, in case a message from the provider was lost. */
  check(payment: PaymentRow): Promise<ProviderFact | null>
}

/** The payment providers of this installation, the preferred one first. */
export type PaymentProviders = readonly PaymentProvider[]
