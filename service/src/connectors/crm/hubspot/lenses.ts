import Type from 'typebox'
import type { FieldType } from '../../../families/definition.ts'
import type { Email, FieldValue, Money, Phone, RichText } from '../../../families/record.ts'
import type { SentRelation } from '../../contract/contract.ts'
import { type Lens, type LensOptions, lens, type Writing } from '../../kit/lens.ts'
import * as is from '../../kit/lenses.ts'
import { plainNumber } from '../../kit/plain-number.ts'
import { isMoment, toMoment } from '../../kit/times.ts'
import { relatedLens } from '../related-lens.ts'
import type { AccountFacts, Property } from './api.ts'

// HubSpot sends and takes every property as a text. An empty text clears the property.

/**
 * `names` are the properties that a lens reads, if it reads several. `leftOut` counts the links of a record that the
 * family has no place for.
 */
export type PropertyLens = Lens & {
  names?: readonly string[]
  leftOut?(raw: Readonly<Record<string, unknown>>): number
}
type Properties = Record<string, string | null>

const at = (name: string) => `properties.${name}`
const clears = { empty: '' }

/** HubSpot removes scripts from every text. */
export const withoutScripts = (value: string): string =>
  value
    .replaceAll(/<script\b[\s\S]*?<\/script>/gi, '')
    .replaceAll(/\r\n?/g, '\n')
    .trim()
const evened = (one: Lens): PropertyLens => ({
  ...one,
  stored: (value) => (typeof value === 'string' ? withoutScripts(value) || null : null),
})

export const text = (name: string, options: LensOptions = {}) => evened(is.text(at(name), { ...clears, ...options }))
export const longText = (name: string, options: LensOptions = {}) =>
  evened(is.longText(at(name), { ...clears, ...options }))
export const rich = (name: string, format: RichText['format'], options: LensOptions = {}) =>
  evened(is.richText(at(name), format, { ...clears, ...options }))
export const html = (name: string, options: LensOptions = {}) => rich(name, 'html', options)
export const url = (name: string, options: LensOptions = {}) => is.url(at(name), { ...clears, ...options })
export const moment = (name: string, options: LensOptions = {}) => is.moment(at(name), { ...clears, ...options })
export const day = (name: string, options: LensOptions = {}) => is.dayOf(at(name), { ...clears, ...options })

/** The form in which moments are compared. */
export const evenMoment = (value: string | null | undefined): string | null =>
  value && isMoment(value) ? toMoment(value) : value || null

const numeric = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' })
export const integer = (name: string, options: LensOptions = {}): PropertyLens =>
  lens('integer', {
    from: at(name),
    check: numeric,
    read: (value) => Math.round(Number(value)),
    write: String,
    stored: (value) => String(Number(value)),
    ...clears,
    ...options,
  })

export const owner = (name = 'hubspot_owner_id'): PropertyLens =>
  lens('user', { from: at(name), check: Type.String(), read: (userId) => ({ userId }), write: String, ...clears })

export const reference = (name: string, entity: string): PropertyLens =>
  lens('relation', {
    from: at(name),
    relates: entity,
    check: Type.String(),
    read: (sourceId) => ({ entity, sourceId }),
    write: (value) => (value as SentRelation).destinationId,
    ...clears,
  })

/** Another word for it; without one, the word itself. */
export const wordIn = (words: Record<string, string>, word: string): string =>
  (Object.hasOwn(words, word) ? words[word] : undefined) ?? word

/** A choice. `reads` maps HubSpot's values to the family's words, `writes` maps them back. */
export const option = (name: string, reads: Record<string, string>, writes: Record<string, string>): PropertyLens =>
  lens('option', {
    from: at(name),
    check: Type.String(),
    options: Object.keys(writes),
    read: (value) => wordIn(reads, value),
    write: (value) => wordIn(writes, String(value)),
    ...clears,
  })

/** A choice that the account defines. The family holds its label as a text. */
export const choice = (name: string, properties: readonly Property[]): PropertyLens => {
  const options = properties.find((property) => property.name === name)?.options ?? []
  return lens('text', {
    from: at(name),
    check: Type.String(),
    options: [...new Set(options.map(({ label }) => label))],
    read: (value) => options.find((one) => one.value === value)?.label ?? value,
    write: (value) => options.find(({ label }) => label === value)?.value ?? value,
    ...clears,
  })
}

/** A choice whose value is a code, such as a language. It is read-only if the account defines no choices. */
export const code = (name: string, properties: readonly Property[]): PropertyLens => {
  const options = properties.find((property) => property.name === name)?.options ?? []
  return { ...text(name, { isReadOnly: options.length === 0 }), options: options.map(({ value }) => value) }
}

/** A field that reads several properties. `write` returns the properties that it sets. An empty field clears them. */
export const several = <V extends FieldValue>(
  type: FieldType,
  names: readonly string[],
  own: {
    read(properties: Properties): V | undefined
    write?(value: unknown, writing: Writing): Record<string, string>
    stored?(properties: Properties): unknown
    wanted?(value: unknown, writing: Writing): unknown
    /** The properties that `write` sets, if it does not set all of `names`. */
    sets?: readonly string[]
    many?: boolean
    takesOne?: boolean
    writesEmpty?: boolean
  },
): PropertyLens => {
  const { stored, sets = names, ...rest } = own
  return {
    ...lens(type, {
      from: 'properties',
      to: `properties.$${names.join('+')}`,
      check: Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()])),
      empty: Object.fromEntries(sets.map((name) => [name, ''])),
      ...(stored && { stored: (properties: unknown) => stored(properties as Properties) }),
      ...rest,
    }),
    names,
  }
}

/** HubSpot refuses records with spaces around such a value. */
export const plainOf = (value: unknown, name: 'address' | 'number'): string =>
  String(typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : value).trim()

/** HubSpot shows a company without a name by its domain. */
export const companyName: PropertyLens = several('text', ['name'], {
  read: ({ name, domain }) => name || domain || undefined,
  write: (value) => ({ name: String(value) }),
  stored: ({ name }) => withoutScripts(name ?? '') || null,
})

/** HubSpot stores addresses in lower case. Its API cannot write a contact's additional addresses. */
export const emails: PropertyLens = several<Email[]>('email', ['email', 'hs_additional_emails'], {
  sets: ['email'],
  many: true,
  takesOne: true,
  read: ({ email, hs_additional_emails: others }) =>
    [email, ...(others?.split(';') ?? [])]
      .filter((address): address is string => !!address)
      .map((address, index) => ({ address, isPrimary: index === 0 })),
  write: (value) => ({ email: plainOf([value].flat()[0], 'address') }),
  stored: ({ email }) => email?.toLowerCase() || null,
})

export const phones = (...names: string[]): PropertyLens =>
  several<Phone[]>('phone', names, {
    sets: names.slice(0, 1),
    many: true,
    takesOne: true,
    read: (properties) =>
      names.flatMap((name) =>
        properties[name] ? [{ number: properties[name], ...(name === 'mobilephone' && { type: 'mobile' }) }] : [],
      ),
    write: (value) => ({ [names[0] ?? '']: plainOf([value].flat()[0], 'number') }),
    stored: (properties) => properties[names[0] ?? ''] || null,
  })

const addressNames = { line1: 'address', city: 'city', region: 'state', postalCode: 'zip', country: 'country' }
export const addresses = (hasSecondLine: boolean): PropertyLens => {
  const parts = Object.entries({ ...addressNames, ...(hasSecondLine && { line2: 'address2' }) })
  const names = parts.map(([, name]) => name)
  const pick = (of: Record<string, unknown>, from: 0 | 1) => {
    const filled = parts.filter((part) => of[part[from]])
    return Object.fromEntries(filled.map((part) => [part[from === 0 ? 1 : 0], String(of[part[from]])]))
  }
  return several('address', names, {
    many: true,
    takesOne: true,
    read: (properties) => (Object.keys(pick(properties, 1)).length > 0 ? [pick(properties, 1)] : []),
    write: (value) => {
      const { line1, line2, ...rest } = [value].flat()[0] as Record<string, unknown>
      // A contact has one line for the street.
      const lines = hasSecondLine ? { line1, line2 } : { line1: [line1, line2].filter(Boolean).join(', ') }
      return { ...Object.fromEntries(names.map((name) => [name, ''])), ...pick({ ...lines, ...rest }, 0) }
    },
    stored: (properties) => {
      const lines = names.map((name) => properties[name] || null)
      return lines.some((line) => line !== null) ? lines : null
    },
  })
}

/** An amount in a currency of the account. An amount in another currency goes into a property of our own. */
export function money(
  amount: string,
  own: string,
  { companyCurrency, additionalCurrencies }: Partial<AccountFacts>,
  currency: string | null = null,
): PropertyLens {
  const names = [amount, own, ...(currency === null ? [] : [currency])]
  const codeOf = (properties: Properties) => (currency && properties[currency]) || companyCurrency || ''
  const moneyIn = (properties: Properties): Money | undefined => {
    const [kept, code] = properties[own] ? properties[own].split(' ') : [properties[amount] ?? '', codeOf(properties)]
    return kept && code ? { amount: plainNumber(kept), currency: code } : undefined
  }
  return several<Money>('money', names, {
    read: moneyIn,
    write(value) {
      const { amount: sum, currency: code } = value as Money
      const isKnown = code === companyCurrency || (currency !== null && additionalCurrencies?.includes(code))
      if (!isKnown) return { [amount]: '', [own]: `${sum} ${code}` }
      return { [amount]: sum, [own]: '', ...(currency !== null && { [currency]: code }) }
    },
    stored: (properties) => {
      const value = moneyIn(properties)
      return value ? `${Number(value.amount)} ${value.currency}` : null
    },
  })
}

/**
 * HubSpot requires this moment for its timeline, and shows it as the time of an activity. Without a value, it is another
 * moment of the activity, the time of creation or change, or now.
 */
export const neededMoment = (name: string): PropertyLens => {
  const known = (value: unknown, { content }: Writing) => {
    const { started_at, due_at, ended_at } = content.fields
    const told = value ?? started_at ?? due_at ?? ended_at ?? content.createdAt ?? content.updatedAt
    return typeof told === 'string' && isMoment(told) ? toMoment(told) : null
  }
  return {
    ...is.moment(at(name)),
    writesEmpty: true,
    write: (value, writing) => known(value, writing) ?? new Date(writing.now).toISOString(),
    wanted: known,
  }
}

/** Linked records. A write sends them under `links`, beside the properties. */
export const links = (to: string, entity: string, many: boolean): PropertyLens =>
  lens('relation', {
    from: `links.${to}`,
    relates: entity,
    many,
    check: Type.Array(Type.String()),
    read: (ids) => {
      const refs = ids.map((sourceId) => ({ entity, sourceId }))
      return many ? refs : (refs[0] ?? null)
    },
    write: (value) => [value as SentRelation | SentRelation[]].flat().map(({ destinationId }) => destinationId),
    stored: (ids) => [...new Set(many ? (ids as string[]) : (ids as string[]).slice(0, 1))].sort(),
    empty: [],
  })

/** The first linked record, for fields that hold one record. */
export const firstLink = (to: string, entity: string): PropertyLens => ({
  ...links(to, entity, false),
  leftOut: (raw) => Math.max(0, ((raw[`links.${to}`] as string[] | undefined)?.length ?? 0) - 1),
})

/** The record that HubSpot shows an activity at. */
export const related = (field: 'related' | 'parent'): PropertyLens => ({
  ...relatedLens(field),
  leftOut: ({ otherLinks = 0 }) => Number(otherLinks),
})
