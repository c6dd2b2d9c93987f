import { Type } from 'typebox'
import { dayIn, secondMs } from '../clock.ts'
import { closed, fail, invalid, nullable, optional } from './account.ts'

/** `words` means that only single words of the text can be found. */
export type FieldType = 'string' | 'integer' | 'boolean' | 'date' | 'words'

export interface Field<T> {
  type: FieldType
  /** The values of an item; one matching value is enough. */
  of(item: T): unknown
  /** Operators in addition to those of its type. */
  also?: readonly string[]
  /** The only accepted operators. */
  only?: readonly string[]
}

interface Query {
  field?: string
  operator?: string
  value?: unknown
}

export interface Searched<T> {
  fieldOf(name: string): Field<T> | undefined
  /** Dates are compared by the day in this zone; if unset, by the second and inclusive. */
  daysIn?: string
}

const leaf = closed({
  field: Type.String(),
  operator: Type.String(),
  value: Type.Union([
    Type.String(),
    Type.Number(),
    Type.Boolean(),
    Type.Null(),
    Type.Array(Type.Union([Type.String(), Type.Number()])),
  ]),
})
const group = (inner: Parameters<typeof Type.Array>[0]) =>
  closed({ operator: Type.Union([Type.Literal('AND'), Type.Literal('OR')]), value: Type.Array(inner) })
const oneLevel = group(leaf)
const twoLevels = group(Type.Union([leaf, oneLevel]))
// The service refuses the third level; the shape allows it.
const deep = group(Type.Union([leaf, oneLevel, twoLevels]))

export const searchShape = (more: Parameters<typeof closed>[0] = {}) =>
  closed({
    query: Type.Union([leaf, deep]),
    pagination: optional(closed({ per_page: optional(Type.Integer()), starting_after: nullable(Type.String()) })),
    ...more,
  })

const texts = ['=', '!=', 'IN', 'NIN', '~', '!~', '^', '$']
const operators: Record<FieldType, readonly string[]> = {
  string: texts,
  words: texts,
  boolean: ['=', '!=', 'IN', 'NIN'],
  integer: ['=', '!=', 'IN', 'NIN', '<', '>', '<=', '>='],
  date: ['=', '!=', 'IN', 'NIN', '<', '>'],
}

const mostInGroup = 15

/** Returns a test for records, or refuses the query. */
export function searcher<T>(query: Query, searched: Searched<T>, depth = 0): (item: T) => boolean {
  const { field: name, operator = '', value } = query
  if (name === undefined) {
    const inner = value as Query[]
    if (depth >= 2) invalid('There are more than 2 nested filters')
    if (inner.length > mostInGroup) invalid(`There are more than ${mostInGroup} filters in a group`)
    const all = inner.map((one) => searcher(one, searched, depth + 1))
    return operator === 'AND' ? (item) => all.every((one) => one(item)) : (item) => all.some((one) => one(item))
  }
  const field = searched.fieldOf(name) ?? fail(400, 'field_not_found', `Field '${name}' cannot be searched`, name)
  const isDay = field.type === 'date' && searched.daysIn !== undefined
  const taken = isDay ? ['=', '<', '>'] : [...(field.only ?? operators[field.type]), ...(field.also ?? [])]
  if (!taken.includes(operator)) invalid(`Operator ${operator} is not supported for field '${name}'`, name)
  const wanted = (Array.isArray(value) ? value : [value]).map((one) => typed(field.type, one, name))
  const place = (one: unknown) => (isDay && typeof one === 'number' ? dayIn(one * secondMs, searched.daysIn) : one)
  return (item) => {
    const own = valuesOf(field, item)
    const matches = (test: (one: unknown, other: unknown) => boolean) =>
      own.some((one) => wanted.some((other) => test(place(one), place(other))))
    switch (operator) {
      case '=':
      case 'IN':
        return (own.length === 0 && wanted.includes(null)) || matches(isSame)
      case '!=':
      case 'NIN':
        return !matches(isSame)
      case '~':
        return matches((one, other) => fold(one).includes(fold(other)))
      case '!~':
        return !matches((one, other) => fold(one).includes(fold(other)))
      case '^':
        return matches((one, other) => fold(one).startsWith(fold(other)))
      case '$':
        return matches((one, other) => fold(one).endsWith(fold(other)))
      case '>':
        // For conversations and tickets this means "greater than or equal". For contacts it means from the next day on.
        return matches((one, other) => (isDay ? String(one) > String(other) : Number(one) >= Number(other)))
      case '<':
        return matches((one, other) => (isDay ? String(one) < String(other) : Number(one) <= Number(other)))
      case '>=':
        return matches((one, other) => Number(one) >= Number(other))
      default:
        return matches((one, other) => Number(one) <= Number(other))
    }
  }
}

const fold = (value: unknown) => String(value).toLowerCase()
const isSame = (one: unknown, other: unknown) => fold(one) === fold(other)

function valuesOf<T>(field: Field<T>, item: T): unknown[] {
  const value = field.of(item)
  const list = (Array.isArray(value) ? value : [value]).filter((one) => one !== null && one !== undefined && one !== '')
  return field.type === 'words' ? list.flatMap((one) => String(one).match(/[\p{L}\p{N}_]+/gu) ?? []) : list
}

function typed(type: FieldType, value: unknown, name: string): unknown {
  if (value === null || type === 'string' || type === 'words') return value
  if (type === 'boolean') return typeof value === 'boolean' ? value : invalid(`'${name}' takes true or false`, name)
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
  return isNumber ? Number(value) : invalid(`'${name}' takes a number`, name)
}
