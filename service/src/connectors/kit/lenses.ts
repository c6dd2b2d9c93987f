import Type from 'typebox'
import type { Money, RichText } from '../../families/record.ts'
import type { SentRelation } from '../contract/contract.ts'
import { type Lens, type LensOptions, lens, valueAt } from './lens.ts'
import { plainNumber } from './plain-number.ts'
import { isDay, isMoment, toMoment } from './times.ts'

export * from './contact-lenses.ts'

// The lenses of the kit, one for each kind of field. `from` is the name of the field in the tool.

const wholeId = Type.Integer({ minimum: 1 })
const id = Type.Union([wholeId, Type.String({ minLength: 1, maxLength: 255 })])
const when = Type.Refine(Type.String(), isMoment)
const day = Type.Refine(Type.String(), isDay)
const same = <T>(value: T): T => value
const always = () => true
const lines = (value: unknown) => (typeof value === 'string' ? value.replace(/\r\n?/g, '\n').trim() : value)

/** A line of text. */
export const text = (from: string, options: LensOptions = {}): Lens => {
  const { empty } = options
  // A blank text is as empty as none.
  const write = typeof empty === 'string' ? (value: unknown) => (String(value).trim() === '' ? empty : value) : same
  return lens('text', { from, check: Type.String(), read: same, write, stored: lines, ...options })
}

/** Text of several lines, without markup. */
export const longText = (from: string, options: LensOptions = {}): Lens => ({
  ...text(from, options),
  type: 'long_text',
})

export const url = (from: string, options: LensOptions = {}): Lens => ({ ...text(from, options), type: 'url' })

/** Texts in a list, whose order does not matter. */
export const texts = (from: string, options: LensOptions = {}): Lens =>
  lens('text', {
    from,
    check: Type.Array(Type.String()),
    many: true,
    read: same,
    write: same,
    stored: sorted,
    ...options,
  })

/** A number of the tool that people see as text, such as a ticket number. */
export const numberText = (from: string, options: LensOptions = {}): Lens =>
  lens('text', { from, check: Type.Union([Type.Integer(), Type.String()]), read: String, isReadOnly: true, ...options })

/** Text with markup, in the tool's format. If the format differs between records, `format` is a function. */
export const richText = (
  from: string,
  format: RichText['format'] | ((raw: Readonly<Record<string, unknown>>) => RichText['format']),
  options: LensOptions = {},
): Lens =>
  lens('rich_text', {
    from,
    check: Type.String(),
    read: (body, raw) => ({ format: typeof format === 'function' ? format(raw) : format, body }),
    write: same,
    stored: lines,
    ...options,
  })

export const integer = (from: string, { min, ...options }: LensOptions & { min?: number } = {}): Lens =>
  lens('integer', {
    from,
    check: Type.Integer(min === undefined ? {} : { minimum: min }),
    read: same,
    write: same,
    ...options,
  })

export const decimal = (from: string, options: LensOptions = {}): Lens =>
  lens('decimal', { from, check: Type.Number(), read: same, write: same, ...options })

/**
 * A boolean. `isInverse` is for a tool whose field means the opposite, such as `internal` for the family's "public".
 */
export const flag = (
  from: string,
  { isInverse = false, ...options }: LensOptions & { isInverse?: boolean } = {},
): Lens => {
  const turn = (value: unknown) => (typeof value === 'boolean' && isInverse ? !value : value)
  return lens('boolean', {
    from,
    check: Type.Boolean(),
    read: (value) => value !== isInverse,
    write: turn,
    ...options,
  })
}

/**
 * A moment with its zone, written and compared in UTC. `isWholeSecond` is for tools that store no fractions of a
 * second.
 */
export const moment = (
  from: string,
  { isWholeSecond = false, ...options }: LensOptions & { isWholeSecond?: boolean } = {},
): Lens => {
  const inUtc = (value: unknown) => {
    const iso = toMoment(String(value))
    return isWholeSecond ? `${iso.slice(0, 19)}Z` : iso
  }
  return lens('datetime', {
    from,
    check: when,
    read: toMoment,
    write: inUtc,
    stored: inUtc,
    ...options,
  })
}

/** A calendar day without a zone. */
export const dayOf = (from: string, options: LensOptions = {}): Lens =>
  lens('date', { from, check: day, read: same, write: same, ...options })

/**
 * An amount of money. The currency is either fixed, and the field accepts no other, or it is in a second field. Then
 * both fields are written and compared.
 */
export const money = (from: string, currency: { from: string } | string, options: LensOptions = {}): Lens => {
  const check = Type.Refine(Type.Union([Type.Number(), Type.String()]), (value) =>
    /^-?\d+(\.\d+)?$/.test(plainNumber(String(value))),
  )
  const write = (value: unknown) => (value as Money).amount
  if (typeof currency === 'string') {
    return lens('money', {
      from,
      check,
      currencies: [currency],
      read: (amount) => ({ amount: plainAmount(String(amount)), currency }),
      write,
      stored: (sent) => plainAmount(String(sent)),
      ...options,
    })
  }
  return lens('money', {
    from,
    check,
    also: { [currency.from]: Type.String() },
    read(amount, raw) {
      const code = raw[currency.from]
      return typeof code === 'string' ? { amount: plainAmount(String(amount)), currency: code } : undefined
    },
    write,
    writesAlso: (value) => ({ [currency.from]: (value as Money).currency }),
    wanted: same,
    stored(sent, raw) {
      const [amount, code] = isMoney(sent) ? [sent.amount, sent.currency] : [sent, valueAt(raw ?? {}, currency.from)]
      return `${plainAmount(String(amount))} ${code}`
    },
    ...options,
  })
}

const isMoney = (value: unknown): value is Money => typeof value === 'object' && value !== null && 'amount' in value

/** An amount without an exponent and trailing zeros: 12.50 and 12.5 are the same. */
function plainAmount(given: string): string {
  const amount = plainNumber(given)
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount
}

/**
 * One of several choices. `words` maps the tool's values to the labels that people see; the family and the mapping use
 * the labels. An unknown choice keeps the tool's value.
 */
export const option = (
  from: string,
  words: Readonly<Record<string, string>> | readonly string[] = [],
  options: LensOptions = {},
): Lens => {
  const pairs: [string, string][] = Array.isArray(words) ? words.map((word) => [word, word]) : Object.entries(words)
  const byTool = new Map(pairs)
  const byWord = new Map(pairs.map(([tool, word]) => [word, tool]))
  return lens('option', {
    from,
    check: Type.Union([Type.String(), Type.Integer()]),
    options: pairs.map(([, word]) => word),
    read: (value) => byTool.get(String(value)) ?? String(value),
    write: (value) => byWord.get(String(value)) ?? value,
    stored: String,
    ...options,
  })
}

/**
 * For a field with two possible meanings, such as an author who is an agent or a customer. `when` tells whether this
 * lens applies.
 */
export interface Conditional extends LensOptions {
  when?: (raw: Readonly<Record<string, unknown>>) => boolean
}

/** A schema for one of these words, for the `also` of an entity. */
export const oneOf = (...words: string[]) => Type.Union(words.map((word) => Type.Literal(word)))

/**
 * A reference to another record by id. Numeric ids are sent as numbers. `none` is the tool's value for "no record",
 * such as 0.
 */
export const reference = (
  from: string,
  entity: string,
  { when = always, none, ...options }: Conditional & { none?: string | number } = {},
): Lens =>
  lens('relation', {
    from,
    relates: entity,
    check: none === undefined ? id : Type.Union([Type.Literal(none), typeof none === 'number' ? wholeId : id]),
    ...(none !== undefined && { empty: none }),
    read: (value, raw) => (value !== none && when(raw) ? { entity, sourceId: String(value) } : undefined),
    write: (value) => numberIfSo((value as SentRelation).destinationId),
    stored: (value) => (value === none ? null : String(value)),
    ...options,
  })

export const references = (from: string, entity: string, options: LensOptions = {}): Lens =>
  lens('relation', {
    from,
    relates: entity,
    many: true,
    check: Type.Array(id),
    read: (values) => values.map((value) => ({ entity, sourceId: String(value) })),
    write: (values) => (values as SentRelation[]).map(({ destinationId }) => numberIfSo(destinationId)),
    stored: sorted,
    ...options,
  })

/** A user of the tool. */
export const person = (from: string, { when = always, ...options }: Conditional = {}): Lens =>
  lens('user', {
    from,
    check: id,
    read: (value, raw) => (when(raw) ? { userId: String(value) } : undefined),
    write: (value) => numberIfSo(String(value)),
    stored: String,
    ...options,
  })

/** Several users of the tool. */
export const people = (from: string, options: LensOptions = {}): Lens =>
  lens('user', {
    from,
    many: true,
    check: Type.Array(id),
    read: (values) => values.map((value) => ({ userId: String(value) })),
    write: (values) => (values as unknown[]).map((value) => numberIfSo(String(value))),
    stored: sorted,
    ...options,
  })

const numberIfSo = (text: string): string | number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : text)
const sorted = (value: unknown) => (Array.isArray(value) ? [...new Set(value.map(String))].sort() : value)
