import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { UnreadableAnswerError } from '../../errors.ts'

// What the REST API sends with context=edit, as far as we use it. Fields that we do not know pass.
// https://developer.wordpress.org/rest-api/reference/

const id = Type.Integer({ minimum: 1 })
/** 0 where there is nothing. */
const idOrNone = Type.Integer({ minimum: 0 })
const text = Type.String()
const ids = Type.Array(id)
const flag = Type.Boolean()
/** UTC without saying so. A time that was never set reads as year 0 or -1, which is none. */
const moment = Type.Refine(
  Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$' }),
  (value) => !value.startsWith('0000') && !Number.isNaN(Date.parse(`${value}Z`)),
)
const raw = Type.Object({ raw: text })
const rawAndRendered = Type.Object({ raw: text, rendered: text })

const writing = {
  id,
  date_gmt: moment,
  modified_gmt: moment,
  slug: text,
  status: text,
  link: text,
  title: raw,
  content: rawAndRendered,
  excerpt: raw,
  author: idOrNone,
  featured_media: idOrNone,
  comment_status: text,
  password: text,
}
const term = { id, name: text, slug: text, description: text, link: text }

export const schemas = {
  posts: Type.Object({ ...writing, sticky: flag, format: text, tags: ids, categories: ids }),
  pages: Type.Object({ ...writing, parent: idOrNone, menu_order: Type.Integer() }),
  media: Type.Object({
    id,
    date_gmt: moment,
    modified_gmt: moment,
    slug: text,
    link: text,
    title: raw,
    caption: raw,
    description: raw,
    alt_text: text,
    author: idOrNone,
    mime_type: text,
    source_url: text,
    // An empty one is a list, as PHP writes it.
    media_details: Type.Unknown(),
  }),
  tags: Type.Object(term),
  categories: Type.Object({ ...term, parent: idOrNone }),
  comments: Type.Object({
    id,
    post: idOrNone,
    parent: idOrNone,
    author: idOrNone,
    author_name: text,
    author_email: text,
    author_url: text,
    author_ip: text,
    author_user_agent: text,
    date_gmt: moment,
    content: rawAndRendered,
    status: text,
    link: text,
    _links: Type.Object({ up: Type.Array(Type.Object({ post_type: text })) }),
  }),
  users: Type.Object({ id, name: text, email: text, roles: Type.Array(text) }),
}

export type ListName = keyof typeof schemas
const identified = Type.Object({ id })
/** One thing as the API sends it; all we know of it is that it has an id. */
export type RawRecord = Static<typeof identified>
/** The fields that were there and of the right type. */
export type Raw<E extends ListName> = Partial<Static<(typeof schemas)[E]>> & { id: number }

/** What to ask for, so that a page holds only what we read. */
export const fieldsOf = (name: ListName): string => Object.keys((schemas[name] as TObject).properties).join(',')

const total = Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: '^\\d+$' })])
export const listSchema = Type.Object({
  status: Type.Literal(200),
  body: Type.Array(identified),
  headers: Type.Object({ 'X-WP-Total': total }),
})
export const lookSchema = Type.Object({
  status: Type.Literal(200),
  body: Type.Unknown(),
  // Without any, as PHP writes it, it is a list.
  headers: Type.Object({ 'X-WP-Total': Type.Optional(total) }),
})
export const typesSchema = Type.Record(
  text,
  Type.Object({ slug: text, rest_base: Type.String({ pattern: '^[\\w-]+$' }) }),
)
export const versionsSchema = Type.Array(
  Type.Object({
    _links: Type.Object({
      'version-history': Type.Optional(Type.Array(Type.Object({ count: Type.Integer({ minimum: 0 }) }))),
    }),
  }),
)
/** With `_envelope` every answer is HTTP 200; what it really is stands inside. */
export const envelopeSchema = Type.Object({ status: Type.Integer({ minimum: 100, maximum: 599 }) })
export const forbiddenStatusSchema = Type.Object({
  body: Type.Object({
    data: Type.Object({
      details: Type.Object({ status: Type.Object({ code: Type.Literal('rest_forbidden_status') }) }),
    }),
  }),
})
export const recordSchema = identified
export const userSchema = Type.Object({ id, name: text, capabilities: Type.Record(text, Type.Unknown()) })
export const siteSchema = Type.Object({ name: text })
/** https://developer.wordpress.org/rest-api/extending-the-rest-api/routes-and-endpoints/#error-responses */
export const errorSchema = Type.Object({ code: text, message: text, data: Type.Optional(Type.Unknown()) })
export const batchSchema = Type.Object({
  responses: Type.Array(Type.Object({ status: Type.Integer(), body: Type.Unknown() })),
})

/** An answer that makes no sense without any part of it. */
export function parseWhole<S extends TSchema>(schema: S, json: unknown, what: string): Static<S> {
  if (Check(schema, json)) return json as Static<S>
  throw new UnreadableAnswerError(`WordPress answered with ${what} of an unknown shape`)
}

/** Takes a record field by field, so that an odd one costs only itself. Names those that were left out. */
export function takeFields<E extends ListName>(entity: E, record: RawRecord): { raw: Raw<E>; odd: string[] } {
  const { properties } = schemas[entity] as TObject
  const given = record as unknown as Record<string, unknown>
  const taken: Record<string, unknown> = {}
  const odd: string[] = []
  for (const [name, schema] of Object.entries(properties)) {
    if (given[name] === undefined || given[name] === null) continue
    if (Check(schema, given[name])) taken[name] = given[name]
    else odd.push(name)
  }
  return { raw: taken as Raw<E>, odd }
}

/** All of a record: for what we are about to compare, where a missing field would pass for an empty one. */
export function takeWhole<E extends ListName>(entity: E, record: unknown): Static<(typeof schemas)[E]> {
  return parseWhole(schemas[entity] as TSchema, record, `a record of ${entity}`) as Static<(typeof schemas)[E]>
}
