import type { MappingChanges } from '../db/mapping-changes.ts'
import type { FamilyRecord } from '../families/record.ts'

/** True if no filter of the customer excludes the record. */
export function isWanted(record: FamilyRecord, { entities }: MappingChanges): boolean {
  const rules = entities?.[record.entity]
  if (!rules) return true
  if (rules.include === false) return false
  const created = record.createdAt === undefined ? null : Date.parse(record.createdAt)
  // A record without a date passes every filter by date.
  if (created !== null && rules.created_after !== undefined && created < Date.parse(rules.created_after)) return false
  if (created !== null && rules.created_before !== undefined && created >= Date.parse(rules.created_before))
    return false
  return Object.entries(rules.only ?? {}).every(([field, values]) => {
    const value = record.fields[field]
    const present = (Array.isArray(value) ? value : [value]).map(String)
    return present.some((single) => values.includes(single))
  })
}
