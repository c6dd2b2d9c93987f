import Type, { type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import type { FieldType } from '../../service/src/families/definition.ts'
import type { FieldValue } from '../../service/src/families/record.ts'

// The shapes of families/record.ts, written again by hand, so that an error there cannot hide an error of a reader.

const closed = { additionalProperties: false }
const text = Type.String()
const optionalText = Type.Optional(text)
const isMoment = (value: string) => !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value
const isDay = (value: string) =>
  !Number.isNaN(Date.parse(value)) && new Date(value).toISOString().slice(0, 10) === value

export const momentSchema = Type.Refine(text, isMoment)

const shapes: Record<FieldType, TSchema> = {
  text,
  long_text: text,
  rich_text: Type.Object(
    {
      format: Type.Union(['plain', 'html', 'markdown', 'textile'].map((format) => Type.Literal(format))),
      body: text,
      inlineFiles: Type.Optional(Type.Array(Type.Object({ url: text, attachment: text }, closed))),
    },
    closed,
  ),
  integer: Type.Integer(),
  decimal: Type.Number(),
  boolean: Type.Boolean(),
  date: Type.Refine(text, isDay),
  datetime: momentSchema,
  option: text,
  email: Type.Object({ address: text, type: optionalText, isPrimary: Type.Optional(Type.Boolean()) }, closed),
  phone: Type.Object({ number: text, type: optionalText }, closed),
  url: text,
  money: Type.Object({ amount: Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' }), currency: text }, closed),
  address: Type.Object(
    {
      type: optionalText,
      line1: optionalText,
      line2: optionalText,
      city: optionalText,
      region: optionalText,
      postalCode: optionalText,
      country: optionalText,
    },
    closed,
  ),
  user: Type.Object({ userId: Type.String({ minLength: 1 }) }, closed),
  relation: Type.Object({ entity: text, sourceId: Type.String({ minLength: 1 }) }, closed),
}

/** True if the value fits a field of this type. */
export function hasShape(type: FieldType, many: boolean, value: FieldValue): boolean {
  if (value === null) return true
  return Check(many ? Type.Array(shapes[type]) : shapes[type], value)
}
