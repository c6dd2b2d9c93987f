import Type, { type Static, type TSchema } from 'typebox'
import type { RawRecord } from '../../kit/lens.ts'
import { takeFields } from '../../kit/take-fields.ts'
import { isMoment } from '../../kit/times.ts'

// The parts of REST 2.0's answers that we use. Unknown fields are accepted. Lists return ids as texts, single records
// as numbers. An empty value is an empty text, and an unset moment is the start of 1970.

const text = Type.String()
const idText = Type.Union([Type.String({ pattern: '^[1-9]\\d*$' }), Type.Integer({ minimum: 1 })])
const integer = Type.Union([Type.String({ pattern: '^-?\\d+$' }), Type.Integer()])
const integerOrNone = Type.Union([integer, Type.Literal('')])
const moment = Type.Refine(Type.String(), isMoment)
const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const each = <S extends TSchema, N extends string>(schema: S, ...names: N[]) =>
  Object.fromEntries(names.map((name) => [name, schema])) as { [K in N]: S }

/** A reference to another record. A user's id is the login name unless the request contains `fields[…]=id`. */
const reference = Type.Object({ type: text, id: Type.Union([text, Type.Integer()]) })
const references = Type.Array(reference)
const link = Type.Object({
  ref: text,
  type: Type.Optional(text),
  id: Type.Optional(Type.Union([text, Type.Integer()])),
  _url: Type.Optional(text),
})
const CustomFields = Type.Array(Type.Object({ id: idText, name: text, values: Type.Array(Type.Unknown()) }))
const stamps = { Created: moment, LastUpdated: moment }

export const schemas = {
  queue: {
    ...{ ...stamps, CustomFields, Name: text, Disabled: integer },
    ...each(orNull(text), 'Description', 'Lifecycle', 'SubjectTag', 'CorrespondAddress', 'CommentAddress'),
    ...each(references, 'Cc', 'AdminCc'),
    ...each(Type.Array(Type.Object({ id: idText, name: text })), 'TicketCustomFields', 'TicketTransactionCustomFields'),
  },
  user: {
    ...{ ...stamps, CustomFields, Name: text },
    ...each(orNull(text), 'RealName', 'NickName', 'Gecos', 'Signature', 'EmailAddress', 'Organization', 'Lang'),
    ...each(orNull(text), 'Timezone', 'Comments', 'FreeformContactInfo'),
    ...each(orNull(text), 'WorkPhone', 'MobilePhone', 'HomePhone', 'PagerPhone'),
    ...each(orNull(text), 'Address1', 'Address2', 'City', 'State', 'Zip', 'Country'),
    /** Only single records contain these fields, lists do not. */
    ...each(integerOrNone, 'Disabled', 'Privileged'),
  },
  ticket: {
    ...{ ...stamps, CustomFields, Status: text, Queue: reference, _hyperlinks: Type.Array(link) },
    ...each(orNull(text), 'Subject', 'SLA'),
    ...each(orNull(reference), 'Owner', 'Creator'),
    ...each(references, 'Requestor', 'Cc', 'AdminCc'),
    ...each(moment, 'Due', 'Starts', 'Started', 'Resolved'),
    ...each(integer, 'Priority', 'TimeWorked', 'TimeEstimated', 'TimeLeft'),
    FinalPriority: orNull(integerOrNone),
    CustomRoles: Type.Record(Type.String(), Type.Union([reference, references, Type.Null()])),
  },
  transaction: {
    ...{ CustomFields, Type: text, ObjectId: idText, Creator: orNull(reference), Created: moment },
    /** Only single records contain this field, lists do not. */
    Object: reference,
  },
  attachment: {
    TransactionId: idText,
    ContentLength: integer,
    ...each(text, 'ContentType', 'Filename', 'Headers', 'Content'),
  },
  customField: { ...each(text, 'Name', 'Type', 'LookupType'), MaxValues: integer, Values: Type.Array(text) },
  /** For records of which only the id is needed. */
  record: {},
}

export const createdSchema = Type.Object({ id: Type.Union([text, Type.Integer()]) })
export const listSchema = Type.Object({
  items: Type.Array(createdSchema),
  total: Type.Optional(orNull(Type.Integer())),
})
export const systemSchema = Type.Object({ Version: text, Plugins: Type.Optional(Type.Array(Type.Unknown())) })
export const messagesSchema = Type.Array(orNull(text))

export type Kind = keyof typeof schemas
export type Raw<K extends Kind> = { [N in keyof (typeof schemas)[K]]?: Static<(typeof schemas)[K][N] & TSchema> } & {
  id: string
}
export type RawCustomValues = Static<typeof CustomFields>
export type RawReference = Static<typeof reference>

/** The record's fields that have the expected type. */
export const take = <K extends Kind>(kind: K, given: RawRecord): Raw<K> =>
  ({ ...takeFields(schemas[kind] as Record<string, TSchema>, given), id: String(given.id) }) as Raw<K>

/**
 * Undefined for a moment that was never set, which Request Tracker sends as the start of 1970. Earlier moments are
 * undefined, too.
 */
export function readMoment(value: unknown): string | undefined {
  const text = String(value)
  const ms = Date.parse(/Z$|[+-]\d{2}:?\d{2}$/.test(text) ? text : `${text}Z`)
  return Number.isNaN(ms) || ms <= 0 ? undefined : new Date(ms).toISOString()
}
