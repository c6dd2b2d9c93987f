import { entityOf, type Family } from '../../families/index.ts'
import type { CustomFieldValue, FamilyRecord, FieldValue, UserRef } from '../../families/record.ts'
import type { SourceWarning } from '../../warnings/codes.ts'
import type { RecordWarning } from '../contract/contract.ts'
import type { MappedRecord } from './read-record.ts'

/** The parts of a record that a connector reads with its own code instead of lenses. Undefined fields are left out. */
export interface RecordParts {
  sourceId: string
  sourceUrl?: string | undefined
  createdAt?: string | undefined
  updatedAt?: string | undefined
  createdBy?: UserRef | undefined
  childCounts?: Record<string, number> | undefined
  fields: Record<string, FieldValue | undefined>
  customFields?: Record<string, CustomFieldValue>
  /** Names of fields with an unexpected shape. */
  odd: readonly string[]
  /** Names of fields that must not be empty. */
  required: readonly string[]
  /** Warnings about parts that cannot be copied. */
  lost?: readonly [code: SourceWarning, message: string][]
}

/** Names of the fields that the family requires. */
export const requiredIn = (family: Family, entity: string): string[] =>
  Object.entries(entityOf(family, entity).fields).flatMap(([name, { required }]) => (required ? [name] : []))

/** Builds the record, with a warning for every odd field and every empty required field. */
export function finishRecord(entity: string, parts: RecordParts): MappedRecord {
  const { sourceId, fields, odd, required, customFields, lost = [], ...rest } = parts
  const present = Object.entries(fields).filter((entry): entry is [string, FieldValue] => entry[1] !== undefined)
  const about = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  const record: FamilyRecord = {
    entity,
    sourceId,
    ...about,
    fields: Object.fromEntries(present),
    ...(customFields && Object.keys(customFields).length > 0 ? { customFields } : {}),
  }
  const warn = (code: SourceWarning, message: string): RecordWarning => ({ entity, sourceId, code, message })
  const warnings = odd.map((name) => warn('field_unreadable', unreadable(name)))
  for (const name of required) {
    if ((record.fields[name] ?? '') === '') warnings.push(warn('required_empty', `The field "${name}" is empty.`))
  }
  return { record, warnings: [...warnings, ...lost.map((one) => warn(...one))] }
}

export const unreadable = (name: string): string =>
  `The field "${name}" holds something other than expected and was left out.`
