import { type TSchema, Type } from 'typebox'
import { Errors } from 'typebox/value'
import { hasShape } from './kit/has-shape.ts'
import { sayThrown } from './kit/say-thrown.ts'
import { isTooLong, tooLong } from './too-long.ts'

const text = Type.String({ minLength: 1 })
const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
/** The largest count that the database stores. */
const count = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })
const oneOf = (...words: string[]) => Type.Union(words.map((word) => Type.Literal(word)))
const record = (value: TSchema) => Type.Record(Type.String(), value)
const page = (item: TSchema) => Type.Object({ items: Type.Array(item, { maxItems: 10_000 }), next: orNull(text) })

const fieldType = oneOf(
  ...['text', 'long_text', 'rich_text', 'integer', 'decimal', 'boolean', 'date', 'datetime', 'option'],
  ...['email', 'phone', 'url', 'money', 'address', 'user', 'relation'],
)
const customField = Type.Object({
  key: text,
  label: Type.String(),
  type: fieldType,
  many: Type.Boolean(),
  options: Type.Array(Type.String()),
})
const stored = {
  fields: record(Type.Unknown()),
  customFields: record(Type.Unknown()),
  createdAt: Type.Optional(orNull(Type.String())),
  updatedAt: Type.Optional(orNull(Type.String())),
}
const inside = Type.Object({
  ...{ ids: Type.Array(Type.Array(text)), own: count },
  looks: Type.Optional(Type.Array(Type.String())),
})
const account = Type.Object({
  name: Type.String(),
  id: Type.Optional(orNull(Type.String())),
  families: Type.Optional(Type.Array(Type.String())),
})

/** The parts of each answer that the engine relies on. `vet-pages.ts` and `vet-outcomes.ts` check the others. */
const shapes: Readonly<Record<string, TSchema>> = {
  checkAccount: account,
  count: record(orNull(count)),
  countSkipped: record(count),
  users: page(Type.Object({ id: text, name: Type.String(), email: orNull(Type.String()), isActive: Type.Boolean() })),
  customFields: Type.Array(customField),
  findIds: Type.Array(Type.String()),
  findGone: Type.Array(Type.String()),
  after: orNull(text),
  cost: Type.Number({ minimum: 0, maximum: 1e9 }),
  'oauth.at': Type.Object({
    issuer: text,
    authorization: text,
    token: text,
    revocation: Type.Optional(text),
    ownRevocation: Type.Optional(Type.Object({ method: oneOf('POST', 'DELETE'), url: text })),
    parameters: Type.Optional(record(Type.String())),
  }),
  'oauth.isGrantLost': Type.Boolean(),
  follow: orNull(
    Type.Object({
      url: Type.String(),
      to: Type.Array(Type.Union([Type.Object({ entity: text, sourceId: text }), Type.Object({ sourceUrl: text })])),
    }),
  ),
  openFile: Type.Object({
    size: orNull(Type.Integer({ minimum: 0 })),
    contentType: orNull(Type.String()),
    // Anything that streams: a stream of another copy of the library is one, too.
    body: Type.Refine(Type.Unknown(), isStream, () => 'must be a stream'),
  }),
  describe: Type.Object({
    account,
    capabilities: Type.Object({
      delete: Type.Boolean(),
      silentCreate: Type.Boolean(),
      backdate: Type.Boolean(),
      createField: Type.Boolean(),
    }),
    textFormat: oneOf('plain', 'html', 'markdown', 'textile', 'redmine_markdown'),
    maxFileBytes: orNull(Type.Number({ minimum: 0 })),
    entities: record(
      Type.Object({
        fields: record(
          Type.Object({
            type: fieldType,
            many: Type.Boolean(),
            required: Type.Boolean(),
            maxLength: orNull(Type.Integer({ minimum: 1 })),
            options: Type.Array(Type.String()),
          }),
        ),
        customFields: Type.Union([Type.Literal('any'), Type.Array(customField)]),
      }),
    ),
  }),
  find: Type.Array(
    Type.Object({
      ...{ ...stored, url: orNull(Type.String()), version: orNull(Type.String()) },
      inside: Type.Optional(inside),
    }),
  ),
  countOthers: Type.Array(Type.Object({ key: text, destinationId: text, inside })),
  asStored: Type.Object(stored),
  preflight: Type.Array(
    Type.Object({ code: text, isFine: Type.Boolean(), isBlocking: Type.Boolean(), message: Type.String() }),
  ),
}

function isStream(value: unknown): boolean {
  const { pipe, destroy } = (value ?? {}) as Record<string, unknown>
  return typeof pipe === 'function' && typeof destroy === 'function'
}

/** Answers that are no data: readers, writers and streams. */
const unmeasured = new Set(['open', 'openFile'])
/** Outcomes, which may hold errors. */
const withErrors = new Set(['write', 'writeFile'])

/**
 * A copy of a connector's answer, or its impossible part with its place. The copy is plain data: reading it again
 * runs no code of the connector.
 */
export function takeAnswer(call: string, given: unknown): { answer: unknown } | { wrong: string } {
  try {
    if (unmeasured.has(call)) return findWrong(call, given) ?? { answer: given }
    if (isTooLong([given])) return { wrong: tooLong }
    const answer = withErrors.has(call) ? copyOutcomes(given) : structuredClone(given)
    const strange = withErrors.has(call) ? null : findStrange(answer)
    if (strange !== null) return { wrong: `a value that is no plain data at ${strange.slice(0, 100)}` }
    return findWrong(call, answer) ?? { answer }
  } catch (error) {
    return { wrong: `something that is no plain data: ${sayThrown(error).slice(0, 100)}` }
  }
}

const copyOutcomes = (given: unknown): unknown =>
  Array.isArray(given) ? Array.from(given, copyOutcome) : copyOutcome(given)
function copyOutcome(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given
  // The engine recognizes an error by its class, so the error itself is handed on.
  const { error, ...rest } = given as { error?: unknown }
  return { ...structuredClone(rest), ...(error !== undefined && { error }) }
}

/**
 * The place of a value that JSON cannot hold, such as a date or a map; null if there is none. Drops NUL from the texts of
 * our copy, because no database keeps it.
 */
function findStrange(value: unknown): string | null {
  if (typeof value === 'bigint') return ''
  if (typeof value !== 'object' || value === null) return null
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return ''
  for (const [name, one] of Object.entries(value)) {
    if (typeof one === 'string' && one.includes('\0')) Object.assign(value, { [name]: one.replaceAll('\0', '') })
    const place = findStrange(one)
    if (place !== null) return place === '' ? name : `${name}.${place}`
  }
  return null
}

function findWrong(call: string, answer: unknown): { wrong: string } | null {
  const schema = shapes[call]
  if (schema === undefined || hasShape(schema, answer)) return null
  const [first] = Errors(schema, answer)
  const place = first?.instancePath.slice(1).replaceAll('/', '.').slice(0, 100)
  return { wrong: `a wrong value${place ? ` at ${place}` : ''}, which ${first?.message ?? 'has another shape'}` }
}
