import Type, { type Static, type TSchema } from 'typebox'
import type { Address, FieldValue } from '../../../families/record.ts'
import type { SourceNotice } from '../../kit/entity.ts'
import { asList, type Lens, type LensOptions, lens, omit } from '../../kit/lens.ts'
import * as is from '../../kit/lenses.ts'
import { each } from '../../kit/schema-parts.ts'
import { noticesIf } from '../../kit/that-hold.ts'
import { toMoment } from '../../kit/times.ts'
import { evenHtml, signsOf, withoutSigns } from './signs.ts'
import type { Visibility } from './visibility.ts'

// Lenses for values in Pipedrive's own formats.

const maybe = Type.Optional(Type.Union([Type.String(), Type.Null()]))
const given = Type.Object({
  value: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Null()])),
  label: maybe,
  primary: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
})
interface Way {
  value?: string | number | null
  label?: string | null
  primary?: boolean | null
}
const places = ['work', 'home', 'mobile', 'other']
const placeOf = (type: unknown) => (typeof type === 'string' && !places.includes(type) ? 'other' : (type ?? 'work'))

/** Phone numbers have no mark for the primary one, and a destination with room for one keeps the first. */
const primaryFirst = (all: readonly Way[]) =>
  all.toSorted((one, other) => Number(other.primary === true) - Number(one.primary === true))

/** E-mail addresses or phone numbers with their labels. */
export const ways = (type: 'email' | 'phone', from: string): Lens => {
  const name = type === 'email' ? 'address' : 'number'
  const isGiven = ({ value }: Way) => String(value ?? '').trim() !== ''
  return lens(type, {
    from,
    many: true,
    check: Type.Array(given),
    empty: [],
    read: (all) =>
      (type === 'phone' ? primaryFirst(all) : all).filter(isGiven).map(({ value, label, primary }) => ({
        [name]: String(value),
        ...(label && { type: label }),
        ...(type === 'email' && primary && { isPrimary: true }),
      })) as unknown as FieldValue,
    write(values) {
      const all = [values]
        .flat()
        .map((one) => (typeof one === 'string' ? { [name]: one } : one) as Record<string, unknown>)
      const first = Math.max(
        0,
        all.findIndex(({ isPrimary }) => isPrimary),
      )
      return all.map((one, at) => ({ value: one[name], primary: at === first, label: placeOf(one.type) }))
    },
    stored: (sent) =>
      (sent as Way[])
        .filter(isGiven)
        .map(({ value, label, primary }) => `${value} ${label || 'work'}${primary ? ' *' : ''}`)
        .sort(),
  })
}

/** The items of a list in words, read only. An item without words is left out. */
const inWords = <S extends TSchema>(
  type: 'text' | 'long_text',
  from: string,
  shape: S,
  wordsOf: (item: Static<S>) => string,
  joint = '\n',
): Lens =>
  lens(type, {
    from,
    check: Type.Array(shape),
    read: (all) => (all as Static<S>[]).map(wordsOf).filter(Boolean).join(joint) || undefined,
  })

/** Names in messengers, each with its service if Pipedrive tells it. */
export const messengers = (from: string): Lens =>
  inWords(
    'text',
    from,
    given,
    ({ value, label }) => {
      const name = String(value ?? '').trim()
      return name && label ? `${name} (${label})` : name
    },
    ', ',
  )

/** Only these two words tell whether the person may be written to. The others are kept as text. */
export const unsubscribed = (from: string): Lens =>
  lens('boolean', {
    from,
    check: Type.String(),
    read: (status) => (status === 'unsubscribed' ? true : status === 'subscribed' ? false : undefined),
  })

const textOf = (value: unknown) => (String(value ?? '').trim() === '' ? undefined : String(value))
const parts = {
  line2: 'subpremise',
  city: 'locality',
  region: 'admin_area_level_1',
  postalCode: 'postal_code',
  country: 'country',
}

/** Converts an address. If Pipedrive has no street, and its parts lack a word, the whole address is the first line. */
export function toAddress(raw: Readonly<Record<string, unknown>>): Address {
  const street = [textOf(raw.street_number), textOf(raw.route)].filter(Boolean).join(' ')
  const rest = Object.entries(parts).flatMap(([part, name]) => {
    const text = textOf(raw[name])
    return text === undefined ? [] : [[part, text]]
  })
  const wordsOf = (text: string) => text.split(/[\s,]+/).filter(Boolean)
  const known = new Set(rest.flatMap(([, text = '']) => wordsOf(text)))
  const whole = textOf(raw.value)
  const isKnown = wordsOf(whole ?? '').every((word) => known.has(word))
  const line1 = street || (isKnown ? undefined : whole)
  return { ...(line1 !== undefined && { line1 }), ...Object.fromEntries(rest) } as Address
}
export function fromAddress(address: Address): Record<string, string> {
  const { line1, line2, city, region, postalCode, country } = address
  const whole = [line1, line2, [postalCode, city].filter(Boolean).join(' '), region, country].filter(Boolean).join(', ')
  const named = Object.entries(parts).flatMap(([part, name]) => {
    const text = address[part as keyof typeof parts]
    return text ? [[name, text]] : []
  })
  return { value: whole, ...(line1 && { route: line1 }), ...Object.fromEntries(named) }
}
export const evenAddress = (sent: unknown) => Object.entries(toAddress(sent as Record<string, unknown>)).sort()

export const addressShape = Type.Object(
  each(
    Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Null()])),
    ...['value', 'street_number', 'route', 'sublocality', ...Object.values(parts)],
  ),
)
export const addresses = (from: string, options: LensOptions = {}): Lens =>
  asList(
    lens('address', {
      from,
      check: addressShape,
      read: (value) => {
        const { sublocality, subpremise } = value
        const line2 = [textOf(subpremise), textOf(sublocality)].filter(Boolean).join(', ')
        const address = toAddress({ ...value, subpremise: line2 })
        return Object.keys(address).length === 0 ? undefined : address
      },
      write: (value) => fromAddress(value as Address),
      stored: evenAddress,
      ...options,
    }),
  )

/** A text with markup that ends with our key. */
export const markedHtml = (from: string, options: LensOptions = {}): Lens =>
  lens('rich_text', {
    from,
    ...options,
    check: Type.String(),
    read: (body) => (withoutSigns(body).trim() === '' ? undefined : { format: 'html', body: withoutSigns(body) }),
    writesEmpty: true,
    write: (value, { content: { key } }) => `${value ?? ''}${key === undefined ? '' : signsOf(key)}`,
    stored: evenHtml,
  })

const attendee = Type.Object({ name: maybe, email: maybe, status: maybe })
/** The people who were invited to a meeting. */
export const attendees = (from: string): Lens =>
  inWords('long_text', from, attendee, ({ name, email, status }) =>
    [name, email && `<${email}>`, status && `(${status})`].filter(Boolean).join(' '),
  )

const amount = Type.Optional(Type.Union([Type.Number(), Type.Null()]))
const product = Type.Object({
  ...{ name: maybe, currency: maybe, comments: maybe, discount_type: maybe },
  ...{ quantity: amount, item_price: amount, discount: amount, sum: amount, tax: amount },
  ...{ tax_method: maybe, billing_frequency: maybe, billing_start_date: maybe, billing_frequency_cycles: amount },
  is_enabled: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
})
/** The products of a deal with their prices and their billing. */
export const products = (from: string): Lens =>
  inWords('long_text', from, product, (one) => {
    const { name, currency, comments, discount_type, quantity, item_price, discount, sum } = one
    const less = discount ? [`−${discount} ${discount_type === 'amount' ? currency : '%'}`] : []
    const taxed = one.tax && one.tax_method !== 'none' ? [`${one.tax} % tax ${one.tax_method ?? ''}`.trim()] : []
    const price = [`${item_price} ${currency}`, ...less, ...taxed].join(', ')
    const often = one.billing_frequency && one.billing_frequency !== 'one-time' ? one.billing_frequency : null
    const billed = [
      often,
      often && one.billing_frequency_cycles && `${one.billing_frequency_cycles} times`,
      one.billing_start_date && `from ${one.billing_start_date}`,
      one.is_enabled === false && 'not counted',
    ]
    const more = [...billed, comments].filter(Boolean).join(', ')
    return `${quantity} × ${name} (${price}) = ${sum} ${currency}${more ? ` – ${more}` : ''}`
  })

/** E-mails are in mailboxes, and no run copies them. The owner of a record follows it. */
export const besideCounts = { email_messages_count: Type.Number(), followers_count: Type.Number() }
export function warnOfRest({
  email_messages_count = 0,
  followers_count = 0,
}: Readonly<Record<string, unknown>>): SourceNotice[] {
  const [mails, followers] = [Number(email_messages_count), Number(followers_count)]
  return noticesIf(
    [mails > 0, 'messages_left_out', `Pipedrive shows ${mails} e-mails at it. They were not copied.`],
    [followers > 1, 'followers_left_out', `${followers} people follow it in Pipedrive.`],
  )
}

/**
 * Whether somebody in the account does not see a record: only its owner does, or a visibility group. A record for all
 * gets the account's own setting, so the stored value is not compared.
 */
export const hiddenFromSome = ({ hasGroups }: Visibility): Lens =>
  lens('boolean', {
    from: 'visible_to',
    check: Type.Union([Type.Integer(), Type.String()]),
    read: (value) => !(Number(value) >= (hasGroups ? 7 : 3)),
    empty: omit,
    write: (value) => (value === true ? 1 : omit),
    stored: () => null,
  })
/** A deal is hidden with its pipeline, too. */
export const hiddenWithPipeline = (visibility: Visibility): Lens => ({
  ...hiddenFromSome(visibility),
  read: (value, raw, around) =>
    visibility.hiddenPipelines.has(Number(raw.pipeline_id)) || hiddenFromSome(visibility).read(value, raw, around),
})

/** Pipedrive may show a note or an activity at further records. */
export function warnOfLinks({ otherLinks = 0 }: Readonly<Record<string, unknown>>): SourceNotice[] {
  const count = Number(otherLinks)
  const message = `Pipedrive links it to ${count + 1} records. It was copied with the first of these links.`
  return noticesIf([count > 0, 'relations_left_out', message, { count, field: 'related' }])
}

/** v2 takes amounts as numbers. Pipedrive stores a missing amount as 0. */
export const money = (from: string, currency: string, currencies: readonly string[]): Lens => {
  const plain = is.money(from, { from: currency })
  return {
    ...plain,
    empty: 0,
    write: (value) => Number((value as { amount: unknown }).amount),
    stored: (sent, raw) => {
      const amount = typeof sent === 'object' && sent !== null ? (sent as { amount?: unknown }).amount : sent
      return Number(amount ?? 0) === 0 ? null : plain.stored(sent, raw)
    },
    ...(currencies.length > 0 && { currencies }),
  }
}

export const second = (value: unknown): string => `${toMoment(String(value)).slice(0, 19)}Z`
