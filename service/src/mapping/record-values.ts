import { customName } from '../db/mapping-changes.ts'
import type { EntityDefinition } from '../families/definition.ts'
import type { CustomFieldValue, FamilyRecord, FieldValue, RecordRef, RichText, UserRef } from '../families/record.ts'
import type { SourceField } from './find-target.ts'

export interface NamedValue {
  source: SourceField
  value: FieldValue
}

/** All values of a record that are not blank. */
export function listValues(record: FamilyRecord, entity: EntityDefinition): NamedValue[] {
  const { fields, customFields = {} } = record
  const values: NamedValue[] = []
  for (const name of Object.keys(fields)) {
    const value = fields[name] as FieldValue
    if (!isBlank(value)) values.push({ source: sourceOf(entity, name), value })
  }
  for (const key of Object.keys(customFields)) {
    const { label, type, many, value, isRestricted } = customFields[key] as CustomFieldValue
    if (isBlank(value)) continue
    values.push({
      source: { name: customName(key), label, type, many: many ?? Array.isArray(value), isRestricted },
      value,
    })
  }
  return values
}

const sources = new WeakMap<EntityDefinition, Map<string, SourceField>>()

/** A field of the family as a source. Kept, because every record has the same few. */
function sourceOf(entity: EntityDefinition, name: string): SourceField {
  const known = sources.get(entity) ?? new Map<string, SourceField>()
  sources.set(entity, known)
  const { type = 'text', many = false } = entity.fields[name] ?? {}
  const source = known.get(name) ?? { name, label: name, type, many }
  known.set(name, source)
  return source
}

export function isBlank(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

export const isRelation = (value: unknown): value is RecordRef =>
  typeof value === 'object' && value !== null && 'sourceId' in value
export const isUser = (value: unknown): value is UserRef =>
  typeof value === 'object' && value !== null && 'userId' in value
export const isRichText = (value: unknown): value is RichText =>
  typeof value === 'object' && value !== null && 'body' in value
