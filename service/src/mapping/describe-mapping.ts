import type { CustomField } from '../connectors/contract/contract.ts'
import { customKey, customName, type FieldChange } from '../db/mapping-changes.ts'
import type { FieldSurvey } from '../db/schema.ts'
import type { EntityDefinition, FieldType } from '../families/definition.ts'
import { type Family, familyDefinitions } from '../families/index.ts'
import { applySteps, typeAfter } from './apply-steps.ts'
import { listSources } from './check-fields.ts'
import { chooseOption } from './choose-audience.ts'
import { closestFor } from './closest-option.ts'
import {
  combinedInto,
  defaultTarget,
  findClaim,
  findTarget,
  isExposed,
  type Mapping,
  type SourceField,
  type Target,
} from './find-target.ts'
import { fitsTarget, fitsType, typesFor } from './fit-type.ts'

/** A field of the source, how often it is filled, and its target. */
export interface DescribedField {
  name: string
  label: string
  type: FieldType
  many: boolean
  /** Number of surveyed records that have a value. */
  filled: number
  to: string | null
  default_to: string | null
  /** Types of fields that can hold the value, by its type after the steps. */
  fits: FieldType[]
  /** For a link: fields of the destination with the same kind of target. */
  fits_links: string[]
  /** The other source field that the customer mapped to this field's target. */
  taken_by: string | null
  /** Combined fields of the destination that include this field. */
  combined_into: string[]
  /** Whether steps can change the value. */
  takes_steps: boolean
  /** Why the field has no target. */
  reason: 'left_out' | 'not_offered' | 'not_protected' | null
  /** `undecided`: content would be lost, and the customer has not agreed to that. */
  status: 'copied' | 'undecided' | 'left_out'
  /** For options: the values in the source. */
  source_values: { value: string; count: number }[]
  /** The values after the steps, each with the destination's value. */
  values: DescribedValue[]
}

export interface DescribedValue {
  value: string
  count: number
  to: string | null
  /** True if the customer chose the option. Otherwise it is the option with the same meaning, if there is one. */
  is_chosen: boolean
}

/** A field of the destination that can be a target. */
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
  /** True if the destination accepts the entity. */
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

/** The complete current mapping, for the customer to view and change. */
export function describeMapping(family: Family, mapping: Mapping, surveyed: Surveyed): DescribedEntity[] {
  return familyDefinitions[family].entities.map((definition) => {
    const { name: entity } = definition
    const offered = mapping.destination.entities[entity]
    const survey = surveyed.fields[entity] ?? {}
    const sources = [...listSources(definition, surveyed).values()]
    const custom = offered?.customFields === 'any' ? [] : (offered?.customFields ?? [])
    return {
      entity,
      is_taken: offered !== undefined,
      is_included: mapping.changes.entities?.[entity]?.include !== false,
      takes_any_custom_field: offered?.customFields === 'any',
      fields: sources
        // A field that the source never fills is no loss and needs no decision.
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
  const defaultTo = defaultTarget(mapping.destination, entity, source)
  const claim = change?.to === undefined && defaultTo !== null ? findClaim(mapping.changes, entity, defaultTo) : null
  const takenBy = claim && 'field' in claim ? claim.field : null
  const combined = combinedInto(mapping.changes, entity, source.name)
  const values = describeValues(definition, { source, target, change, survey })
  const filled = survey?.filled ?? 0
  const isPlaced = target !== null || combined.length > 0
  const isUndecided = isPlaced
    ? target !== null && values.some(({ to, is_chosen }) => to === null && !is_chosen)
    : filled > 0 && change?.to !== null
  const isAsked = mapping.destination.entities[entity] && mapping.changes.entities?.[entity]?.include !== false
  return {
    name: source.name,
    label: source.label,
    type: source.type,
    many: source.many,
    filled,
    to: target?.name ?? combined[0] ?? null,
    default_to: defaultTo,
    fits: typesFor(typeAfter(source, change?.steps ?? []).type).filter((type) => type !== 'relation'),
    fits_links: source.type === 'relation' ? listLinks(mapping, definition, source) : [],
    taken_by: takenBy,
    combined_into: combined,
    takes_steps: fitsType(source.type, 'text') && definition.fields[source.name]?.audience === undefined,
    reason: isPlaced ? null : takenBy !== null ? 'left_out' : whyNowhere(mapping, entity, source),
    status: isUndecided && isAsked ? 'undecided' : isPlaced ? 'copied' : 'left_out',
    source_values: byCount(Object.entries(survey?.values ?? {})).map(([value, count]) => ({ value, count })),
    values: target ? values : values.map((value) => ({ ...value, to: null })),
  }
}

function listLinks({ destination }: Mapping, definition: EntityDefinition, source: SourceField): string[] {
  const offered = destination.entities[definition.name]
  const custom = offered && offered.customFields !== 'any' ? offered.customFields : []
  const targets = [
    ...Object.entries(offered?.fields ?? {}).map(([name, rule]) => ({ name, rule })),
    ...custom.map((rule) => ({ name: customName(rule.key), rule })),
  ]
  return targets.filter((target) => fitsTarget(definition, source, target)).map(({ name }) => name)
}

const byCount = (counts: [string, number][]) => counts.sort(([, a], [, b]) => b - a)

/** Lists the values of a field. Values that are equal after the steps count as one. */
function describeValues(
  { fields }: EntityDefinition,
  place: {
    source: SourceField
    target: Target | null
    change: FieldChange | undefined
    survey: FieldSurvey | undefined
  },
): DescribedValue[] {
  const { source, target, change, survey } = place
  const options = target?.rule.options ?? []
  const audience = target?.name === source.name ? fields[source.name]?.audience : undefined
  const counts = new Map<string, number>()
  for (const [value, count] of Object.entries(survey?.values ?? {})) {
    const after = change?.steps?.length ? (applySteps([value], change.steps)?.values ?? [value]) : [value]
    for (const one of after) counts.set(one, (counts.get(one) ?? 0) + count)
  }
  const chosen = change?.values ?? {}
  const becomes = (value: string) => {
    const isChosen = Object.hasOwn(chosen, value)
    const into = isChosen ? (chosen[value] ?? null) : value
    if (into === null || options.length === 0) return into
    return audience && !isChosen ? chooseOption(audience, into, options).option : closestFor(source.name, into, options)
  }
  return byCount([...counts]).map(([value, count]) => ({
    value,
    count,
    to: becomes(value),
    is_chosen: Object.hasOwn(chosen, value),
  }))
}

function whyNowhere(mapping: Mapping, entity: string, source: SourceField): DescribedField['reason'] {
  if (mapping.changes.entities?.[entity]?.fields?.[source.name]?.to === null) return 'left_out'
  return isExposed(mapping.destination, entity, source) ? 'not_protected' : 'not_offered'
}
