import type { EntityDefinition, FieldDefinition } from '../../families/definition.ts'
import type { CustomField } from '../contract/contract.ts'
import type { CellFormat, ColumnRole, DayOrder, ReferenceKind, UploadColumn } from '../contract/upload-contract.ts'
import { namesOf, toName } from './entity-names.ts'
import { fieldNames, ownNames, referenceEndings } from './field-names.ts'

/**
 * One column. `role` is the result of `wanted`: an unresolvable reference becomes text, and a custom field gets a type.
 */
export interface CsvColumn extends UploadColumn {
  /** The column's purpose, by its name or by the customer's choice. */
  wanted: ColumnRole
  /** The format of the column's values, if the customer chose one. */
  chosen?: { text?: CellFormat; days?: DayOrder }
  /** True if the column's first values are e-mail addresses. A reference in such a column is by e-mail address. */
  holdsEmails?: true
  /** The order of day, month and year. Null while it is undecided; undefined if no value depends on it. */
  order?: DayOrder | null
}

/** French and Spanish put the id first: `ID del cliente` becomes `cliente_id`. */
const toColumnName = (header: string) => toName(header).replace(/^id(?:_d(?:e_la|e_l|e|u|el)?)?_(.+)$/, '$1_id')

/**
 * Gives every column its role: first by the field's own name, then by synonyms. All other columns become custom fields.
 */
export function matchColumns(
  entity: EntityDefinition,
  headers: readonly string[],
  emailsIn: ReadonlySet<number> = new Set(),
): CsvColumn[] {
  const names = headers.map(toColumnName)
  const roles = new Map<number, ColumnRole>()
  const taken = new Set<string>()
  const give = (index: number, role: ColumnRole, use: string) => {
    if (roles.has(index) || taken.has(use)) return
    roles.set(index, role)
    taken.add(use)
  }
  const fields = Object.entries(entity.fields)

  names.forEach((name, index) => {
    for (const [field, definition] of fields)
      if (name === field) give(index, toRole(field, definition, null, emailsIn.has(index)), field)
  })
  names.forEach((name, index) => {
    for (const [kind, synonyms] of Object.entries(ownNames)) {
      if (synonyms.includes(name)) give(index, { kind: kind as keyof typeof ownNames }, kind)
    }
  })
  // In a table of tickets, `ticket_id` is the ticket's own id, not a reference.
  for (const own of namesOf(entity.name)) {
    const ownId = names.indexOf(`${own}_id`)
    if (ownId !== -1) give(ownId, { kind: 'id' }, 'id')
  }
  // Synonyms are tried rank by rank: the column `title` becomes the name only if there is no column `full_name`.
  const mostSynonyms = Math.max(0, ...fields.map(([field]) => synonymsOf(entity, field).length))
  for (let rank = 0; rank < mostSynonyms; rank += 1) {
    for (const [field, definition] of fields) {
      const synonym = synonymsOf(entity, field)[rank]
      names.forEach((name, index) => {
        const reference = matchReference(name, field, synonym, definition)
        if (name === synonym) give(index, toRole(field, definition, null, emailsIn.has(index)), field)
        else if (reference) give(index, toRole(field, definition, reference, emailsIn.has(index)), field)
      })
    }
  }

  const keys = new Set<string>()
  return headers.map((header, index) => {
    const custom = () => ({ kind: 'custom' as const, field: toCustomField(header, index, keys) })
    const wanted = roles.get(index) ?? custom()
    return { header, wanted, role: wanted, ...(emailsIn.has(index) && { holdsEmails: true as const }) }
  })
}

function synonymsOf({ name, fields }: EntityDefinition, field: string): readonly string[] {
  const others = (fields[field]?.to ?? []).filter((target) => target !== name)
  return [...(fieldNames[field] ?? []), ...others.flatMap(namesOf), field]
}

interface Reference {
  kind: ReferenceKind
  target?: string | undefined
}

function matchReference(
  name: string,
  field: string,
  synonym: string | undefined,
  { type, to = [] }: FieldDefinition,
): Reference | null {
  if (type !== 'relation' && type !== 'user') return null
  for (const [ending, kind] of referenceEndings) {
    if (!name.endsWith(ending)) continue
    const base = name.slice(0, -ending.length)
    // Plural fields are often written in the singular: `linked_ticket_ids`.
    if ([synonym, field, field.replace(/s$/, '')].includes(base)) {
      return { kind, target: to.find((entity) => namesOf(entity).includes(base)) }
    }
  }
  return null
}

/**
 * The role of a column for a field. The column's name or the customer's choice decides how it refers to records;
 * otherwise its values do.
 */
export function toRole(
  field: string,
  { type, to }: FieldDefinition,
  reference: Reference | null,
  holdsEmails: boolean,
): ColumnRole {
  if (type === 'user') return { kind: 'field', field, reference: reference?.kind ?? 'name' }
  const target = reference?.target ?? to?.[0]
  if (type !== 'relation' || target === undefined) return { kind: 'field', field }
  return { kind: 'field', field, reference: reference?.kind ?? (holdsEmails ? 'email' : 'name'), target }
}

/** A custom field for a column, with a unique key. */
export function toCustomField(header: string, index: number, keys: Set<string>): CustomField {
  const wanted = toName(header) || `column_${index + 1}`
  const key = keys.has(wanted) ? `${wanted}_${index + 1}` : wanted
  keys.add(key)
  return { key, label: header.trim() || `Column ${index + 1}`, type: 'text', many: false, options: [] }
}
