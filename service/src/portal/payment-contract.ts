import type {
  CountedEntity,
  Package,
  PaymentReason,
  PaymentState,
  PolicyReason,
  ProviderName,
  TaxNote,
} from '../db/payment-tables.ts'
import type { Language } from '../languages.ts'

/** Answers of the portal's JSON routes about paying. Types only: the web part reads this file too. */

export type { CountedEntity, Package, PaymentReason, PaymentState, PolicyReason, ProviderName }

/** The newest payment of an import. */
export interface PortalPayment {
  id: string
  provider: ProviderName
  state: PaymentState
  /** Decimal, in the currency. */
  amount: string
  currency: string
  /** Why it was called off, or its money goes back. */
  reason: PaymentReason | null
  created_at: string
  paid_at: string | null
  /** For an open checkout: where it is, and until when. */
  checkout_url: string | null
  expires_at: string | null
  invoice: { number: string; due_at: string } | null
  /** The number of the credit note, at `…/credit-note.pdf`. */
  credit_note: string | null
}

/** Body of `GET /portal/imports/:id/quote`. */
export interface PortalQuote {
  /** `counting` while the plan is being made; `settled` when nothing is to be paid. */
  state: 'counting' | 'settled' | 'ready'
  quote: {
    currency: string
    /** The amount to pay now, decimal. */
    amount: string
    /** Of the package; more than `amount` when something was paid before. */
    price: string
    package: Package
    /** All that there are, from the smallest. */
    packages: (Package & { price: string })[]
    records: number
    counted: CountedEntity[]
    is_estimated: boolean
    has_uncounted_filters: boolean
    tax_note: TaxNote
    /** Until when it holds, once the customer went to pay; null before. */
    holds_until: string | null
    /** For how many days it will hold then. */
    holds_days: number
  } | null
  /** The ways to pay. */
  providers: ProviderName[]
}

/** Body of `POST /portal/imports/:id/purchase`. */
export interface PortalPurchaseRequest {
  provider: ProviderName
  language: Language
  /** For an invoice. */
  billing?: PortalBilling
}

export interface PortalBilling {
  name: string
  company?: string
  street: string
  postal_code?: string
  city: string
  region?: string
  country: string
  vat_id?: string
  email: string
}
