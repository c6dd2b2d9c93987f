import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { ObstacleError, UnreadableAnswerError } from '../../../errors.ts'
import { TrytonRefusal } from './tryton-refusal.ts'
import { wireDate, wireDecimal, wireMoment } from './wire-values.ts'

// What Tryton sends, as far as we use it: the properties of each model are the fields that are asked for.

const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const id = Type.Integer({ minimum: 0 })
const link = orNull(id)
const ids = Type.Array(id)
const text = orNull(Type.String())
const stamps = { create_date: orNull(wireMoment), write_date: orNull(wireMoment) }
const sequence = orNull(Type.Integer())
const made = { ...stamps, create_uid: link }

export const schemas = {
  'party.party': Type.Object({ ...made, name: text, code: text, active: Type.Boolean(), lang: link, categories: ids }),
  'party.address': Type.Object({
    ...stamps,
    sequence,
    party: id,
    party_name: text,
    name: text,
    street: text,
    postal_code: text,
    city: text,
    country: link,
    subdivision: link,
    active: Type.Boolean(),
    invoice: orNull(Type.Boolean()),
    delivery: orNull(Type.Boolean()),
  }),
  'party.contact_mechanism': Type.Object({
    ...stamps,
    sequence,
    party: id,
    type: Type.String(),
    value: text,
    name: text,
    comment: text,
    active: Type.Boolean(),
  }),
  'party.identifier': Type.Object({ ...stamps, sequence, party: id, type: text, code: Type.String() }),
  'party.category': Type.Object({ ...made, name: text, rec_name: text }),
  'party.relation.all': Type.Object({ ...stamps, from_: id, to: id, type: id }),
  'party.relation.type': Type.Object({ name: text, reverse: link }),
  'sale.opportunity': Type.Object({
    ...made,
    number: text,
    reference: text,
    description: text,
    party: link,
    contact: link,
    address: link,
    payment_term: link,
    company: id,
    currency: link,
    amount: orNull(wireDecimal),
    employee: link,
    start_date: orNull(wireDate),
    end_date: orNull(wireDate),
    comment: text,
    lines: ids,
    conversion_probability: orNull(Type.Number()),
    lost_reason: text,
    state: Type.String(),
  }),
  'ir.note': Type.Object({ ...made, message: text, resource: text }),
  'ir.attachment': Type.Object({
    ...made,
    name: text,
    type: Type.String(),
    link: text,
    description: text,
    resource: text,
    file_id: text,
    data_size: orNull(Type.Integer({ minimum: 0 })),
  }),
  'res.user': Type.Object({ name: text, login: text, email: text, active: Type.Boolean(), employees: ids }),
  'company.employee': Type.Object({ company: link, party: id, end_date: orNull(wireDate) }),
  'company.company': Type.Object({ party: id, currency: link }),
  'country.country': Type.Object({ code: text, name: text }),
  'country.subdivision': Type.Object({ name: text, country: link }),
  'currency.currency': Type.Object({ code: text, digits: Type.Integer() }),
  'ir.lang': Type.Object({ code: text }),
  'ir.model': Type.Object({ model: Type.String() }),
}

export type Model = keyof typeof schemas
/** One row of an answer; all we know of it is that it has an id. */
export interface RawRow {
  id: number
}
/** The fields that were there and of the right type. */
export type Row<M extends Model> = Partial<Static<(typeof schemas)[M]>> & RawRow

export const fieldsOf = (model: Model): string[] => Object.keys((schemas[model] as TObject).properties)

/** Takes a row field by field, so that an odd one costs only itself. Names those that were left out. */
export function takeRow<M extends Model>(model: M, raw: RawRow): { row: Row<M>; odd: string[] } {
  const given = raw as unknown as Record<string, unknown>
  const taken: Record<string, unknown> = { id: raw.id }
  const odd: string[] = []
  for (const [name, schema] of Object.entries((schemas[model] as TObject).properties)) {
    if (given[name] === undefined) continue
    if (Check(schema, given[name])) taken[name] = given[name]
    else odd.push(name)
  }
  return { row: taken as Row<M>, odd }
}

const answer = Type.Object({ result: Type.Optional(Type.Unknown()), error: Type.Optional(Type.Unknown()) })
const userError = Type.Tuple([
  Type.Union([Type.Literal('UserError'), Type.Literal('UserWarning')]),
  Type.Array(Type.Unknown()),
])
const concurrency = Type.Tuple([Type.Literal('ConcurrencyException'), Type.Unknown()])

const odd = (what: string) => new UnreadableAnswerError(`Tryton answered with ${what} of an unknown shape`)

/** The result, or what Tryton has against the request. */
export function parseAnswer(json: unknown): unknown {
  if (!Check(answer, json)) throw odd('something')
  if (json.error === undefined || json.error === null) {
    if (!('result' in json)) throw odd('something')
    return json.result
  }
  if (Check(concurrency, json.error)) throw new TrytonRefusal('changed', 'It has been changed since.')
  if (Check(userError, json.error)) throw new TrytonRefusal('refused', sentenceOf(json.error))
  // A bare message of its program, which may quote anything.
  throw new TrytonRefusal('fault', 'Tryton stumbled over it and did not say why.')
}

/** An error holds message and description, a warning its name before them. Both come from outside, so they are cut. */
function sentenceOf([kind, parts]: Static<typeof userError>): string {
  const words = (kind === 'UserWarning' ? parts.slice(1, 3) : parts.slice(0, 2)).filter(
    (entry): entry is string => typeof entry === 'string' && entry.trim() !== '',
  )
  return words.join(' ').slice(0, 500) || 'Tryton refused it and did not say why.'
}

const sessionSchema = Type.Tuple([id, Type.String({ minLength: 1 })])
const loginError = Type.Tuple([Type.Literal('LoginException'), Type.Array(Type.Unknown())])

export function parseSession(json: unknown): [number, string] {
  if (Check(answer, json) && Check(loginError, json.error)) {
    throw new ObstacleError(
      'authorization_lost',
      'customer',
      'Tryton asks this user for more than a password. Please connect a user who signs in with a password alone.',
    )
  }
  const result = parseAnswer(json)
  // Tryton answers null, or an empty list, where other versions answer 401.
  if (result === null || result === false || (Array.isArray(result) && result.length === 0)) {
    throw new ObstacleError('authorization_lost', 'customer', 'Tryton does not know this user name and password.')
  }
  if (!Check(sessionSchema, result)) throw odd('a session')
  return result
}

const settings = Type.Object({
  company: Type.Optional(link),
  employee: Type.Optional(link),
  language: Type.Optional(text),
})

export interface Preferences {
  company: number | null
  employee: number | null
  language: string
}

export function parsePreferences(result: unknown): Preferences {
  if (!Check(settings, result)) throw odd('preferences')
  return { company: result.company ?? null, employee: result.employee ?? null, language: result.language ?? 'en' }
}

const rows = Type.Array(Type.Object({ id }))
const idList = Type.Array(Type.Integer({ minimum: 1 }))

export function parseRows(result: unknown): RawRow[] {
  if (!Check(rows, result)) throw odd('a list')
  return result
}

export function parseIds(result: unknown, count: number): number[] {
  if (!Check(idList, result) || result.length !== count) throw odd('ids')
  return result
}

export function parseCount(result: unknown): number {
  if (!Check(id, result)) throw odd('a number')
  return result
}
