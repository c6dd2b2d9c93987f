import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { breaksProtocol } from './break-protocol.ts'

/**
 * The parts of a destination's answers that we use. Unknown properties are allowed. See docs/destination-protocol.md.
 */

const fieldType = Type.Union([
  Type.Literal('text'),
  Type.Literal('long_text'),
  Type.Literal('rich_text'),
  Type.Literal('integer'),
  Type.Literal('decimal'),
  Type.Literal('boolean'),
  Type.Literal('date'),
  Type.Literal('datetime'),
  Type.Literal('option'),
  Type.Literal('email'),
  Type.Literal('phone'),
  Type.Literal('url'),
  Type.Literal('money'),
  Type.Literal('address'),
  Type.Literal('user'),
  Type.Literal('relation'),
])
const id = Type.String({ minLength: 1, maxLength: 255 })
const version = Type.String({ minLength: 1, maxLength: 255 })
const url = Type.Optional(Type.Union([Type.String({ maxLength: 4096 }), Type.Null()]))
const moment = Type.Optional(Type.Union([Type.String(), Type.Null()]))
const values = Type.Record(Type.String(), Type.Unknown())
const customValues = Type.Record(Type.String(), Type.Object({ value: Type.Unknown() }))

const field = Type.Object({
  type: fieldType,
  required: Type.Optional(Type.Boolean()),
  many: Type.Optional(Type.Boolean()),
  max_length: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])),
  options: Type.Optional(Type.Array(Type.String())),
})
const customField = Type.Object({
  key: Type.String({ minLength: 1 }),
  label: Type.String(),
  type: fieldType,
  many: Type.Optional(Type.Boolean()),
  options: Type.Optional(Type.Array(Type.String())),
})

export const describeSchema = Type.Object({
  protocol: Type.Literal(1),
  account: Type.Object({ name: Type.String({ minLength: 1 }), id: Type.Optional(id) }),
  families: Type.Array(Type.String(), { minItems: 1 }),
  text_format: Type.Union([Type.Literal('html'), Type.Literal('markdown'), Type.Literal('plain')]),
  limits: Type.Object({
    batch: Type.Integer({ minimum: 1, maximum: 1000 }),
    concurrency: Type.Integer({ minimum: 1, maximum: 64 }),
    file_bytes: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])),
    late_ms: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 3_600_000 }), Type.Null()])),
  }),
  capabilities: Type.Object({
    silent: Type.Boolean(),
    backdate: Type.Boolean(),
    revisions: Type.Optional(Type.Boolean()),
    conditional: Type.Optional(Type.Boolean()),
  }),
  entities: Type.Record(
    Type.String(),
    Type.Object({
      fields: Type.Record(Type.String(), field),
      custom_fields: Type.Optional(Type.Union([Type.Literal('any'), Type.Array(customField)])),
      carries: Type.Optional(
        Type.Union([Type.Record(Type.String(), Type.Integer({ minimum: 1, maximum: 1000 })), Type.Null()]),
      ),
    }),
  ),
})

export const usersSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      id,
      name: Type.String(),
      email: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      active: Type.Optional(Type.Boolean()),
    }),
  ),
  next: Type.Optional(Type.Union([Type.String({ minLength: 1 }), Type.Null()])),
})

const refused = Type.Object({
  result: Type.Literal('refused'),
  code: Type.String({ minLength: 1 }),
  message: Type.String(),
  field: Type.Optional(Type.String()),
})
const kept = Type.Object({
  result: Type.Union([Type.Literal('created'), Type.Literal('updated')]),
  id,
  url,
  version,
})
const outdated = Type.Object({ result: Type.Literal('outdated'), revision: Type.Integer() })
/** For a record sent with a version: the stored version differs, or the record does not exist. */
const changed = Type.Object({ result: Type.Literal('changed') })
const missing = Type.Object({ result: Type.Literal('missing') })
const named = Type.Object({ external_id: Type.String() })

/** The outcome of a record inside another record. */
const part = Type.Union([
  Type.Intersect([named, kept]),
  Type.Intersect([named, refused]),
  Type.Intersect([named, outdated]),
])

export const writeSchema = Type.Object({
  results: Type.Array(
    Type.Union([
      Type.Intersect([named, kept, Type.Object({ parts: Type.Optional(Type.Array(part)) })]),
      Type.Intersect([named, refused]),
      Type.Intersect([named, outdated]),
      Type.Intersect([named, changed]),
      Type.Intersect([named, missing]),
    ]),
  ),
})

export const findSchema = Type.Object({
  records: Type.Array(
    Type.Object({
      external_id: Type.String(),
      id,
      url,
      version,
      fields: values,
      custom_fields: Type.Optional(Type.Union([customValues, Type.Null()])),
      created_at: moment,
      updated_at: moment,
    }),
  ),
})

export const deleteSchema = Type.Object({
  results: Type.Array(
    Type.Object({
      external_id: Type.String(),
      result: Type.Union([Type.Literal('deleted'), Type.Literal('missing'), Type.Literal('changed')]),
    }),
  ),
})

export const fileSchema = Type.Union([
  Type.Intersect([
    kept,
    Type.Object({ size: Type.Integer({ minimum: 0 }), sha256: Type.String({ pattern: '^[0-9a-fA-F]{64}$' }) }),
  ]),
  refused,
  outdated,
  changed,
  missing,
])

export type Description = Static<typeof describeSchema>
export type WriteResult = Static<typeof writeSchema>['results'][number]
export type PartResult = Static<typeof part>
/** The result of a record that was written. */
export type KeptResult = Extract<WriteResult, { result: 'created' | 'updated' }>
export type FoundResult = Static<typeof findSchema>['records'][number]
export type FileResult = Static<typeof fileSchema>

export interface AnswerCheck<T> {
  /** The first fault, for the developers of the destination; null if there is none. */
  findFault(answer: unknown): string | null
  /**
   * Returns a valid answer. Throws a RetryableError for an invalid one: a later answer may be valid, and an invalid one
   * never counts as success.
   */
  read(answer: unknown): T
}

function checkFor<S extends TSchema>(what: string, schema: S): AnswerCheck<Static<S>> {
  const validator = Compile(schema)
  const findFault = (answer: unknown): string | null => {
    if (validator.Check(answer)) return null
    const [first] = validator.Errors(answer)
    return `${what}: ${first?.instancePath || 'the answer'} ${first?.message ?? 'is not as described'}`
  }
  return {
    findFault,
    read(answer) {
      const fault = findFault(answer)
      if (fault !== null) throw breaksProtocol(fault)
      return answer as Static<S>
    },
  }
}

export const answers = {
  describe: checkFor('GET /describe', describeSchema),
  users: checkFor('GET /users', usersSchema),
  write: checkFor('PUT /records', writeSchema),
  find: checkFor('POST /records/…/find', findSchema),
  remove: checkFor('POST /records/…/delete', deleteSchema),
  file: checkFor('PUT /files', fileSchema),
}
