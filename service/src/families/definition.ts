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
    is_private: boolean,
    uploaded_by: user,
    description: text,
  },
})
