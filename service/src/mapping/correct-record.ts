import type { CustomField, DestinationDescription } from '../connectors/contract/contract.ts'
import { type Correction, customKey, customName, type MappingChanges } from '../db/mapping-changes.ts'
import type { Db } from '../db/open-database.ts'
import { type FieldMessages, ValidationError } from '../errors.ts'
import type { EntityDefinition } from '../families/definition.ts'
import type { FamilyRecord, FieldValue } from '../families/record.ts'
import { mostCorrected } from './changes-schema.ts'
import { whyNotTaken } from './check-corrections.ts'
import { findTarget, type Mapping } from './find-target.ts'
import { toText } from './fit-value.ts'
import { type Correctable, findCorrectable, isStamp, readCorrection, sayType, stamps } from './read-correction.ts'
import { isBlank, isRelation, isRichText, isUser } from './record-values.ts'
import { findNewest, saveChanges } from './save-changes.ts'

/** The data against which a correction is checked. */
export interface CorrectionSides {
  definition: EntityDefinition
  /** Null before the plan has read both accounts. */
  destination: DestinationDescription | null
  custom: readonly CustomField[] | undefined
}

export interface RecordCorrection {
  entity: string
  sourceId: string
  /** Values by field; null removes a correction. */
  values: Record<string, string | null>
}

const mostTries = 3

/** Saves values that the customer typed for one record, as the next version of the mapping. */
export async function correctRecord(
  db: Db,
  importId: string,
  correction: RecordCorrection,
  sides: CorrectionSides,
): Promise<{ version: number }> {
  const { entity, values } = correction
  for (let tries = 1; ; tries++) {
    const { version, changes } = await findNewest(db, importId)
    refuseUnfit(values, sides, changes)
    try {
      const act = { act: 'record corrected', details: { entity, fields: Object.keys(values) } }
      return { version: await saveChanges(db, importId, { version }, putIn(changes, correction), act) }
    } catch (error) {
      // Someone saved another version meanwhile. The correction is applied to that version.
      const isOvertaken = error instanceof ValidationError && 'version' in error.fields
      if (!isOvertaken || tries >= mostTries) throw error
    }
  }
}

function putIn(changes: MappingChanges, { entity, sourceId, values }: RecordCorrection): MappingChanges {
  const change = changes.entities?.[entity] ?? {}
  const { [sourceId]: before = {}, ...others } = change.corrections ?? {}
  const kept = Object.entries({ ...before, ...values }).filter((pair): pair is [string, Correction] => pair[1] !== null)
  const corrections = kept.length === 0 ? others : { ...others, [sourceId]: Object.fromEntries(kept) }
  if (Object.keys(corrections).length > mostCorrected) {
    const message = `at most ${mostCorrected} records can be corrected one by one. Change the values in the source, or under Match your fields`
    throw new ValidationError({ fields: [message] })
  }
  return { ...changes, entities: { ...changes.entities, [entity]: { ...change, corrections } } }
}

function refuseUnfit(values: RecordCorrection['values'], sides: CorrectionSides, changes: MappingChanges): void {
  const { definition, destination, custom = [] } = sides
  const messages: FieldMessages = {}
  for (const [name, value] of Object.entries(values)) {
    if (value === null) continue
    const field = findCorrectable(definition, custom, name)
    if (!field) messages[name] = ['is no field whose value can be typed']
    else if (value.length > longestValue) messages[name] = [`must be at most ${longestValue} characters long`]
    else if (readCorrection(value, field) === undefined) messages[name] = [sayType(field)]
    else if (destination) {
      const source = { name, label: labelOf(name, custom), ...field }
      const why = whyNotTaken({ changes, destination }, definition.name, source, value)
      if (why !== null) messages[name] = [why]
    }
  }
  if (Object.keys(messages).length > 0) throw new ValidationError(messages)
}

const longestValue = 10_000
const labelOf = (name: string, custom: readonly CustomField[]) =>
  custom.find(({ key }) => key === customKey(name))?.label ?? name

/** Fields of a record that the customer can correct. The fields that the refusal seems to concern come first. */
export function listCorrectable(
  { definition, destination, custom = [], changes }: CorrectionSides & Mapping,
  record: FamilyRecord,
  corrections: Record<string, Correction>,
  refusal: string | null,
): Correctable[] {
  const names = [...Object.keys(definition.fields), ...custom.map(({ key }) => customName(key)), ...Object.keys(stamps)]
  const words = new Set((refusal ?? '').toLowerCase().split(/[^\p{L}\p{N}_]+/u))
  const listed = names.flatMap((name): Correctable[] => {
    const field = findCorrectable(definition, custom, name)
    const label = labelOf(name, custom)
    const target =
      field && !isStamp(name) ? findTarget({ changes, destination }, definition.name, { name, label, ...field }) : null
    if (!field || (!target && !isStamp(name))) return []
    const value = sourceValue(record, name)
    const required = target?.rule.required === true || definition.fields[name]?.required === true
    const isMissing = required && isBlank(value)
    const { [name]: correction } = corrections
    return [
      {
        name,
        label,
        type: field.type,
        many: field.many,
        required,
        options: target?.rule.options ?? [],
        value: isBlank(value) ? null : textOf(value),
        correction: correction === undefined ? null : String(correction),
        is_blamed: isMissing || words.has((target?.name ?? name).toLowerCase()) || words.has(label.toLowerCase()),
      },
    ]
  })
  return [...listed.filter((one) => one.is_blamed), ...listed.filter((one) => !one.is_blamed)]
}

function sourceValue({ fields, customFields = {}, ...record }: FamilyRecord, name: string): FieldValue | undefined {
  if (isStamp(name)) return record[stamps[name]]
  const key = customKey(name)
  return key === null ? fields[name] : customFields[key]?.value
}

/** The value as the customer would type it. */
function textOf(value: FieldValue | undefined): string {
  if (Array.isArray(value)) return value.map(textOf).join('; ')
  if (isRelation(value)) return value.sourceId
  if (isUser(value)) return value.userId
  return (isRichText(value) ? value.body : toText(value)) ?? ''
}
