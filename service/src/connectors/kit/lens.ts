import Type, { type Static, type TSchema } from 'typebox'
import type { FieldType } from '../../families/definition.ts'
import type { FieldValue } from '../../families/record.ts'

/** One thing as a tool sends it; all that is known of it is that it has an id. */
export type RawRecord = { id: string | number } & Record<string, unknown>

/**
 * One field, as the tool has it and as the family does. From it follow the check of what the tool sends, reading, writing,
 * the form to compare with, the description of the destination, and the line in the documentation.
 */
export interface Lens<A = unknown> {
  /** Where it stands in a record of the tool, such as `title.raw`; null for what follows from other fields or from `around`. */
  from: string | null
  /** Its name in requests, where that is another one. */
  to: string | null
  type: FieldType
  many: boolean
  /** What the tool sends. Anything else is left out with a warning; null is an empty value. */
  check: TSchema
  /** Undefined leaves the field out. */
  read(value: unknown, raw: Readonly<Record<string, unknown>>, around: A): FieldValue | undefined
  /** What is read when the tool sends nothing, or something else than `check` says. Unset: nothing. */
  absent?: FieldValue
  /** As the tool takes it. Null for a field that cannot be written. An empty value is null. */
  write: ((value: unknown) => unknown) | null
  /** What is sent for an empty value. */
  empty: unknown
  /** The form to compare, made of what is sent and of what the tool has then: what it changes by itself is evened out. */
  stored(sent: unknown): unknown
  maxLength: number | null
  options: readonly string[]
  /** For a relation: the entity that it leads to. */
  relates?: string
  /** What the documentation says besides. */
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
  note?: string
}

/** What a lens of one's own says. `read` gets what `check` has let through. */
export interface OwnLens<S extends TSchema, A> extends LensOptions {
  from: string | null
  check: S
  many?: boolean
  options?: readonly string[]
  relates?: string
  read(value: Static<S>, raw: Readonly<Record<string, unknown>>, around: A): FieldValue | undefined
  write?(value: unknown): unknown
  stored?(sent: unknown): unknown
}

const same = (value: unknown) => value
/** A tool says "nothing" in several ways: no such field, null, an empty text, an empty list. They compare as one. */
const evenEmpty = (value: unknown) =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0) ? null : value

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
    write: own.write && !own.isReadOnly ? own.write : null,
    empty: own.empty ?? null,
    stored: (sent) => evenEmpty(sent === undefined || sent === null ? sent : stored(sent)),
    maxLength: max,
    options,
    ...(own.relates !== undefined && { relates: own.relates }),
    ...(own.note !== undefined && { note: own.note }),
  }
}

/** A field that the tool does not have, made of others or of what was read along. It is never written. */
export const made = <A = unknown>(
  type: FieldType,
  read: (raw: Readonly<Record<string, unknown>>, around: A) => FieldValue | undefined,
  more: { many?: boolean; note?: string; relates?: string } = {},
): Lens<A> =>
  lens(type, { from: null, check: Type.Unknown(), read: (_value, raw, around: A) => read(raw, around), ...more })

/** What stands at a path such as `title.raw`. */
export function valueAt(raw: Readonly<Record<string, unknown>>, path: string): unknown {
  let value: unknown = raw
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}
