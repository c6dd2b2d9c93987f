import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { wireDate, wireDecimal, wireMoment } from './wire-values.ts'

// The parts of Tryton's answers that we use. The properties of each schema are the fields that we request.

const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const id = Type.Integer({ minimum: 0 })
const link = orNull(id)
const ids = Type.Array(id)
const text = orNull(Type.String())
const stamps = { create_date: orNull(wireMoment), write_date: orNull(wireMoment) }
const sequence = orNull(Type.Integer())
const made = { ...stamps, create_uid: link }
const each = <S extends TSchema, N extends string>(schema: S, ...names: N[]) =>
  Object.fromEntries(names.map((name) => [name, schema])) as Record<N, S>

export const schemas = {
  'party.party': Type.Object({
    ...made,
    ...each(text, 'name', 'code'),
    active: Type.Boolean(),
    lang: link,
    categories: ids,
  }),
  'party.address': Type.Object({
    ...stamps,
    sequence,
    party: id,
    ...each(text, 'party_name', 'name', 'street', 'postal_code', 'city'),
    ...each(link, 'country', 'subdivision'),
    active: Type.Boolean(),
    ...each(orNull(Type.Boolean()), 'invoice', 'delivery'),
  }),
  'party.contact_mechanism': Type.Object({
    ...stamps,
    sequence,
    party: id,
    type: Type.String(),
    ...each(text, 'value', 'name', 'comment'),
    active: Type.Boolean(),
  }),
  'party.identifier': Type.Object({ ...stamps, sequence, party: id, type: text, code: Type.String() }),
  'party.category': Type.Object({ ...made, ...each(text, 'name', 'rec_name') }),
  'party.relation.all': Type.Object({ ...stamps, ...each(id, 'from_', 'to', 'type') }),
  'party.relation.type': Type.Object({ name: text, reverse: link }),
  'sale.opportunity': Type.Object({
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
    state: Type.String(),
  }),
  'ir.note': Type.Object({ ...made, ...each(text, 'message', 'resource') }),
  'ir.attachment': Type.Object({
    ...made,
    name: text,
    type: Type.String(),
    ...each(text, 'link', 'description', 'resource', 'file_id'),
    data_size: orNull(Type.Integer({ minimum: 0 })),
  }),
  'res.user': Type.Object({ ...each(text, 'name', 'login', 'email'), active: Type.Boolean(), employees: ids }),
  'company.employee': Type.Object({ company: link, party: id, end_date: orNull(wireDate) }),
  'company.company': Type.Object({ party: id, currency: link }),
  'country.country': Type.Object(each(text, 'code', 'name')),
  'country.subdivision': Type.Object({ name: text, country: link }),
  'currency.currency': Type.Object({ code: text, digits: Type.Integer() }),
  'ir.lang': Type.Object({ code: text }),
  'ir.sequence': Type.Object({ ...each(text, 'prefix', 'suffix'), number_next: sequence }),
  'ir.model': Type.Object({ model: Type.String() }),
}

export type Model = keyof typeof schemas
/** A row before its check. Only its id is certain. */
export type RawRow = { id: number; [field: string]: unknown }
/** A checked row: only fields that were present and of the right type. */
export type Row<M extends Model> = Partial<Static<(typeof schemas)[M]>> & { id: number }

export const fieldsOf = (model: Model): string[] => Object.keys((schemas[model] as TObject).properties)

/** A checked row with the names of its invalid fields. */
export interface Taken<M extends Model> {
  row: Row<M>
  odd: string[]
}

/** Checks a row field by field, so that an invalid field does not cost the whole row. */
export function takeRow<M extends Model>(model: M, raw: RawRow): Taken<M> {
  const taken: Record<string, unknown> = { id: raw.id }
  const odd: string[] = []
  for (const [name, schema] of Object.entries((schemas[model] as TObject).properties)) {
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
