import type Stripe from 'stripe'
import type { Config } from '../config.ts'
import type { Connector } from '../connectors/contract/contract.ts'
import { createInvoiceProvider } from './invoice-provider.ts'
import type { PaymentProviders } from './provider.ts'
import { createStripeProvider } from './stripe/stripe-provider.ts'

/** The payment providers that the configuration offers. `stripe` is null without card payments. */
export function createProviders(
  { invoices }: Pick<Config, 'invoices'>,
  parts: { connectors: readonly Connector[]; stripe: Stripe | null; origin: () => string },
): PaymentProviders {
  return [
    ...(parts.stripe ? [createStripeProvider(parts.stripe, parts.origin)] : []),
    ...(invoices ? [createInvoiceProvider(parts.connectors)] : []),
  ]
}
