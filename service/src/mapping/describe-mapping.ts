import type { CustomField } from '../connectors/contract.ts'
import type { FieldSurvey } from '../db/schema.ts'
import type { EntityDefinition, FieldType } from '../families/definition.ts'
import { type Family, familyDefinitions } from '../families/index.ts'
import { customKey, customName } from './changes.ts'
import { chooseOption } from './choose-audience.ts'
import { closestOption } from './closest-option.ts'
import { defaultTarget, findTarget, isExposed, type Mapping, type SourceField } from './find-target.ts'

/** A field of the source, how it is filled, and where it goes. */
export interface DescribedField {
  name: string
  label: string
  type: FieldType
  /** Of the records looked at. */
  filled: number
  to: string | null
  default_to: string | null
  /** Why it goes nowhere. */
  reason: 'left_out' | 'not_offered' | 'not_protected' | null
  /** For options: what each value becomes. */
  values: { value: string; count: number; to: string | null }[]
}

/** A field of the destination that something may go to. */
export interface DescribedTarget {
  name: string
  label: string
  type: FieldType
  many: boolean
  required: boolean
  options: string[]
}

export interface DescribedEntity {
  entity: string
  /** Whether the destination takes it at all. */
  is_taken: boolean
  is_included: boolean
  takes_any_custom_field: boolean
  fields: DescribedField[]
  targets: DescribedTarget[]
}

export interface Surveyed {
  customFields: Record<string, CustomField[]>
  fields: Record<string, Record<string, FieldSurvey>>
}

/** The whole mapping, as it is in effect: for the customer to look at and to change. */
export function describeMapping(family: Family, mapping: Mapping, surveyed: Surveyed): DescribedEntity[] {
  return familyDefinitions[family].entities.map((definition) => {
    const { name: entity, fields } = definition
    const offered = mapping.destination.entities[entity]
    const survey = surveyed.fields[entity] ?? {}
    const sources: SourceField[] = [
      ...Object.entries(fields).map(([name, { type, many = false }]) => ({ name, label: name, type, many })),
      ...(surveyed.customFields[entity] ?? []).map(({ key, label, type, many, isRestricted }) => ({
        name: customName(key),
        label,
        type,
        many,
        isRestricted,
      })),
    ]
    const custom = offered?.customFields === 'any' ? [] : (offered?.customFields ?? [])
    return {
      entity,
      is_taken: offered !== undefined,
      is_included: mapping.changes.entities?.[entity]?.include !== false,
      takes_any_custom_field: offered?.customFields === 'any',
      fields: sources
        // What the source never has is no loss, and nothing to decide.
        .filter(({ name }) => Object.hasOwn(survey, name) || customKey(name) !== null)
        .map((source) => describeField(mapping, definition, source, survey[source.name])),
      targets: [
        ...Object.entries(offered?.fields ?? {}).map(([name, { type, many, required, options }]) => ({
          name,
          label: name,
          type,
          many,
          required,
          options,
        })),
        ...custom.map(({ key, label, type, many, options }) => ({
          name: customName(key),
          label,
          type,
          many,
          required: false,
          options,
        })),
      ],
    }
  })
}

function describeField(
  mapping: Mapping,
  definition: EntityDefinition,
  source: SourceField,
  survey: FieldSurvey | undefined,
): DescribedField {
  const { name: entity } = definition
  const target = findTarget(mapping, entity, source)
  const change = mapping.changes.entities?.[entity]?.fields?.[source.name]
  const options = target?.rule.options ?? []
  const audience = target?.name === source.name ? definition.fields[source.name]?.audience : undefined
  const becomes = (value: string) => {
    const chosen = change?.values
    const isChosen = chosen !== undefined && Object.hasOwn(chosen, value)
    const into = isChosen ? (chosen[value] ?? null) : value
    if (into === null || options.length === 0) return into
    return audience && !isChosen ? chooseOption(audience, into, options).option : closestOption(into, options)
  }
  return {
    name: source.name,
    label: source.label,
    type: source.type,
    filled: survey?.filled ?? 0,
    to: target?.name ?? null,
    default_to: defaultTarget(mapping.destination, entity, source),
    reason: target ? null : whyNowhere(mapping, entity, source),
    values: Object.entries(survey?.values ?? {})
      .sort(([, a], [, b]) => b - a)
      .map(([value, count]) => ({ value, count, to: target ? becomes(value) : null })),
  }
}

function whyNowhere(mapping: Mapping, entity: string, source: SourceField): DescribedField['reason'] {
  if (mapping.changes.entities?.[entity]?.fields?.[source.name]?.to === null) return 'left_out'
  return isExposed(mapping.destination, entity, source) ? 'not_protected' : 'not_offered'
}
