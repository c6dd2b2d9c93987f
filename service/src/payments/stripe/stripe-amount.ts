import { digitsOf } from '../../currency.ts'

// https://docs.stripe.com/currencies#minor-units
const withoutDigits = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ')
const withThreeDigits = 'BHD JOD KWD OMR TND'.split(' ')

/** The number of decimal digits that Stripe uses. It differs from common use for ISK, UGX and HUF. */
function stripeDigits(currency: string): number {
  if (withoutDigits.includes(currency)) return 0
  return withThreeDigits.includes(currency) ? 3 : 2
}

export function toStripeAmount(amount: number, currency: string): number {
  return amount * 10 ** (stripeDigits(currency) - digitsOf(currency))
}

/** Converts Stripe's amount to ours. The result is a fraction if we cannot have requested that amount. */
export function fromStripeAmount(amount: number, currency: string): number {
  return amount / 10 ** (stripeDigits(currency) - digitsOf(currency))
}
