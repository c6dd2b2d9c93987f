import type { Billing } from '../db/payment-tables.ts'
import { type FieldMessages, ValidationError } from '../errors.ts'
import { isMailAddress } from '../mail-address.ts'

/** Letters that our invoice font contains and prints in the right order. */
const printable = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]*$/u
const pictures = /\p{Emoji_Presentation}/u

const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
/** Region codes that are not countries: unions, and codes reserved for tests. */
const noCountries = ['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']

export const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) && !noCountries.includes(code) && regions.of(code) !== undefined

const longest: Record<keyof Billing, number> = {
  name: 200,
  company: 200,
  street: 300,
  postal_code: 20,
  city: 100,
  region: 100,
  country: 2,
  vat_id: 30,
  email: 254,
}
const required: (keyof Billing)[] = ['name', 'street', 'city', 'country', 'email']

/** Checks the customer's billing data. Each problem is reported under its field. */
export function readBilling(given: Record<keyof Billing, string | null>): Billing {
  const messages: FieldMessages = {}
  const normal = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value?.normalize('NFC') ?? null]),
  ) as Record<keyof Billing, string | null>
  for (const name of Object.keys(longest) as (keyof Billing)[]) {
    const value = normal[name]
    if (value === null) {
      if (required.includes(name)) messages[name] = ["can't be blank"]
    } else if (value.length > longest[name]) {
      messages[name] = [`must not be longer than ${longest[name]} characters`]
    } else if (!printable.test(value) || pictures.test(value)) {
      messages[name] = ['cannot be printed on our invoices: please use Latin, Greek or Cyrillic letters']
    }
  }
  const country = normal.country?.toUpperCase() ?? ''
  if (normal.country !== null && !isCountry(country)) messages.country = ['must be a country, by its two letters']
  if (normal.email !== null && !isMailAddress(normal.email)) messages.email = ['must be an e-mail address']
  const vatId = normal.vat_id?.toUpperCase().replace(/[\s.-]/g, '') ?? null
  if (vatId !== null && !/^[A-Z0-9/+*]{4,20}$/.test(vatId))
    messages.vat_id = ['must be a tax number of 4 to 20 characters']
  if (Object.keys(messages).length > 0) throw new ValidationError(messages)
  return { ...(normal as unknown as Billing), country, vat_id: vatId }
}
