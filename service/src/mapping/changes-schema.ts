import { type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import type { MappingChanges } from '../db/mapping-changes.ts'
import { ValidationError } from '../errors.ts'

const name = Type.String({ minLength: 1, maxLength: 200 })
const value = Type.String({ maxLength: 1_000 })
const sign = Type.String({ minLength: 1, maxLength: 20 })
const few = <S extends TSchema>(schema: S, most = 500) =>
  Type.Record(Type.String({ maxLength: 1_000 }), schema, { maxProperties: most })
const moment = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?Z)?$' })
const closed = { additionalProperties: false }
const oneOf = (...values: string[]) => Type.Union(values.map((one) => Type.Literal(one)))

/** The parameters of each kind of step. An invalid step is reported by its kind, not as "none of these". */
const steps: Record<string, TSchema> = {
  replace: Type.Object(
    { do: Type.String(), find: Type.String({ minLength: 1, maxLength: 200 }), with: Type.String({ maxLength: 200 }) },
    closed,
  ),
  case: Type.Object({ do: Type.String(), as: oneOf('upper', 'lower', 'title', 'sentence') }, closed),
  split: Type.Object(
    { do: Type.String(), by: sign, part: Type.Optional(Type.Integer({ minimum: -100, maximum: 100 })) },
    closed,
  ),
  join: Type.Object({ do: Type.String(), by: Type.String({ maxLength: 20 }) }, closed),
  date: Type.Object(
    {
      do: Type.String(),
      read: oneOf('dmy', 'mdy', 'ymd'),
      write: Type.Optional(oneOf('yyyy-mm-dd', 'dd.mm.yyyy', 'dd/mm/yyyy', 'mm/dd/yyyy')),
    },
    closed,
  ),
}
const compiledSteps = Object.fromEntries(Object.entries(steps).map(([kind, schema]) => [kind, Compile(schema)]))

const field = Type.Object(
  {
    to: Type.Optional(Type.Union([name, Type.Null()])),
    steps: Type.Optional(Type.Array(Type.Object({ do: oneOf(...Object.keys(steps)) }), { maxItems: 10 })),
    values: Type.Optional(few(Type.Union([value, Type.Null()]))),
  },
  closed,
)

const combination = Type.Object(
  {
    fields: Type.Array(name, { minItems: 1, maxItems: 20, uniqueItems: true }),
    by: Type.String({ maxLength: 20 }),
    labels: Type.Optional(few(Type.String({ minLength: 1, maxLength: 200 }), 20)),
  },
  closed,
)

/** Maximum number of corrected records per entity. Defaults and steps are for more. */
export const mostCorrected = 500
const correction = Type.Union([Type.String({ maxLength: 10_000 }), Type.Number(), Type.Boolean()])

const entity = Type.Object(
  {
    include: Type.Optional(Type.Boolean()),
    fields: Type.Optional(few(field)),
    combined: Type.Optional(few(combination, 20)),
    constants: Type.Optional(few(Type.Union([value, Type.Number(), Type.Boolean()]))),
    created_after: Type.Optional(moment),
    created_before: Type.Optional(moment),
    only: Type.Optional(few(Type.Array(value, { minItems: 1, maxItems: 500 }))),
    corrections: Type.Optional(few(few(correction, 50), mostCorrected)),
    send_unprotected: Type.Optional(Type.Boolean()),
  },
  closed,
)

const compiled = Compile(
  Type.Object(
    { entities: Type.Optional(few(entity)), default_user: Type.Optional(Type.Union([name, Type.Null()])) },
    closed,
  ),
)

/** Checks only the shape of the changes, not whether the named fields exist. Throws ValidationError. */
export function parseChanges(given: unknown): MappingChanges {
  const [first] = compiled.Errors(given ?? {})
  if (first) refuse(first, '')
  const changes = (given ?? {}) as MappingChanges
  for (const [entityName, { fields = {} }] of Object.entries(changes.entities ?? {})) {
    for (const [fieldName, { steps: listed = [] }] of Object.entries(fields)) {
      for (const [index, step] of listed.entries()) {
        const [wrong] = compiledSteps[step.do]?.Errors(step) ?? []
        if (wrong) refuse(wrong, `entities.${entityName}.fields.${fieldName}.steps.${index}`)
        if ('part' in step && step.part === 0) {
          const path = `entities.${entityName}.fields.${fieldName}.steps.${index}.part`
          throw new ValidationError({ [path]: ['must be 1 for the first part, or -1 for the last'] })
        }
      }
    }
  }
  return changes
}

function refuse(error: TLocalizedValidationError, within: string): never {
  const path = error.instancePath.replace(/^\//, '').replaceAll('/', '.')
  throw new ValidationError({ [[within, path].filter(Boolean).join('.') || 'changes']: [sayWhatFits(error)] })
}

/** Describes the fault for the sender. */
function sayWhatFits({ keyword, message, params }: TLocalizedValidationError): string {
  if (keyword === 'pattern') return 'must be a day or a moment, such as 2026-01-31 or 2026-01-31T08:00:00Z'
  if (keyword === 'additionalProperties') {
    return `must not hold ${JSON.stringify((params as { additionalProperties: string[] }).additionalProperties[0])}`
  }
  if (keyword === 'const')
    return `must be ${JSON.stringify((params as { allowedValue: unknown }).allowedValue)} or another of its kind`
  return keyword === 'anyOf' ? 'is of a type that is not accepted here' : message
}
