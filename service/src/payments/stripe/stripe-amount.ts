import { digitsOf } from '../currency.ts'

// https://docs.stripe.com/currencies#minor-units
const withoutDigits = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ')
const withThreeDigits = 'BHD JOD KWD OMR TND'.split(' ')

/** How many digits Stripe counts; it differs from what people write for some, such as ISK, UGX and HUF. */
function stripeDigits(currency: string): number {
  if (withoutDigits.includes(currency)) return 0
  return withThreeDigits.includes(currency) ? 3 : 2
}

export function toStripeAmount(amount: number, currency: string): number {
  return amount * 10 ** (stripeDigits(currency) - digitsOf(currency))
}

/** Not a whole number for an amount that we cannot have asked for. */
export function fromStripeAmount(amount: number, currency: string): number {
  return amount / 10 ** (stripeDigits(currency) - digitsOf(currency))
}
