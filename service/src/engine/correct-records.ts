import type { CustomField, Reader, RecordPage } from '../connectors/contract/contract.ts'
import { type Correction, customKey, type MappingChanges } from '../db/mapping-changes.ts'
import { entityOf, type Family } from '../families/index.ts'
import type { FamilyRecord } from '../families/record.ts'
import { findCorrectable, isStamp, readCorrection, stamps } from '../mapping/read-correction.ts'

/** Hands records out with the values that the customer typed in place of the source's. Later steps see only those. */
export function correctRecords(reader: Reader, family: Family, { entities = {} }: MappingChanges): Reader {
  const { readSome } = reader
  const correct = async (entity: string, page: RecordPage): Promise<RecordPage> => {
    const corrections = entities[entity]?.corrections ?? {}
    const isCorrected = ({ sourceId }: { sourceId: string }) => Object.hasOwn(corrections, sourceId)
    if (!page.items.some(isCorrected)) return page
    const custom = hasCustom(corrections) ? await reader.customFields(entity) : []
    const items = page.items.map((record) =>
      isCorrected(record) ? correctRecord(record, corrections[record.sourceId] ?? {}, family, custom) : record,
    )
    // A warning about the replaced value no longer matters.
    const warnings = page.warnings.filter(
      (one) =>
        !(one.field !== undefined && isCorrected(one) && Object.hasOwn(corrections[one.sourceId] ?? {}, one.field)),
    )
    return { ...page, items, warnings }
  }
  const corrected: Reader = {
    ...reader,
    read: async (entity, ...rest) => correct(entity, await reader.read(entity, ...rest)),
  }
  if (readSome) corrected.readSome = async (entity, ...rest) => correct(entity, await readSome(entity, ...rest))
  return corrected
}

const hasCustom = (corrections: Record<string, Record<string, Correction>>) =>
  Object.values(corrections).some((values) => Object.keys(values).some((name) => customKey(name) !== null))

function correctRecord(
  record: FamilyRecord,
  values: Record<string, Correction>,
  family: Family,
  custom: readonly CustomField[],
): FamilyRecord {
  const definition = entityOf(family, record.entity)
  const next: FamilyRecord = { ...record, fields: { ...record.fields } }
  for (const [name, given] of Object.entries(values)) {
    const field = findCorrectable(definition, custom, name)
    const value = field ? readCorrection(given, field) : undefined
    if (!field || value === undefined) continue
    const key = customKey(name)
    if (isStamp(name)) {
      if (typeof value === 'string') next[stamps[name]] = value
      else delete next[stamps[name]]
    } else if (key === null) next.fields[name] = value
    else {
      const { label = key, type = field.type } = custom.find((one) => one.key === key) ?? {}
      next.customFields = { ...next.customFields, [key]: { ...next.customFields?.[key], label, type, value } }
    }
  }
  return next
}
