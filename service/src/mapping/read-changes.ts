import type { CustomField, DestinationDescription } from '../connectors/contract/contract.ts'
import type { EntityChanges, MappingChanges } from '../db/mapping-changes.ts'
import { type FieldMessages, ValidationError } from '../errors.ts'
import type { EntityDefinition } from '../families/definition.ts'
import { type Family, familyDefinitions } from '../families/index.ts'
import { parseChanges } from './changes-schema.ts'
import { checkCorrections } from './check-corrections.ts'
import { type Complain, checkFields } from './check-fields.ts'
import { targetNamed } from './find-target.ts'
import { fitValue } from './fit-value.ts'
import { typeWords } from './type-words.ts'

/** The data against which a mapping is checked. */
export interface MappingSides {
  family: Family
  destination: DestinationDescription
  /** The source's custom fields, by entity. */
  customFields: Record<string, CustomField[]>
  /** Fields of the family that the source fills, by entity. */
  filled: Record<string, readonly string[]>
  destinationUsers: ReadonlySet<string>
}

/** Validates changes: every named field, value and person must exist and fit. Throws ValidationError. */
export function readChanges(given: unknown, sides: MappingSides): MappingChanges {
  const changes = parseChanges(given)
  const messages = checkChanges(changes, sides)
  if (Object.keys(messages).length > 0) throw new ValidationError(messages)
  return changes
}

/** Errors in the changes, by path. */
export function checkChanges(changes: MappingChanges, sides: MappingSides): FieldMessages {
  const messages: FieldMessages = {}
  const complain: Complain = (path, message) => {
    messages[path] = [...(messages[path] ?? []), message]
  }
  for (const [entity, change] of Object.entries(changes.entities ?? {})) {
    const definition = familyDefinitions[sides.family].entities.find(({ name }) => name === entity)
    if (definition) checkEntity(definition, change, { changes, sides, complain })
    else complain(`entities.${entity}`, `is not an entity of ${sides.family}`)
  }
  if (changes.default_user != null && !sides.destinationUsers.has(changes.default_user)) {
    complain('default_user', 'there is no such person in the destination')
  }
  return messages
}

function checkEntity(
  definition: EntityDefinition,
  change: EntityChanges,
  { changes, sides, complain }: { changes: MappingChanges; sides: MappingSides; complain: Complain },
): void {
  const { name: entity } = definition
  const path = `entities.${entity}`
  checkFields(definition, { changes, sides, complain })
  checkConstants(path, entity, change, sides, complain)
  checkCorrections(definition, change, sides, complain)
  checkTimes(path, change, complain)
  for (const field of Object.keys(change.only ?? {})) {
    if (!Object.hasOwn(definition.fields, field)) complain(`${path}.only.${field}`, 'the source has no such field')
  }
}

function checkConstants(
  path: string,
  entity: string,
  { constants = {} }: EntityChanges,
  { destination }: MappingSides,
  complain: Complain,
): void {
  for (const [field, constant] of Object.entries(constants)) {
    const at = `${path}.constants.${field}`
    const rule = targetNamed(destination, entity, field, { label: field, type: 'text', many: false })?.rule
    if (!rule) complain(at, 'the destination has no such field')
    else if (rule.options.length > 0 && !rule.options.includes(String(constant))) {
      complain(at, `must be one of ${rule.options.join(', ')}`)
    } else if (fitValue(constant, rule) === undefined)
      complain(at, `does not fit a field that holds ${typeWords[rule.type]}`)
  }
}

function checkTimes(path: string, { created_after, created_before }: EntityChanges, complain: Complain): void {
  const isReal = (moment: string) => {
    const date = new Date(moment)
    return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(moment.slice(0, 10))
  }
  for (const [name, moment] of Object.entries({ created_after, created_before })) {
    if (moment !== undefined && !isReal(moment)) complain(`${path}.${name}`, 'is no day of the calendar')
  }
  const isTurned = created_after !== undefined && created_before !== undefined && created_after >= created_before
  if (isTurned) complain(`${path}.created_after`, 'must be before created_before')
}
