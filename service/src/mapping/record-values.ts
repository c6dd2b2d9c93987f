import { customName } from '../db/mapping-changes.ts'
import type { EntityDefinition } from '../families/definition.ts'
import type { FamilyRecord, FieldValue, RecordRef, RichText, UserRef } from '../families/record.ts'
import type { SourceField } from './find-target.ts'

export interface NamedValue {
  source: SourceField
  value: FieldValue
}

/** All values of a record that are not blank. */
export function listValues(record: FamilyRecord, entity: EntityDefinition): NamedValue[] {
  const own = Object.entries(record.fields).map(([name, value]) => {
    const { type = 'text', many = false } = entity.fields[name] ?? {}
    return { source: { name, label: name, type, many }, value }
  })
  const custom = Object.entries(record.customFields ?? {}).map(([key, { label, type, many, value, isRestricted }]) => ({
    source: { name: customName(key), label, type, many: many ?? Array.isArray(value), isRestricted },
    value,
  }))
  return [...own, ...custom].filter(({ value }) => !isBlank(value))
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
