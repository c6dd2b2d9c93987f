import type { CustomField, DestinationDescription, DestinationField } from '../connectors/contract/contract.ts'
import { customKey, customName, type MappingChanges } from '../db/mapping-changes.ts'
import type { FieldType } from '../families/definition.ts'
import { typeAfter } from './apply-steps.ts'
import { fitsType } from './fit-type.ts'

/** The target of a source field. */
export interface Target {
  /** The name in a mapping: `custom:<key>` for a custom field. */
  name: string
  rule: DestinationField
  /** For a custom field: its label in the destination. */
  label: string | null
}

/** The properties of a source field that decide its target. */
export interface SourceField {
  /** The name in a mapping. */
  name: string
  label: string
  type: FieldType
  many: boolean
  /** True if fewer people may see the field than the record. */
  isRestricted?: boolean | undefined
}

export interface Mapping {
  changes: MappingChanges
  destination: DestinationDescription
}

const targets = new WeakMap<Mapping, Map<string, Target | null>>()

/**
 * The same as `findTarget`, remembered for the family's own fields: a run asks for the same few with every record. A
 * mapping never changes; the customer's next choice makes a new one.
 */
export function targetOf(mapping: Mapping, entity: string, source: SourceField): Target | null {
  if (customKey(source.name) !== null) return findTarget(mapping, entity, source)
  const known = targets.get(mapping) ?? new Map<string, Target | null>()
  targets.set(mapping, known)
  const place = `${entity}.${source.name}`
  const target = known.get(place)
  if (target !== undefined) return target
  const found = findTarget(mapping, entity, source)
  known.set(place, found)
  return found
}

/** The field's target: the customer's choice, otherwise the default. Null if it has none. */
export function findTarget(mapping: Mapping, entity: string, source: SourceField): Target | null {
  const changes = mapping.changes.entities?.[entity]?.fields ?? {}
  const change = Object.hasOwn(changes, source.name) ? changes[source.name] : undefined
  const name = change?.to === undefined ? defaultTarget(mapping.destination, entity, source) : change.to
  if (name === null || (change?.to === undefined && findClaim(mapping.changes, entity, name) !== null)) return null
  return targetNamed(mapping.destination, entity, name, { ...source, ...typeAfter(source, change?.steps ?? []) })
}

/**
 * The source field or fields that the customer mapped to this target. The target is then no default for other fields.
 */
export function findClaim(changes: MappingChanges, entity: string, target: string): Claim | null {
  const { fields = {}, combined = {} } = changes.entities?.[entity] ?? {}
  if (Object.hasOwn(combined, target)) return { combined: combined[target]?.fields ?? [] }
  const claiming = Object.entries(fields).find(([, { to }]) => to === target)
  return claiming ? { field: claiming[0] } : null
}

export type Claim = { field: string } | { combined: string[] }

/** Combined fields of the destination that include this field. */
export function combinedInto(changes: MappingChanges, entity: string, field: string): string[] {
  const combined = changes.entities?.[entity]?.combined ?? {}
  return Object.keys(combined).filter((target) => combined[target]?.fields.includes(field))
}

/**
 * The default target: the field with the same name. For a custom field, the field with the same key or label, or a new
 * one if the destination accepts any. A field that only some people see goes only to a field that only some people see.
 */
export function defaultTarget(destination: DestinationDescription, entity: string, source: SourceField): string | null {
  return isExposed(destination, entity, source) ? null : likeTarget(destination, entity, source)
}

/** True if the default target would show a restricted field to everyone who sees the record. */
export function isExposed(destination: DestinationDescription, entity: string, source: SourceField): boolean {
  if (!source.isRestricted) return false
  const name = likeTarget(destination, entity, source)
  const offered = destination.entities[entity]?.customFields ?? []
  if (name === null) return false
  return offered === 'any' || !offered.some(({ key, isRestricted }) => customName(key) === name && isRestricted)
}

function likeTarget(destination: DestinationDescription, entity: string, source: SourceField): string | null {
  const offered = destination.entities[entity]
  const key = customKey(source.name)
  if (!offered) return null
  if (key === null) return Object.hasOwn(offered.fields, source.name) ? source.name : null
  if (offered.customFields === 'any') return source.name
  const label = source.label.trim().toLowerCase()
  const same =
    offered.customFields.find((field) => field.key === key && fitsType(source.type, field.type)) ??
    offered.customFields.find(
      (field) => field.label.trim().toLowerCase() === label && fitsType(source.type, field.type),
    )
  return same ? customName(same.key) : null
}

/** The target with this name. Null if the destination has no such field. */
export function targetNamed(
  destination: DestinationDescription,
  entity: string,
  name: string,
  source: Pick<SourceField, 'label' | 'type' | 'many'>,
): Target | null {
  const offered = destination.entities[entity]
  const key = customKey(name)
  if (!offered) return null
  if (key === null) {
    const rule = Object.hasOwn(offered.fields, name) ? offered.fields[name] : undefined
    return rule ? { name, rule, label: null } : null
  }
  if (offered.customFields === 'any') {
    const { label, type, many } = source
    return { name, label, rule: { type, many, required: false, maxLength: null, options: [] } }
  }
  const field = offered.customFields.find((candidate) => candidate.key === key)
  return field ? { name, label: field.label, rule: toRule(field) } : null
}

function toRule({ type, many, options }: CustomField): DestinationField {
  return { type, many, required: false, maxLength: null, options }
}
