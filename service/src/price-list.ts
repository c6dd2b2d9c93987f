import { decimalAmount, digitsOf, isCurrency, parseAmount } from './currency.ts'
import type { Package, TaxNote } from './db/payment-tables.ts'
import { OperatorError } from './errors.ts'
import { type Family, families } from './families/index.ts'
import { languages } from './languages.ts'

export interface PricedPackage extends Package {
  /** In the smallest unit of the currency. */
  price: number
}

export interface PriceList {
  currency: string
  taxNote: TaxNote
  /** The days that a quote is valid once the customer goes to pay. */
  quoteDays: number
  /** From the smallest package to the one for any number of records. */
  families: Record<Family, PricedPackage[]>
}

const standard = [
  { name: 'Small', up_to: 500, price: '49.00' },
  { name: 'Medium', up_to: 5_000, price: '149.00' },
  { name: 'Large', up_to: 50_000, price: '490.00' },
  { name: 'Unlimited', up_to: null, price: '1490.00' },
]

/** The prices of a new installation, until the operator sets others. */
export const standardPrices = {
  currency: 'EUR',
  tax_note: {
    en: 'Prices contain VAT where the law asks for it.',
    de: 'Die Preise enthalten Umsatzsteuer, wo das Gesetz es verlangt.',
    es: 'Los precios incluyen el IVA donde la ley lo exige.',
    fr: 'Les prix comprennent la TVA là où la loi l’exige.',
  },
  quote_days: 14,
  families: Object.fromEntries(families.map((family) => [family, { packages: standard }])),
}

const mostPackages = 20
/** In currencies with three decimal digits, Stripe takes only amounts that end in 0. https://docs.stripe.com/currencies */
const stepOf = (currency: string) => (digitsOf(currency) === 3 ? 10 : 1)

/** Reads the operator's price list. Every problem is named by its field. */
export function readPriceList(document: unknown): PriceList {
  const problems: string[] = []
  const complain = (field: string, problem: string) => problems.push(`${field} ${problem}`)
  const root = objectOf(document)
  if (!root) throw new OperatorError('The prices must be a JSON object. "wherry prices show --json" prints one.')
  for (const name of Object.keys(root)) {
    if (!['currency', 'tax_note', 'quote_days', 'families'].includes(name)) complain(name, 'is not known')
  }
  const currency = typeof root.currency === 'string' ? root.currency : ''
  const hasCurrency = isCurrency(currency)
  if (!hasCurrency) complain('currency', 'must be a code of ISO 4217 in capitals, such as EUR')
  const quoteDays = root.quote_days ?? standardPrices.quote_days
  if (!isWhole(quoteDays, 1, 90)) complain('quote_days', 'must be a whole number from 1 to 90')
  const list: PriceList = {
    currency,
    taxNote: readTaxNote(root.tax_note, complain),
    quoteDays: Number(quoteDays),
    families: {} as PriceList['families'],
  }
  const given = objectOf(root.families)
  if (!given) complain('families', `must be an object with ${families.join(', ')}`)
  for (const name of Object.keys(given ?? {})) {
    if (!families.some((family) => family === name)) complain(`families.${name}`, 'is not a family')
  }
  for (const family of given ? families : []) {
    const packages = objectOf(given?.[family])?.packages
    const field = `families.${family}.packages`
    if (!Array.isArray(packages) || packages.length === 0 || packages.length > mostPackages) {
      complain(field, `must be a list of 1 to ${mostPackages} packages`)
    } else if (hasCurrency) {
      list.families[family] = readPackages(packages, field, currency, complain)
    }
  }
  if (problems.length > 0) {
    throw new OperatorError(`The prices have problems:\n${problems.map((line) => `  - ${line}`).join('\n')}`)
  }
  return list
}

type Complain = (field: string, problem: string) => void

function readPackages(packages: unknown[], field: string, currency: string, complain: Complain): PricedPackage[] {
  let before: PricedPackage | null = null
  return packages.map((entry, index) => {
    const at = `${field}[${index}]`
    const { name, up_to = null, price } = objectOf(entry) ?? {}
    if (typeof name !== 'string' || !isPlain(name, 60)) complain(`${at}.name`, 'must be a text of 1 to 60 characters')
    const isLast = index === packages.length - 1
    if (isLast && up_to !== null) complain(`${at}.up_to`, 'must be null: the last package is for any number of records')
    if (!isLast && !isWhole(up_to, (before?.up_to ?? 0) + 1, 1_000_000_000)) {
      complain(`${at}.up_to`, 'must be a whole number of records, more than in the package before')
    }
    const amount = typeof price === 'string' ? parseAmount(price, currency) : null
    const example = decimalAmount(49 * 10 ** digitsOf(currency), currency)
    if (amount === null || amount === 0) {
      complain(`${at}.price`, `must be an amount above 0 in ${currency} as a text, such as "${example}"`)
    } else if (amount % stepOf(currency) !== 0) {
      complain(`${at}.price`, `must end in 0: cards take no smaller steps in ${currency}`)
    } else if (before && amount < before.price) {
      complain(`${at}.price`, 'must not be less than that of the package before')
    }
    before = { name: String(name), up_to: up_to as number | null, price: amount ?? 0 }
    return before
  })
}

function readTaxNote(note: unknown, complain: Complain): TaxNote {
  const texts = Object.entries(objectOf(note) ?? {})
  const isRight = ([language, text]: [string, unknown]) =>
    languages.some((known) => known === language) && typeof text === 'string' && isPlain(text, 300)
  if (!texts.some(([language]) => language === 'en') || !texts.every(isRight)) {
    const others = languages.filter((language) => language !== 'en').map((language) => `"${language}"`)
    complain(
      'tax_note',
      `must be an object with the text "en" and, if you like, ${others.join(', ')}; up to 300 characters each`,
    )
  }
  return Object.fromEntries(texts) as TaxNote
}

function objectOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null
}

function isWhole(value: unknown, min: number, max: number): boolean {
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max
}

function isPlain(text: string, longest: number): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  return text.trim() !== '' && text.length <= longest && text.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(text)
}

/** The smallest package with room for the records. */
export function choosePackage(packages: readonly PricedPackage[], records: number): PricedPackage {
  const fitting = packages.find(({ up_to }) => up_to === null || records <= up_to)
  if (!fitting) throw new Error('the last package of a price list has room for any number')
  return fitting
}
