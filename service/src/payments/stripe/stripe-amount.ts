import { digitsOf } from '../../currency.ts'

// https://docs.stripe.com/currencies#minor-units
const withoutDigits = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ')
const withThreeDigits = 'BHD JOD KWD OMR TND'.split(' ')

/** The number of digits that Stripe counts. It differs from common use for some currencies: ISK, UGX and HUF. */
function stripeDigits(currency: string): number {
  if (withoutDigits.includes(currency)) return 0
  return withThreeDigits.includes(currency) ? 3 : 2
}

export function toStripeAmount(amount: number, currency: string): number {
  return amount * 10 ** (stripeDigits(currency) - digitsOf(currency))
}

/** Answers a fraction for an amount that we cannot have asked for. */
export function fromStripeAmount(amount: number, currency: string): number {
  return amount / 10 ** (stripeDigits(currency) - digitsOf(currency))
}
