import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { wireDate, wireDecimal, wireMoment } from './wire-values.ts'

// The parts of Tryton's answers that we use. We request exactly these fields.

const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
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
const each = <S extends TSchema, N extends string>(schema: S, ...names: N[]) =>
  Object.fromEntries(names.map((name) => [name, schema])) as Record<N, S>

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
/** A row before its check. Only its id is certain. */
export type RawRow = { id: number; [field: string]: unknown }
/** A checked row: only fields that were present and of the right type. */
export type Row<M extends Model> = Partial<Static<TObject<(typeof schemas)[M]>>> & { id: number }

export const fieldsOf = (model: Model): string[] => Object.keys(schemas[model])

/** A checked row with the names of its invalid fields. */
export interface Taken<M extends Model> {
  row: Row<M>
  odd: string[]
}

/** Checks a row field by field, so that an invalid field does not cost the whole row. */
export function takeRow<M extends Model>(model: M, raw: RawRow): Taken<M> {
  const taken: Record<string, unknown> = { id: raw.id }
  const odd: string[] = []
  for (const [name, schema] of Object.entries<TSchema>(schemas[model])) {
    if (raw[name] === undefined) continue
    if (Check(schema, raw[name])) taken[name] = raw[name]
    else odd.push(name)
  }
  return { row: taken as Row<M>, odd }
}

/** Shapes of other answers. */
export const shapes = {
  rows: Type.Array(Type.Object({ id })),
  count: id,
  preferences: Type.Partial(Type.Object({ company: link, employee: link, language: text })),
}
