/** The types of a record's fields. `record.ts` describes the values of each type. */
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
  /** The field holds a list of such values. */
  many?: true
  /** A record without this field makes no sense, in any tool. */
  required?: true
  /** For relations: the entities that it can refer to. */
  to?: readonly string[]
  /** For options: the family's names. Tools may have others; the mapping decides. */
  options?: readonly string[]
  /** Set if the field decides who may see the record. */
  audience?: AudienceRule
}

/**
 * A field's statement about who may see its record. A record without any such field is visible to everyone who sees its
 * parent.
 */
export interface AudienceRule {
  /** Values from the most readers to the fewest. Empty: any text at all excludes readers. */
  order: readonly (string | boolean)[]
  /** The audience of a record without a value: all readers, or that of the last value. */
  absent: 'open' | 'restricted'
  /** Values that hide a record from all readers, regardless of its other fields. */
  hides?: readonly string[]
  /** A value that means published once the time in another field has come. */
  due?: { value: string; at: string }
}

export interface EntityDefinition {
  /** Plural, as in `items` of the API. */
  name: string
  /** A sample chooses records of this entity, and copies their comments, files and other children with them. */
  isTop?: true
  /**
   * The relation to a record's parent. The record joins its parent in a sample, and is held if the parent is refused.
   */
  parent?: string
  /**
   * Relations that can form circles or refer to later records. They are written in a second pass, when every id is
   * known.
   */
  secondPass?: readonly string[]
  fields: Readonly<Record<string, FieldDefinition>>
}

export interface FamilyDefinition {
  /** In the order of writing: a record is written after the records that it refers to. Undo goes the other way. */
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
/** Fewer people may see the record than its parent. Tools without this field have no such records. */
export const isPrivate = telling(boolean, { order: [false, true], absent: 'open' })
/** Only a record that is certainly public counts as public. */
export const isPublic = telling(boolean, { order: [true, false], absent: 'restricted' })
/** Options from the most readers to the fewest. */
export const readers = (...options: string[]): FieldDefinition =>
  telling(option(...options), { order: options, absent: 'open' })
/** States; only the first is published. Nobody outside sees a record in a `hidden` state. */
export const state = (options: string[], hidden: string[]): FieldDefinition =>
  telling(option(...options), { order: options, absent: 'restricted', hides: hidden })
/** The value means published from the time in the field `at` on. */
export const dueAt = (at: string, value: string, field: FieldDefinition): FieldDefinition =>
  field.audience ? telling(field, { ...field.audience, due: { value, at } }) : field
export const secret = telling(text, { order: [], absent: 'open' })
export const required = (field: FieldDefinition): FieldDefinition => ({ ...field, required: true })

/** Files that belong to records of the named entities. Their bytes travel beside the record, as a stream. */
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
