import type { CustomField } from '../connectors/contract/contract.ts'
import type { EntityChanges } from '../db/mapping-changes.ts'
import type { EntityDefinition } from '../families/definition.ts'
import type { Complain } from './check-fields.ts'
import { closestFor } from './closest-option.ts'
import { findTarget, type Mapping, type SourceField } from './find-target.ts'
import { type CorrectableField, findCorrectable, isStamp, readCorrection, sayType } from './read-correction.ts'

/**
 * Checks that the corrected fields exist and that the values fit them. The target of a field does not matter: an old
 * correction must not block a later change of the mapping.
 */
export function checkCorrections(
  definition: EntityDefinition,
  { corrections = {} }: EntityChanges,
  { customFields }: { customFields: Record<string, CustomField[]> },
  complain: Complain,
): void {
  const custom = customFields[definition.name] ?? []
  for (const [sourceId, values] of Object.entries(corrections)) {
    for (const [name, value] of Object.entries(values)) {
      const at = `entities.${definition.name}.corrections.${sourceId}.${name}`
      const field = findCorrectable(definition, custom, name)
      // A newer export may lack the column of a custom field.
      if (!field && name.startsWith('custom:')) continue
      if (!field) complain(at, 'is no field whose value can be typed')
      else if (readCorrection(value, field) === undefined) complain(at, sayType(field))
    }
  }
}

/** Why the destination would refuse the corrected value; null if it accepts it. */
export function whyNotTaken(
  mapping: Mapping,
  entity: string,
  source: SourceField & CorrectableField,
  value: string,
): string | null {
  if (isStamp(source.name) || value.trim() === '') return null
  const target = findTarget(mapping, entity, source)
  if (!target) return 'has no place in the destination: choose one under Match your fields'
  const { options, maxLength } = target.rule
  if (options.length > 0 && closestFor(source.name, value.trim(), options) === null) {
    return `must be one of ${options.join(', ')}`
  }
  if (maxLength !== null && value.length > maxLength) return `must be at most ${maxLength} characters long`
  return null
}
