import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { UnreadableAnswerError } from '../../errors.ts'

// What REST 2.0 sends, as far as we use it. Fields that we do not know pass. Lists give ids as texts, single records as
// numbers; what is empty comes as an empty text, and a moment that was never set as the beginning of 1970.

const text = Type.String()
const idText = Type.Union([Type.String({ pattern: '^[1-9]\\d*$' }), Type.Integer({ minimum: 1 })])
const integer = Type.Union([Type.String({ pattern: '^-?\\d+$' }), Type.Integer()])
const moment = Type.Refine(
  Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T' }),
  (value) => !Number.isNaN(Date.parse(value)),
)
const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** Another record. The id of a user is its login unless we asked for `fields[…]=id`. */
const reference = Type.Object({ type: text, id: Type.Union([text, Type.Integer()]) })
const references = Type.Array(reference)
const link = Type.Object({
  ref: text,
  type: Type.Optional(text),
  id: Type.Optional(Type.Union([text, Type.Integer()])),
  _url: Type.Optional(text),
})
const customValues = Type.Array(Type.Object({ id: idText, name: text, values: Type.Array(Type.Unknown()) }))

export const schemas = {
  queue: Type.Object({
    Name: text,
    Description: orNull(text),
    Disabled: integer,
    Created: moment,
    LastUpdated: moment,
    Cc: references,
    AdminCc: references,
    Lifecycle: orNull(text),
    SubjectTag: orNull(text),
    CorrespondAddress: orNull(text),
    CommentAddress: orNull(text),
    CustomFields: customValues,
    TicketCustomFields: Type.Array(Type.Object({ id: idText, name: text })),
    TicketTransactionCustomFields: Type.Array(Type.Object({ id: idText, name: text })),
  }),
  user: Type.Object({
    Name: text,
    RealName: orNull(text),
    NickName: orNull(text),
    Gecos: orNull(text),
    Signature: orNull(text),
    EmailAddress: orNull(text),
    Organization: orNull(text),
    Lang: orNull(text),
    Timezone: orNull(text),
    Comments: orNull(text),
    FreeformContactInfo: orNull(text),
    WorkPhone: orNull(text),
    MobilePhone: orNull(text),
    HomePhone: orNull(text),
    PagerPhone: orNull(text),
    Address1: orNull(text),
    Address2: orNull(text),
    City: orNull(text),
    State: orNull(text),
    Zip: orNull(text),
    Country: orNull(text),
    /** Only in single records, like the next one. */
    Disabled: Type.Union([integer, Type.Literal('')]),
    Privileged: Type.Union([integer, Type.Literal('')]),
    Created: moment,
    LastUpdated: moment,
    CustomFields: customValues,
  }),
  ticket: Type.Object({
    Subject: orNull(text),
    Status: text,
    Priority: integer,
    FinalPriority: orNull(Type.Union([integer, Type.Literal('')])),
    SLA: orNull(text),
    Queue: reference,
    Owner: Type.Union([reference, Type.Null()]),
    Creator: Type.Union([reference, Type.Null()]),
    Requestor: references,
    Cc: references,
    AdminCc: references,
    Created: moment,
    LastUpdated: moment,
    Due: moment,
    Starts: moment,
    Started: moment,
    Resolved: moment,
    TimeWorked: integer,
    TimeEstimated: integer,
    TimeLeft: integer,
    CustomFields: customValues,
    CustomRoles: Type.Record(Type.String(), Type.Union([reference, references, Type.Null()])),
    _hyperlinks: Type.Array(link),
  }),
  transaction: Type.Object({
    Type: text,
    ObjectId: idText,
    Creator: Type.Union([reference, Type.Null()]),
    Created: moment,
    CustomFields: customValues,
  }),
  attachment: Type.Object({
    TransactionId: idText,
    ContentType: text,
    Filename: text,
    ContentLength: integer,
    Headers: text,
    Content: text,
  }),
  customField: Type.Object({
    Name: text,
    Type: text,
    MaxValues: integer,
    LookupType: text,
    Values: Type.Array(text),
  }),
}

const identified = Type.Object({ id: Type.Union([text, Type.Integer()]) })
const list = Type.Object({ items: Type.Array(identified), total: Type.Optional(orNull(Type.Integer())) })
export const systemSchema = Type.Object({ Version: text, Plugins: Type.Optional(Type.Array(Type.Unknown())) })
export const createdSchema = Type.Object({ id: Type.Union([text, Type.Integer()]) })
export const messagesSchema = Type.Array(orNull(text))

export type Kind = keyof typeof schemas
export type RawRecord = Static<typeof identified>
export type Raw<K extends Kind> = Partial<Static<(typeof schemas)[K]>> & { id: string }
export type RawCustomValues = Static<typeof customValues>
export type RawReference = Static<typeof reference>

export interface RawList {
  items: RawRecord[]
  /** Null when the user may not see everything that was counted. */
  total: number | null
}

/** An answer that makes no sense without any part of it. */
export function parseWhole<S extends TSchema>(schema: S, json: unknown, what: string): Static<S> {
  if (Check(schema, json)) return json as Static<S>
  throw new UnreadableAnswerError(`Request Tracker answered with ${what} of an unknown shape`)
}

export function parseList(json: unknown): RawList {
  const { items, total } = parseWhole(list, json, 'a list')
  return { items, total: total ?? null }
}

/** Takes a record field by field, so that an odd one costs only itself. Names those that were left out. */
export function takeFields<K extends Kind>(kind: K, given: RawRecord): { raw: Raw<K>; odd: string[] } {
  const { properties } = schemas[kind] as TObject
  const values = given as unknown as Record<string, unknown>
  const taken: Record<string, unknown> = { id: String(given.id) }
  const odd: string[] = []
  for (const [name, schema] of Object.entries(properties)) {
    if (values[name] === undefined) continue
    if (Check(schema, values[name])) taken[name] = values[name]
    else odd.push(name)
  }
  return { raw: taken as Raw<K>, odd }
}

/** Undefined for a moment that was never set, which comes as the beginning of 1970; so does every earlier one. */
export function readMoment(value: string | undefined): string | undefined {
  const ms = value === undefined ? Number.NaN : Date.parse(value)
  return Number.isNaN(ms) || ms <= 0 ? undefined : new Date(ms).toISOString()
}
