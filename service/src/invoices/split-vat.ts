/** The VAT within an amount, in the smallest unit of its currency. The customer pays the amount, so it is the gross. */
export function splitVat(gross: number, percent: number): { net: number; vat: number; gross: number } {
  // In thousandths of a percent, so that no binary fraction decides about a cent.
  const rate = Math.round(percent * 1_000)
  const net = Math.round((gross * 100_000) / (100_000 + rate))
  return { net, vat: gross - net, gross }
}
