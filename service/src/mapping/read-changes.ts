import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import type { DestinationDescription } from '../connectors/contract.ts'
import { type FieldMessages, ValidationError } from '../errors.ts'
import { type Family, familyDefinitions } from '../families/index.ts'
import { customKey, type EntityChanges, type MappingChanges } from './changes.ts'
import { targetNamed } from './find-target.ts'
import { fitValue } from './fit-value.ts'

const name = Type.String({ minLength: 1, maxLength: 200 })
const value = Type.String({ maxLength: 1_000 })
const few = <S extends TSchema>(schema: S) =>
  Type.Record(Type.String({ maxLength: 1_000 }), schema, { maxProperties: 500 })
const moment = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?Z)?$' })

const schema = Type.Object(
  {
    entities: Type.Optional(
      few(
        Type.Object(
          {
            include: Type.Optional(Type.Boolean()),
            fields: Type.Optional(
              few(
                Type.Object(
                  {
                    to: Type.Optional(Type.Union([name, Type.Null()])),
                    values: Type.Optional(few(Type.Union([value, Type.Null()]))),
                  },
                  { additionalProperties: false },
                ),
              ),
            ),
            constants: Type.Optional(few(Type.Union([value, Type.Number(), Type.Boolean()]))),
            created_after: Type.Optional(moment),
            created_before: Type.Optional(moment),
            only: Type.Optional(few(Type.Array(value, { minItems: 1, maxItems: 500 }))),
            send_unprotected: Type.Optional(Type.Boolean()),
          },
          { additionalProperties: false },
        ),
      ),
    ),
    default_user: Type.Optional(Type.Union([name, Type.Null()])),
  },
  { additionalProperties: false },
)
const compiled = Compile(schema)

/** What a mapping is checked against. */
export interface MappingSides {
  family: Family
  destination: DestinationDescription
  /** Keys of the source's custom fields, by entity. */
  customKeys: Record<string, string[]>
  destinationUsers: ReadonlySet<string>
}

/** Changes that someone sent; everything in them exists on the side where it should. Throws ValidationError. */
export function readChanges(given: unknown, sides: MappingSides): MappingChanges {
  const [first] = compiled.Errors(given ?? {})
  if (first) {
    const path = first.instancePath.replace(/^\//, '').replaceAll('/', '.') || 'changes'
    throw new ValidationError({ [path]: [sayWhatFits(first)] })
  }
  const changes: Static<typeof schema> = (given ?? {}) as Static<typeof schema>
  const messages: FieldMessages = {}
  const complain = (path: string, message: string) => {
    messages[path] = [...(messages[path] ?? []), message]
  }
  for (const [entity, change] of Object.entries(changes.entities ?? {})) {
    checkEntity(entity, change as EntityChanges, sides, complain)
  }
  if (changes.default_user != null && !sides.destinationUsers.has(changes.default_user)) {
    complain('default_user', 'there is no such person in the destination')
  }
  if (Object.keys(messages).length > 0) throw new ValidationError(messages)
  return changes as MappingChanges
}

/** In words for whoever sent it. */
function sayWhatFits({ keyword, message, params }: TLocalizedValidationError): string {
  if (keyword === 'pattern') return 'must be a day or a moment, such as 2026-01-31 or 2026-01-31T08:00:00Z'
  if (keyword === 'additionalProperties') {
    return `must not hold ${JSON.stringify((params as { additionalProperties: string[] }).additionalProperties[0])}`
  }
  return keyword === 'anyOf' ? 'is of a kind that is not taken here' : message
}

type Complain = (path: string, message: string) => void

function checkEntity(entity: string, change: EntityChanges, sides: MappingSides, complain: Complain): void {
  const { family, destination, customKeys } = sides
  const path = `entities.${entity}`
  const definition = familyDefinitions[family].entities.find((candidate) => candidate.name === entity)
  if (!definition) {
    complain(path, `is not an entity of ${family}`)
    return
  }
  const offered = destination.entities[entity]
  const taken = new Map<string, string>()
  for (const [field, { to, values = {} }] of Object.entries(change.fields ?? {})) {
    const at = `${path}.fields.${field}`
    const key = customKey(field)
    const isThere = key === null ? Object.hasOwn(definition.fields, field) : customKeys[entity]?.includes(key)
    if (!isThere) complain(at, 'the source has no such field')
    if (to != null) {
      if (taken.has(to)) complain(`${at}.to`, `is filled by ${taken.get(to)} already`)
      taken.set(to, field)
    }
    const name = to === undefined ? field : to
    const target =
      name === null ? null : targetNamed(destination, entity, name, { label: field, type: 'text', many: false })
    if (to != null && !target) complain(`${at}.to`, 'the destination has no such field')
    const options = target?.rule.options ?? []
    for (const [from, into] of Object.entries(values)) {
      const isOffered = into === null || options.length === 0 || options.includes(into)
      if (!isOffered) complain(`${at}.values.${from}`, `must be one of ${options.join(', ')}`)
    }
  }
  for (const [field, constant] of Object.entries(change.constants ?? {})) {
    const rule = offered && Object.hasOwn(offered.fields, field) ? offered.fields[field] : undefined
    const at = `${path}.constants.${field}`
    if (!rule) complain(at, 'the destination has no such field')
    else if (rule.options.length > 0 && !rule.options.includes(String(constant))) {
      complain(at, `must be one of ${rule.options.join(', ')}`)
    } else if (fitValue(constant, rule) === undefined) complain(at, `does not fit a field of the type ${rule.type}`)
  }
  checkTimes(path, change, complain)
  checkRequired(path, entity, change, sides, complain)
  for (const field of Object.keys(change.only ?? {})) {
    if (!Object.hasOwn(definition.fields, field)) complain(`${path}.only.${field}`, 'the source has no such field')
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

/** What the destination insists on cannot be left out, unless something else fills it. */
function checkRequired(
  path: string,
  entity: string,
  { fields = {}, constants = {} }: EntityChanges,
  { destination }: MappingSides,
  complain: Complain,
): void {
  const filled = new Set([...Object.keys(constants), ...Object.values(fields).map(({ to }) => to)])
  for (const [field, { to }] of Object.entries(fields)) {
    const rule = destination.entities[entity]?.fields
    const isRequired = rule && Object.hasOwn(rule, field) && rule[field]?.required
    if (to !== undefined && to !== field && isRequired && !filled.has(field)) {
      complain(
        `${path}.fields.${field}.to`,
        'the destination insists on this field: send another field there, or a constant',
      )
    }
  }
}
