import { type Language, localeOf } from './languages.ts'

/** Amounts are whole numbers of the smallest unit that people use: cents, yen, fils. */
const known = new Set(Intl.supportedValuesOf('currency'))

export const isCurrency = (text: string): boolean => known.has(text)

/** Digits behind the point: 2 for EUR, none for JPY, 3 for KWD. */
export function digitsOf(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}

/** "49.00" in EUR is 4900; null when it is no amount of this currency. */
export function parseAmount(text: string, currency: string): number | null {
  const [, whole, fraction = ''] = /^(\d{1,9})(?:\.(\d+))?$/.exec(text) ?? []
  const digits = digitsOf(currency)
  if (whole === undefined || fraction.length > digits) return null
  return Number(`${whole}${fraction.padEnd(digits, '0')}`)
}

/** 4900 in EUR is "49.00". */
export function decimalAmount(amount: number, currency: string): string {
  const digits = digitsOf(currency)
  const text = String(amount).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** As people of this language write it. */
export function formatAmount(amount: number, currency: string, language: Language): string {
  const format = new Intl.NumberFormat(localeOf[language], { style: 'currency', currency })
  // As a text: every digit of it counts.
  return format.format(decimalAmount(amount, currency) as Intl.StringNumericLiteral)
}
