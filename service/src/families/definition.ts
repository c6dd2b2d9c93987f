/** What a field of a record can hold. Values of each type are described in `record.ts`. */
export type FieldType =
  | 'text'
  | 'long_text'
  | 'rich_text'
  | 'integer'
  | 'decimal'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'option'
  | 'email'
  | 'phone'
  | 'url'
  | 'money'
  | 'address'
  | 'user'
  | 'relation'

export interface FieldDefinition {
  type: FieldType
  /** A list of such values. */
  many?: true
  /** Without it a record makes no sense, in any tool. */
  required?: true
  /** For relations: the entities it can lead to. */
  to?: readonly string[]
  /** For options: what the family calls them. Tools may have others; the mapping decides. */
  options?: readonly string[]
  /** Set when the field tells who may see the record. */
  audience?: AudienceRule
}

/**
 * How a field tells who may see its record. A record without any such field is seen by everyone who sees the record it
 * belongs to.
 */
export interface AudienceRule {
  /** Values from the one with the most readers to the one with the fewest. Empty: any text at all keeps readers out. */
  order: readonly (string | boolean)[]
  /** Whether a record without a value has all readers, or as few as the last value. */
  absent: 'open' | 'restricted'
  /** Values that keep a record from all readers, whatever its other fields say. */
  hides?: readonly string[]
  /** A value that is out once the moment of another field has come. */
  due?: { value: string; at: string }
}

export interface EntityDefinition {
  /** Plural, as in `items` of the API. */
  name: string
  /** A sample takes some of these, and everything that hangs on them. */
  isTop?: true
  /** The relation by which a record hangs on another: it goes with it into a sample, and is held when that one is refused. */
  parent?: string
  /** Relations that can form circles or lead forward; they are written in a second pass, when every id is known. */
  secondPass?: readonly string[]
  fields: Readonly<Record<string, FieldDefinition>>
}

export interface FamilyDefinition {
  /** In the order of writing: what a record refers to is written before it. Undo goes the other way. */
  entities: readonly EntityDefinition[]
}

// Short forms for the tables in helpdesk.ts and its neighbours.
export const text: FieldDefinition = { type: 'text' }
export const requiredText: FieldDefinition = { type: 'text', required: true }
export const longText: FieldDefinition = { type: 'long_text' }
export const richText: FieldDefinition = { type: 'rich_text' }
export const integer: FieldDefinition = { type: 'integer' }
export const decimal: FieldDefinition = { type: 'decimal' }
export const boolean: FieldDefinition = { type: 'boolean' }
export const date: FieldDefinition = { type: 'date' }
export const datetime: FieldDefinition = { type: 'datetime' }
export const url: FieldDefinition = { type: 'url' }
export const email: FieldDefinition = { type: 'email' }
export const money: FieldDefinition = { type: 'money' }
export const user: FieldDefinition = { type: 'user' }
export const many = (field: FieldDefinition): FieldDefinition => ({ ...field, many: true })
export const option = (...options: string[]): FieldDefinition => ({ type: 'option', options })
export const relation = (...to: string[]): FieldDefinition => ({ type: 'relation', to })
const telling = (field: FieldDefinition, audience: AudienceRule): FieldDefinition => ({ ...field, audience })
/** Fewer people may see it than the record it belongs to. A tool that does not say so knows no such records. */
export const isPrivate = telling(boolean, { order: [false, true], absent: 'open' })
/** Only a record that is certainly public is. */
export const isPublic = telling(boolean, { order: [true, false], absent: 'restricted' })
/** Options from the one with the most readers to the one with the fewest. */
export const readers = (...options: string[]): FieldDefinition =>
  telling(option(...options), { order: options, absent: 'open' })
/** States, of which only the first is out. `hidden` are those that nobody outside sees. */
export const state = (options: string[], hidden: string[]): FieldDefinition =>
  telling(option(...options), { order: options, absent: 'restricted', hides: hidden })
/** The value is out by itself at the moment of the field `at`. */
export const dueAt = (at: string, value: string, field: FieldDefinition): FieldDefinition =>
  field.audience ? telling(field, { ...field.audience, due: { value, at } }) : field
export const secret = telling(text, { order: [], absent: 'open' })
export const required = (field: FieldDefinition): FieldDefinition => ({ ...field, required: true })

/** Files that hang on records of the named entities. Their bytes travel beside the record, as a stream. */
export const attachmentsOf = (...entities: string[]): EntityDefinition => ({
  name: 'attachments',
  parent: 'parent',
  fields: {
    parent: required(relation(...entities)),
    file_name: requiredText,
    content_type: text,
    size: integer,
    is_inline: boolean,
    is_private: isPrivate,
    uploaded_by: user,
    description: text,
  },
})
