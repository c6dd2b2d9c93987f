import { customKey, customName, type FieldChange, type MappingChanges } from '../db/mapping-changes.ts'
import type { EntityDefinition, FieldType } from '../families/definition.ts'
import { typeAfter } from './apply-steps.ts'
import { defaultTarget, findTarget, type SourceField, type Target, targetNamed } from './find-target.ts'
import { fitsTarget, fitsType } from './fit-type.ts'
import type { MappingSides } from './read-changes.ts'
import { typeWords } from './type-words.ts'

export type Complain = (path: string, message: string) => void

interface Check {
  changes: MappingChanges
  sides: MappingSides
  complain: Complain
}

const textTypes = ['text', 'long_text', 'rich_text']

/** Checks that every named field exists, fits its target, and does not displace another field. */
export function checkFields(definition: EntityDefinition, { changes, sides, complain }: Check): void {
  const { name: entity } = definition
  const path = `entities.${entity}`
  const { destination } = sides
  const { fields = {}, combined = {} } = changes.entities?.[entity] ?? {}
  const mapping = { changes, destination }
  const sources = listSources(definition, sides)
  const owners = listOwners()
  const taken = new Map<string, string>()
  for (const [field, change] of Object.entries(fields)) {
    const at = `${path}.fields.${field}`
    const source = sources.get(field)
    if (!source) {
      complain(at, 'the source has no such field')
      continue
    }
    const target = findTarget(mapping, entity, source)
    checkSteps(at, definition, { change, source, target, complain })
    checkValues(at, change, target, complain)
    const { to } = change
    if (to == null) continue
    if (taken.has(to)) complain(`${at}.to`, `is filled by ${taken.get(to)} already`)
    taken.set(to, field)
    const stepped = { name: field, ...typeAfter(source, change.steps ?? []) }
    if (!target) complain(`${at}.to`, 'the destination has no such field')
    else if (!fitsTarget(definition, stepped, target)) complain(`${at}.to`, sayUnfit(stepped.type, target))
    else if (Object.hasOwn(combined, to)) complain(`${at}.to`, 'is filled by several fields together')
    else checkOwner(`${at}.to`, to)
  }
  checkCombined()
  checkRequired()

  /** For each field of the destination, the source field that has it as default target. */
  function listOwners(): Map<string, string> {
    const isThere = (name: string) => customKey(name) !== null || sides.filled[entity]?.includes(name)
    const own = [...sources.values()].filter(({ name }) => fields[name]?.to === undefined && isThere(name))
    return new Map(
      own.flatMap((source) => {
        const to = defaultTarget(destination, entity, source)
        return to === null ? [] : [[to, source.name] as const]
      }),
    )
  }

  /** Complains if another source field has this default target, so that it is not replaced silently. */
  function checkOwner(at: string, to: string, isMeant: (owner: string) => boolean = () => false): void {
    const owner = owners.get(to)
    if (owner !== undefined && !isMeant(owner)) {
      complain(at, `is filled by ${owner}: leave that field out or send it elsewhere first`)
    }
  }

  function checkCombined(): void {
    for (const [name, { fields: parts, labels = {} }] of Object.entries(combined)) {
      const at = `${path}.combined.${name}`
      const target = targetNamed(destination, entity, name, { label: name, type: 'text', many: false })
      if (!target) complain(at, 'the destination has no such field')
      else if (!textTypes.includes(target.rule.type)) complain(at, 'several fields fit only into a text')
      else checkOwner(at, name, (owner) => parts.includes(owner))
      for (const part of parts) {
        const source = sources.get(part)
        if (!source) complain(`${at}.fields`, `the source has no field ${part}`)
        else if (!fitsType(source.type, 'text'))
          complain(`${at}.fields`, `${part} is no text and cannot be part of one`)
      }
      const stray = Object.keys(labels).find((label) => !parts.includes(label))
      if (stray !== undefined) complain(`${at}.labels.${stray}`, 'is not one of the fields')
    }
  }

  /** A required field must not be left out, unless another field or a default fills it. */
  function checkRequired(): void {
    const { constants = {} } = changes.entities?.[entity] ?? {}
    const rules = destination.entities[entity]?.fields ?? {}
    for (const [field, { to }] of Object.entries(fields)) {
      const isRequired = Object.hasOwn(rules, field) && rules[field]?.required
      const isFilled =
        Object.hasOwn(constants, field) ||
        Object.hasOwn(combined, field) ||
        Object.values(fields).some((other) => other.to === field)
      if (to !== undefined && to !== field && isRequired && !isFilled) {
        complain(
          `${path}.fields.${field}.to`,
          'the destination requires this field: send another field there, or set a default',
        )
      }
    }
  }
}

/** Every field that a record of the source can have. */
export function listSources({ name, fields }: EntityDefinition, sides: Pick<MappingSides, 'customFields'>) {
  const own = Object.entries(fields).map(([field, { type, many = false }]) => ({
    name: field,
    label: field,
    type,
    many,
  }))
  const custom = (sides.customFields[name] ?? []).map(({ key, label, type, many, isRestricted }) => ({
    name: customName(key),
    label,
    type,
    many,
    isRestricted,
  }))
  return new Map([...own, ...custom].map((source): [string, SourceField] => [source.name, source]))
}

function sayUnfit(type: FieldType, { name, rule }: Target): string {
  return type === rule.type
    ? `does not fit: ${name} refers to another kind of record`
    : `does not fit: ${typeWords[type]} cannot become ${typeWords[rule.type]}`
}

interface FieldCheck {
  change: FieldChange
  source: SourceField
  target: Target | null
  complain: Complain
}

function checkSteps(at: string, { fields }: EntityDefinition, { change, source, target, complain }: FieldCheck): void {
  if (!change.steps?.length) return
  if (!fitsType(source.type, 'text')) complain(`${at}.steps`, 'this field holds no text that could be changed')
  else if (fields[source.name]?.audience) {
    complain(`${at}.steps`, 'this field controls who may see a record: choose under values what each value becomes')
  } else if (source.type === 'rich_text' && target?.rule.type === 'rich_text') {
    complain(`${at}.steps`, 'a text with formatting can be changed only on its way into a plain text field')
  } else if (target && !fitsType(typeAfter(source, change.steps).type, target.rule.type)) {
    complain(`${at}.steps`, sayUnfit(typeAfter(source, change.steps).type, target))
  }
}

function checkValues(at: string, { values = {} }: FieldChange, target: Target | null, complain: Complain): void {
  const options = target?.rule.options ?? []
  for (const [from, into] of Object.entries(values)) {
    const isOffered = into === null || options.length === 0 || options.includes(into)
    if (!isOffered) complain(`${at}.values.${from}`, `must be one of ${options.join(', ')}`)
  }
}
