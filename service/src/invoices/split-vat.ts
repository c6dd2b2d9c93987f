/** Splits a gross amount into net and VAT, in the smallest unit of the currency. The customer pays the gross amount. */
export function splitVat(gross: number, percent: number): { net: number; vat: number; gross: number } {
  // Thousandths of a percent as an integer, so that no rounding error of a binary fraction changes a cent.
  const rate = Math.round(percent * 1_000)
  const net = Math.round((gross * 100_000) / (100_000 + rate))
  return { net, vat: gross - net, gross }
}
