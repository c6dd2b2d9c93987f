import Type, { type Static, type TSchema } from 'typebox'
import type { FieldType } from '../../families/definition.ts'
import type { FieldValue } from '../../families/record.ts'
import type { OutgoingContent, OutgoingRecord } from '../contract/contract.ts'

/** One thing as a tool sends it; all that is known of it is that it has an id. */
export type RawRecord = { id: string | number } & Record<string, unknown>

/** Sent instead of a value: the field is left out of the request, and the tool decides. */
export const omit = Symbol('not sent')

/** The record that a field is written with. A record that is only compared has no key. */
export interface Writing {
  content: OutgoingContent & Partial<Pick<OutgoingRecord, 'key' | 'createdBy'>>
  now: number
  /** The tool's address, for texts with links to it. */
  site: string
}

/**
 * One field, as the tool has it and as the family does. From it follow the check of what the tool sends, reading, writing,
 * the form to compare with, the description of the destination, and the line in the documentation.
 */
export interface Lens<A = unknown> {
  /** Path in a record of the tool, such as `title.raw`; null for a value derived from other fields or from `around`. */
  from: string | null
  /** Its name in requests, where that is another one. */
  to: string | null
  type: FieldType
  many: boolean
  /** Check of the tool's value. A value that fails is left out with a warning; null is an empty value. */
  check: TSchema
  /** Undefined leaves the field out. */
  read(value: unknown, raw: Readonly<Record<string, unknown>>, around: A): FieldValue | undefined
  /** Value read when the tool sends none, or one that `check` refuses. Unset: no value. */
  absent?: FieldValue
  /** Further fields of the tool that it looks at, with their shapes. */
  also?: Readonly<Record<string, TSchema>>
  /** As the tool takes it. Null for a field that cannot be written. */
  write: ((value: unknown, writing: Writing) => unknown) | null
  /** Further fields of a request that hold a part of the value. Not asked for an empty one. */
  writesAlso?(value: unknown): Record<string, unknown>
  /** Value sent for an empty field. */
  empty: unknown
  /** `write` gets empty values, too, and `empty` does not count. */
  writesEmpty: boolean
  /** Value to compare with, where it differs from the value that is sent. */
  wanted?(value: unknown, writing: Writing): unknown
  /**
   * The form to compare, made of what is sent and of what the tool has then: what it changes by itself is evened out. `raw`
   * is the whole record, for what the tool has.
   */
  stored(sent: unknown, raw?: Readonly<Record<string, unknown>>): unknown
  /** The family has a list here, and the tool takes a single value. */
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
  /** Characters; what is longer is refused before it is sent. */
  max?: number
  absent?: FieldValue
  isReadOnly?: boolean
  /** For tools that do not take null: what is sent instead. */
  empty?: unknown
  takesOne?: boolean
  note?: string
}

/** Declaration of a special lens. `read` gets values that passed `check`. */
export interface OwnLens<S extends TSchema, A> extends LensOptions {
  from: string | null
  check: S
  many?: boolean
  options?: readonly string[]
  currencies?: readonly string[]
  relates?: string
  also?: Readonly<Record<string, TSchema>>
  writesAlso?(value: unknown): Record<string, unknown>
  read(value: Static<S>, raw: Readonly<Record<string, unknown>>, around: A): FieldValue | undefined
  write?(value: unknown, writing: Writing): unknown
  writesEmpty?: boolean
  wanted?(value: unknown, writing: Writing): unknown
  stored?(sent: unknown, raw?: Readonly<Record<string, unknown>>): unknown
}

const same = (value: unknown) => value
/** A tool says "nothing" in several ways: no such field, null, an empty text, an empty list. They compare as one. */
const evenEmpty = (value: unknown) =>
  value === undefined || value === omit || value === '' || (Array.isArray(value) && value.length === 0) ? null : value

/** A field that needs more than the lenses of the kit. Without `write` it can only be read. */
export function lens<S extends TSchema, A = unknown>(type: FieldType, own: OwnLens<S, A>): Lens<A> {
  const { from, to = null, check, many = false, options = [], max = null, stored = same } = own
  return {
    from,
    to,
    type,
    many,
    check,
    read: (value, raw, around) => own.read(value as Static<S>, raw, around),
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

/** One value of the tool where the family has a list: it is read as a list of one, and the first of a list is written. */
export const asList = <A>(one: Lens<A>): Lens<A> => ({
  ...one,
  many: true,
  takesOne: true,
  read(value, raw, around) {
    const read = one.read(value, raw, around)
    return read === undefined || read === null ? read : ([read] as FieldValue)
  },
})

/** A field that the tool does not have, made of others or of what was read along. It is never written. */
export const made = <A = unknown>(
  type: FieldType,
  read: (raw: Readonly<Record<string, unknown>>, around: A) => FieldValue | undefined,
  more: { many?: boolean; note?: string; relates?: string } = {},
): Lens<A> =>
  lens(type, { from: null, check: Type.Unknown(), read: (_value, raw, around: A) => read(raw, around), ...more })

/** A field that the destination takes, but not in the body of a request: with the bytes of a file, or inside another field. */
export const takenElsewhere = <A>(field: Lens<A>): Lens<A> => ({
  ...field,
  empty: omit,
  write: () => omit,
  stored: () => null,
})

/** The things in a list of the tool, without holes; nothing where it has no list. */
export const objectsIn = (value: unknown): RawRecord[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []

/** Returns the value at a path such as `title.raw`. */
export function valueAt(raw: Readonly<Record<string, unknown>>, path: string): unknown {
  let value: unknown = raw
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}
