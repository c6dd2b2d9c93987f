import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { plainNumber } from '../../kit/plain-number.ts'
import { each, orNull } from '../../kit/schema-parts.ts'
import { takeFields } from '../../kit/take-fields.ts'

// Tryton sends dates, moments, decimals and bytes as objects with a class name.

const part = Type.Integer()
const day = { year: part, month: part, day: part }
const time = { hour: part, minute: part, second: part, microsecond: part }
export const wireDate = Type.Object({ __class__: Type.Literal('date'), ...day })
export const wireMoment = Type.Object({ __class__: Type.Literal('datetime'), ...day, ...time })
export const wireDecimal = Type.Object({
  __class__: Type.Literal('Decimal'),
  decimal: Type.String({ pattern: '^-?\\d+(\\.\\d+)?([eE][+-]?\\d{1,3})?$' }),
})

type WireDate = Static<typeof wireDate>
type WireMoment = Static<typeof wireMoment>
type WireDecimal = Static<typeof wireDecimal>

export type Stamps = { [N in 'create_date' | 'write_date']?: WireMoment | null }

/** The version of a row: its time of change. */
export const stampOf = ({ write_date, create_date }: Stamps): string => JSON.stringify(write_date ?? create_date)

const pad = (number: number, width = 2) => String(number).padStart(width, '0')

export const readDate = ({ year, month, day }: Omit<WireDate, '__class__'>): string =>
  `${pad(year, 4)}-${pad(month)}-${pad(day)}`

/** Tryton's moments are in UTC. */
export const readMoment = (raw: WireMoment): string =>
  `${readDate(raw)}T${pad(raw.hour)}:${pad(raw.minute)}:${pad(raw.second)}.${pad(Math.floor(raw.microsecond / 1000), 3)}Z`

/** Returns plain digits, because Tryton may send `1E+3`. */
export const readDecimal = ({ decimal }: WireDecimal): string => plainNumber(decimal)

export function toWireDate(date: string): WireDate {
  const [year = 1, month = 1, day = 1] = date.slice(0, 10).split('-').map(Number)
  return { __class__: 'date', year, month, day }
}

export function toWireMoment(moment: string): WireMoment {
  const parts = new Date(moment).toISOString().split(/\D/).map(Number)
  const [year = 1, month = 1, day = 1, hour = 0, minute = 0, second = 0, milliseconds = 0] = parts
  return { __class__: 'datetime', year, month, day, hour, minute, second, microsecond: milliseconds * 1000 }
}

export const toWireDecimal = (decimal: string): WireDecimal => ({ __class__: 'Decimal', decimal })

/** Parses Tryton's reference to the parent of a note or file: `party.party,5`. */
export function readResource(resource: string | null | undefined): { model: string; id: number } | null {
  const [, model, id] = /^(party\.party|sale\.opportunity),(\d+)$/.exec(resource ?? '') ?? []
  return model === undefined ? null : { model, id: Number(id) }
}

// The parts of Tryton's answers that we use. We request exactly these fields.

const id = Type.Integer({ minimum: 0 })
const link = orNull(id)
const ids = Type.Array(id)
const text = orNull(Type.String())
const word = Type.String()
const active = Type.Boolean()
const sequence = orNull(Type.Integer())
const stamps = { create_date: orNull(wireMoment), write_date: orNull(wireMoment) }
const made = { ...stamps, create_uid: link }
const ofParty = { ...stamps, sequence, party: id }

export const schemas = {
  'party.party': { ...made, ...each(text, 'name', 'code'), active, lang: link, categories: ids },
  'party.address': {
    ...ofParty,
    ...each(text, 'party_name', 'name', 'street', 'postal_code', 'city'),
    ...each(link, 'country', 'subdivision'),
    active,
    ...each(orNull(Type.Boolean()), 'invoice', 'delivery'),
  },
  'party.contact_mechanism': { ...ofParty, type: word, ...each(text, 'value', 'name', 'comment'), active },
  'party.identifier': { ...ofParty, type: text, code: word },
  'party.category': { ...made, ...each(text, 'name', 'rec_name') },
  'party.relation.all': { ...stamps, ...each(id, 'from_', 'to', 'type') },
  'party.relation.type': { name: text, reverse: link },
  'sale.opportunity': {
    ...made,
    ...each(text, 'number', 'reference', 'description'),
    ...each(link, 'party', 'contact', 'address', 'payment_term'),
    company: id,
    currency: link,
    amount: orNull(wireDecimal),
    employee: link,
    ...each(orNull(wireDate), 'start_date', 'end_date'),
    comment: text,
    lines: ids,
    conversion_probability: orNull(Type.Number()),
    lost_reason: text,
    state: word,
  },
  'ir.note': { ...made, ...each(text, 'message', 'resource') },
  'ir.attachment': {
    ...made,
    name: text,
    type: word,
    ...each(text, 'link', 'description', 'resource', 'file_id'),
    data_size: link,
  },
  'res.user': { ...each(text, 'name', 'login', 'email'), active, employees: ids },
  'company.employee': { company: link, party: id, end_date: orNull(wireDate) },
  'company.company': { party: id, currency: link },
  'country.country': each(text, 'code', 'name'),
  'country.subdivision': { name: text, country: link },
  'currency.currency': { code: text, digits: Type.Integer() },
  'ir.lang': { code: text },
  'ir.model': { model: word },
  'ir.sequence': { ...each(text, 'prefix', 'suffix'), number_next: sequence },
}

export type Model = keyof typeof schemas

/** Tryton's model for each entity. Pipelines and stages are fixed and have none. */
export const models = {
  tags: 'party.category',
  accounts: 'party.party',
  contacts: 'party.party',
  relationships: 'party.relation.all',
  deals: 'sale.opportunity',
  notes: 'ir.note',
  attachments: 'ir.attachment',
} as const satisfies Record<string, Model>
export type Listed = keyof typeof models
export const modelOf = (entity: string): Model | undefined => models[entity as Listed]

/** A row before its check. Only its id is certain. */
export type RawRow = { id: number; [field: string]: unknown }
/** Holds the names of a row's fields that were left out because of their type. JSON, and so a version, has no symbols. */
export const odd = Symbol('odd')
/** A checked row: only fields that were present and of the right type. */
export type Row<M extends Model> = Partial<Static<TObject<(typeof schemas)[M]>>> & { id: number; [odd]?: string[] }

export const fieldsOf = (model: Model): string[] => Object.keys(schemas[model])

/** Checks a row field by field, so that an invalid field does not cost the whole row. */
export function takeRow<M extends Model>(model: M, raw: RawRow): Row<M> {
  const taken: object = takeFields<Record<string, TSchema>>(schemas[model], raw)
  const left = fieldsOf(model).filter((name) => raw[name] !== undefined && !(name in taken))
  return { id: raw.id, ...taken, ...(left.length > 0 && { [odd]: left }) } as Row<M>
}

export const shapes = {
  rows: Type.Array(Type.Object({ id })),
  count: id,
  preferences: Type.Partial(Type.Object({ company: link, employee: link, language: text })),
}
