import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { UnreadableAnswerError } from '../../errors.ts'

// What the API sends, as far as we use it (demo/fernhill/README.md). Fields that we do not know pass.

const id = Type.Integer({ minimum: 1 })
const text = Type.String()
const texts = Type.Array(text)
const moment = Type.Refine(
  Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T' }),
  (value) => !Number.isNaN(Date.parse(value)),
)
const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const stamps = { id, created_at: moment, updated_at: moment }

const attachment = Type.Object({
  ...stamps,
  comment_id: id,
  file_name: text,
  content_type: text,
  size: Type.Integer({ minimum: 0 }),
  inline: Type.Boolean(),
  url: text,
  content_url: text,
})

export const schemas = {
  organizations: Type.Object({
    ...stamps,
    name: text,
    domains: texts,
    phone: orNull(text),
    address: orNull(text),
    notes: text,
  }),
  contacts: Type.Object({
    ...stamps,
    name: text,
    emails: texts,
    phones: texts,
    organization_id: orNull(id),
    language: text,
    notes: text,
  }),
  agents: Type.Object({ id, name: text, email: orNull(text), group_ids: Type.Array(id), deleted: Type.Boolean() }),
  groups: Type.Object({ ...stamps, name: text, description: text }),
  tickets: Type.Object({
    ...stamps,
    number: Type.Integer(),
    subject: text,
    description: text,
    comment_count: Type.Integer({ minimum: 0 }),
    status: text,
    priority: text,
    type: text,
    channel: text,
    requester_id: id,
    assignee_id: orNull(id),
    group_id: orNull(id),
    organization_id: orNull(id),
    cc: texts,
    tags: texts,
    custom_fields: Type.Record(text, Type.Unknown()),
    due_at: orNull(moment),
    url: text,
  }),
  comments: Type.Object({
    ...stamps,
    ticket_id: id,
    author_type: Type.Union([Type.Literal('agent'), Type.Literal('contact')]),
    author_id: id,
    public: Type.Boolean(),
    body: text,
    attachments: Type.Array(Type.Object({ id })),
  }),
  attachments: attachment,
  categories: Type.Object({ ...stamps, name: text, description: text, position: Type.Integer() }),
  articles: Type.Object({
    ...stamps,
    category_id: id,
    author_id: id,
    title: text,
    format: Type.Union([Type.Literal('markdown'), Type.Literal('html')]),
    body: text,
    status: text,
    locale: text,
    labels: texts,
    position: Type.Integer(),
    url: text,
  }),
  ticket_fields: Type.Object({
    id,
    key: text,
    label: text,
    type: text,
    options: Type.Array(Type.Object({ value: text, label: text })),
  }),
}

export const accountSchema = Type.Object({
  name: text,
  subdomain: Type.Optional(text),
  counts: Type.Record(text, Type.Integer({ minimum: 0 })),
})

const identified = Type.Object({ id })
const page = Type.Object({ data: Type.Array(identified), next: orNull(text) })

export type RawPage = Static<typeof page>
/** One thing as the API sends it; all we know of it is that it has an id. */
export type RawRecord = Static<typeof identified>

export type ListName = keyof typeof schemas
/** The fields that were there and of the right type. */
export type Raw<E extends ListName> = Partial<Static<(typeof schemas)[E]>> & { id: number }

export const parsePage = (json: unknown): RawPage => parseWhole(page, json, 'a page')

/** An answer that makes no sense without any part of it. */
export function parseWhole<S extends TSchema>(schema: S, json: unknown, what: string): Static<S> {
  if (Check(schema, json)) return json as Static<S>
  throw new UnreadableAnswerError(`Fernhill Desk answered with ${what} of an unknown shape`)
}

/** Takes a record field by field, so that an odd one costs only itself. Names those that were left out. */
export function takeFields<E extends ListName>(entity: E, raw: RawRecord): { raw: Raw<E>; odd: string[] } {
  const { properties } = schemas[entity] as TObject
  const given = raw as unknown as Record<string, unknown>
  const taken: Record<string, unknown> = {}
  const odd: string[] = []
  for (const [name, schema] of Object.entries(properties)) {
    if (given[name] === undefined) continue
    if (Check(schema, given[name])) taken[name] = given[name]
    else odd.push(name)
  }
  return { raw: taken as Raw<E>, odd }
}
