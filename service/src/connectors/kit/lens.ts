import Type, { type Static, type TSchema } from 'typebox'
import type { FieldType } from '../../families/definition.ts'
import type { FieldValue } from '../../families/record.ts'
import type { OutgoingContent, OutgoingRecord } from '../contract/contract.ts'
import { refuseOddKeys } from './odd-keys.ts'

/** One record as the tool sends it. Only its id is certain. */
export type RawRecord = { id: string | number } & Record<string, unknown>

/** `write` returns this instead of a value: the field is left out of the request, and the tool decides. */
export const omit = Symbol('not sent')

/** The record to which the field belongs. A record that is only compared has no key. */
export interface Writing {
  content: OutgoingContent & Partial<Pick<OutgoingRecord, 'key' | 'createdBy'>>
  now: number
  /** The tool's address, for texts with links to it. */
  site: string
}

/**
 * One field, in the tool and in the family. The lens defines the check of the tool's value, reading, writing,
 * comparing, the destination's description and the documentation.
 */
export interface Lens<A = unknown> {
  /** Path in a record of the tool, such as `title.raw`; null for a value derived from other fields or from `around`. */
  from: string | null
  /** The field's name in requests, if it differs from `from`. */
  to: string | null
  type: FieldType
  many: boolean
  /** Check of the tool's value. A value that fails is left out with a warning; null is an empty value. */
  check: TSchema
  /** Converts the tool's value. Undefined leaves the field out. */
  read(value: unknown, raw: Readonly<Record<string, unknown>>, around: A): FieldValue | undefined
  /** Value read when the tool sends none, or one that `check` refuses. Unset: no value. */
  absent?: FieldValue
  /** Other fields of the tool that `read` uses, with their schemas. */
  also?: Readonly<Record<string, TSchema>>
  /** Converts the value for the tool. Null for a field that cannot be written. */
  write: ((value: unknown, writing: Writing) => unknown) | null
  /** Further fields of the request that hold a part of the value. Not called for an empty value. */
  writesAlso?(value: unknown): Record<string, unknown>
  /** Value sent for an empty field. */
  empty: unknown
  /** True if `write` also handles empty values, so that `empty` is not used. */
  writesEmpty: boolean
  /** Value to compare with, where it differs from the value that is sent. */
  wanted?(value: unknown, writing: Writing): unknown
  /**
   * The form that is compared, made from a sent value or from the tool's value. It removes differences that the tool
   * itself makes. `raw` is the whole record when the value comes from the tool.
   */
  stored(sent: unknown, raw?: Readonly<Record<string, unknown>>): unknown
  /** True if the family has a list and the tool takes a single value. */
  takesOne: boolean
  maxLength: number | null
  options: readonly string[]
  /** For money: the only currencies that the field can hold. */
  currencies?: readonly string[]
  /** For a relation: the entity of its target. */
  relates?: string
  /** A further sentence for the documentation. */
  note?: string
}

export interface LensOptions {
  to?: string
  /** Maximum number of characters. A longer value is refused before it is sent. */
  max?: number
  absent?: FieldValue
  isReadOnly?: boolean
  /** Value sent for an empty field, for tools that do not accept null. */
  empty?: unknown
  takesOne?: boolean
  note?: string
}

/** Declaration of a special lens. `read` gets values that passed `check`. Without it, the value is read unchanged. */
export interface OwnLens<S extends TSchema, A> extends LensOptions {
  from: string | null
  check: S
  many?: boolean
  options?: readonly string[]
  currencies?: readonly string[]
  relates?: string
  also?: Readonly<Record<string, TSchema>>
  writesAlso?(value: unknown): Record<string, unknown>
  read?(value: Static<S>, raw: Readonly<Record<string, unknown>>, around: A): FieldValue | undefined
  write?(value: unknown, writing: Writing): unknown
  writesEmpty?: boolean
  wanted?(value: unknown, writing: Writing): unknown
  stored?(sent: unknown, raw?: Readonly<Record<string, unknown>>): unknown
}

const same = (value: unknown) => value
/** Tools express an empty value as a missing field, null, an empty text or an empty list. All compare as null. */
const evenEmpty = (value: unknown) =>
  value === undefined || value === omit || value === '' || (Array.isArray(value) && value.length === 0) ? null : value

const lensKeys = [
  ...['from', 'to', 'check', 'many', 'options', 'max', 'absent', 'isReadOnly', 'empty', 'takesOne', 'note'],
  ...['currencies', 'relates', 'also', 'writesAlso', 'read', 'write', 'writesEmpty', 'wanted', 'stored'],
]

/** A field that needs more than the lenses of the kit. Without `write` it can only be read. */
export function lens<S extends TSchema, A = unknown>(type: FieldType, own: OwnLens<S, A>): Lens<A> {
  refuseOddKeys(`the lens of ${own.from ?? type}`, own, lensKeys)
  const { from, to = null, check, many = false, options = [], max = null, stored = same } = own
  return {
    from,
    to,
    type,
    many,
    check,
    read: (value, raw, around) => (own.read ? own.read(value as Static<S>, raw, around) : (value as FieldValue)),
    ...(own.absent !== undefined && { absent: own.absent }),
    ...(own.also && { also: own.also }),
    write: own.write && !own.isReadOnly ? own.write : null,
    ...(own.writesAlso && { writesAlso: own.writesAlso }),
    empty: own.empty ?? null,
    writesEmpty: own.writesEmpty ?? false,
    ...(own.wanted && { wanted: own.wanted }),
    stored: (sent, raw) => evenEmpty(evenEmpty(sent) === null ? null : stored(sent, raw)),
    takesOne: own.takesOne ?? false,
    maxLength: max,
    options,
    ...(own.currencies && { currencies: own.currencies }),
    ...(own.relates !== undefined && { relates: own.relates }),
    ...(own.note !== undefined && { note: own.note }),
  }
}

/**
 * For a single value in the tool and a list in the family. Reading makes a list with one item; writing sends the first
 * item.
 */
export const asList = <A>(one: Lens<A>): Lens<A> => ({
  ...one,
  many: true,
  takesOne: true,
  read(value, raw, around) {
    const read = one.read(value, raw, around)
    return read === undefined || read === null ? read : ([read] as FieldValue)
  },
})

/** A field that the tool does not have. It is computed from other fields or from `around`, and never written. */
export const made = <A = unknown>(
  type: FieldType,
  read: (raw: Readonly<Record<string, unknown>>, around: A) => FieldValue | undefined,
  more: { many?: boolean; note?: string; relates?: string } = {},
): Lens<A> =>
  lens(type, { from: null, check: Type.Unknown(), read: (_value, raw, around: A) => read(raw, around), ...more })

/** A field that the destination takes outside the request's body: with the bytes of a file, or inside another field. */
export const takenElsewhere = <A>(field: Lens<A>): Lens<A> => ({
  ...field,
  empty: omit,
  write: () => omit,
  stored: () => null,
})

/** The objects in a list of the tool. Empty if the value is no list. */
export const objectsIn = (value: unknown): RawRecord[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []

/** Returns the value at a path such as `title.raw`. */
export function valueAt(raw: Readonly<Record<string, unknown>>, path: string): unknown {
  if (!path.includes('.')) return Object.hasOwn(raw, path) ? raw[path] : undefined
  return walkTo(raw, path.split('.'), undefined)
}

/** The value in a whole record: an object that is null, such as `owner`, makes `owner.id` null. */
export function heldAt(raw: Readonly<Record<string, unknown>>, path: string): unknown {
  return walkTo(raw, path.split('.'), null)
}

function walkTo(raw: unknown, path: readonly string[], belowNull: null | undefined): unknown {
  let value = raw
  for (const name of path) {
    if (value === null) return belowNull
    if (typeof value !== 'object' || !Object.hasOwn(value as object, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}
