import Type, { type Static, type TSchema } from 'typebox'
import type { FieldType } from '../../../families/definition.ts'
import type { RecordRef } from '../../../families/record.ts'
import { defineEntity, type EntityRules } from '../../kit/entity.ts'
import { type Lens, type LensOptions, lens, type OwnLens, type RawRecord } from '../../kit/lens.ts'
import { each, orNull } from '../../kit/schema-parts.ts'
import { cleanText, idsOf, oneLine, textsOf } from '../../kit/sent-values.ts'
import { takeFields } from '../../kit/take-fields.ts'
import { isMoment } from '../../kit/times.ts'
import { sortIds, toRtMoment, toSecond } from './stored-values.ts'

// The parts of REST 2.0's answers that we use. Unknown fields are accepted. Lists return ids as texts, single records
// as numbers. An empty value is an empty text, and an unset moment is the start of 1970.

const text = Type.String()
const idText = Type.Union([Type.String({ pattern: '^[1-9]\\d*$' }), Type.Integer({ minimum: 1 })])
const integer = Type.Union([Type.String({ pattern: '^-?\\d+$' }), Type.Integer()])
const integerOrNone = Type.Union([integer, Type.Literal('')])
const when = Type.Refine(Type.String(), isMoment)

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
const times = { Created: when, LastUpdated: when }

export const schemas = {
  queue: {
    ...{ ...times, CustomFields, Name: text, Disabled: integer },
    ...each(orNull(text), 'Description', 'Lifecycle', 'SubjectTag', 'CorrespondAddress', 'CommentAddress'),
    ...each(references, 'Cc', 'AdminCc'),
    ...each(Type.Array(Type.Object({ id: idText, name: text })), 'TicketCustomFields', 'TicketTransactionCustomFields'),
  },
  user: {
    ...{ ...times, CustomFields, Name: text },
    ...each(orNull(text), 'RealName', 'NickName', 'Gecos', 'Signature', 'EmailAddress', 'Organization', 'Lang'),
    ...each(orNull(text), 'Timezone', 'Comments', 'FreeformContactInfo'),
    ...each(orNull(text), 'WorkPhone', 'MobilePhone', 'HomePhone', 'PagerPhone'),
    ...each(orNull(text), 'Address1', 'Address2', 'City', 'State', 'Zip', 'Country'),
    /** Only single records contain these fields, lists do not. */
    ...each(integerOrNone, 'Disabled', 'Privileged'),
  },
  ticket: {
    ...{ ...times, CustomFields, Status: text, Queue: reference, _hyperlinks: Type.Array(link) },
    ...each(orNull(text), 'Subject', 'SLA'),
    ...each(orNull(reference), 'Owner', 'Creator'),
    ...each(references, 'Requestor', 'Cc', 'AdminCc'),
    ...each(when, 'Due', 'Starts', 'Started', 'Resolved'),
    ...each(integer, 'Priority', 'TimeWorked', 'TimeEstimated', 'TimeLeft'),
    FinalPriority: orNull(integerOrNone),
    CustomRoles: Type.Record(Type.String(), Type.Union([reference, references, Type.Null()])),
  },
  transaction: {
    ...{ CustomFields, Type: text, ObjectId: idText, Creator: orNull(reference), Created: when },
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

export const take = <K extends Kind>(kind: K, given: RawRecord): Raw<K> =>
  ({ ...takeFields(schemas[kind] as Record<string, TSchema>, given), id: String(given.id) }) as Raw<K>

/** Request Tracker sends the start of 1970 for a moment that was never set. Earlier ones are undefined, too. */
export function readMoment(value: unknown): string | undefined {
  const text = String(value)
  const ms = Date.parse(/Z$|[+-]\d{2}:?\d{2}$/.test(text) ? text : `${text}Z`)
  return Number.isNaN(ms) || ms <= 0 ? undefined : new Date(ms).toISOString()
}

// Lenses for Request Tracker's fields. Schemas check the values; lenses convert them in both directions.

export interface MapFacts {
  /** Ids of privileged users, who are the agents. */
  agents: ReadonlySet<string>
  /** Ids of technical users, who are not people. */
  system: ReadonlySet<string>
}

type Own<A> = Omit<OwnLens<ReturnType<typeof Type.Any>, A>, 'from' | 'check'>

export const field = <A = MapFacts>(type: FieldType, from: string | null, own: Own<A>): Lens<A> =>
  lens(type, { check: Type.Any(), from, ...own })

/** One line of text, cut to the length of its database column. */
export const line = (from: string, max: number): Lens<MapFacts> =>
  field('text', from, { max, read: filled, write: (value) => oneLine(value, max), empty: '' })

export const longText = (from: string): Lens<MapFacts> =>
  field('long_text', from, { read: filled, write: cleanText, empty: '' })

const filled = (value: string): string | undefined => value || undefined

export const moment = (from: string, more: LensOptions = {}): Lens<MapFacts> =>
  field('datetime', from, {
    read: readMoment,
    write: (value) => toRtMoment(toSecond(value)),
    empty: toRtMoment(null),
    stored: readMoment,
    ...more,
  })

/** The family counts seconds, Request Tracker minutes. */
export const minutes = (from: string): Lens<MapFacts> =>
  field('integer', from, {
    read: (value) => (Number(value) > 0 ? Number(value) * 60 : undefined),
    write: (value) => (typeof value === 'number' && value > 0 ? Math.round(value / 60) : 0),
    empty: 0,
    stored: (value) => (Number(value) === 0 ? null : Number(value) * 60),
  })

const agentsOf = (value: unknown, { agents }: MapFacts) =>
  userIds(value).flatMap((userId) => (agents.has(userId) ? [{ userId }] : []))

export const agent = (from: string, own: Partial<Own<MapFacts>> = {}): Lens<MapFacts> =>
  field('user', from, { read: (value, _raw, facts) => agentsOf(value, facts)[0], ...own })

export const agents = (from: string): Lens<MapFacts> =>
  watchers(from, 'user', (value, _raw, facts) => agentsOf(value, facts))

/** The ids of the users among watchers, for watchers that were read and watchers to write. */
export const userIds = (watchers: unknown): string[] =>
  sortIds(
    ([watchers ?? []].flat() as (RawReference | string)[]).flatMap((one) => {
      if (typeof one === 'string') return [one]
      return one.type === 'user' ? [String(one.id)] : []
    }),
  )

export const watchers = (from: string, type: 'user' | 'relation', read: Lens<MapFacts>['read']): Lens<MapFacts> =>
  field(type, from, {
    ...{ many: true, absent: [], empty: [], read },
    write: (value) => sortIds(type === 'user' ? textsOf(value) : idsOf(value)),
    stored: userIds,
  })

export const ref = (entity: string, sourceId: string): RecordRef => ({ entity, sourceId })

/** Defines an entity whose records are checked by the schema of `kind`. */
export const define = <A extends MapFacts>(name: string, kind: Kind, rules: EntityRules<A>) =>
  defineEntity<A>('helpdesk', name, {
    createdAt: moment('Created', { isReadOnly: true }),
    updatedAt: moment('LastUpdated', { isReadOnly: true }),
    ...rules,
    also: schemas[kind],
  })
