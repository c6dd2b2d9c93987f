import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { UnreadableAnswerError } from '../../errors.ts'

// What the Admin API sends, as far as we use it. Fields that we do not know pass. https://docs.ghost.org/admin-api/

const id = Type.String({ pattern: '^[0-9a-f]{24}$|^1$' })
const text = Type.String()
const textOrNone = Type.Union([text, Type.Null()])
const flag = Type.Boolean()
const moment = Type.Refine(Type.String({ minLength: 10, maxLength: 40 }), (value) => !Number.isNaN(Date.parse(value)))
const momentOrNone = Type.Union([moment, Type.Null()])
const identified = Type.Object({ id })
const named = Type.Object({ name: text })
/** Compared, and never looked into. */
const anything = Type.Optional(Type.Unknown())
const anythingOf = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, anything])) as Record<Name, typeof anything>
const count = (name: string) => Type.Object({ [name]: Type.Integer({ minimum: 0 }) })

const writing = {
  id,
  title: text,
  slug: text,
  html: textOrNone,
  url: text,
  status: text,
  visibility: text,
  created_at: moment,
  updated_at: moment,
  published_at: momentOrNone,
  custom_excerpt: textOrNone,
  feature_image: textOrNone,
  feature_image_alt: textOrNone,
  feature_image_caption: textOrNone,
  featured: flag,
  meta_title: textOrNone,
  meta_description: textOrNone,
  canonical_url: textOrNone,
  codeinjection_head: textOrNone,
  authors: Type.Array(identified),
  tags: Type.Array(identified),
  ...anythingOf(
    'codeinjection_foot',
    'custom_template',
    'email_subject',
    'show_title_and_feature_image',
    'frontmatter',
  ),
  ...anythingOf('og_image', 'og_title', 'og_description', 'twitter_image', 'twitter_title', 'twitter_description'),
}

export const schemas = {
  posts: Type.Object(writing),
  pages: Type.Object(writing),
  tags: Type.Object({
    id,
    name: text,
    slug: text,
    description: textOrNone,
    url: text,
    created_at: moment,
    updated_at: moment,
    codeinjection_head: textOrNone,
    ...anythingOf('feature_image', 'visibility', 'meta_title', 'meta_description', 'canonical_url', 'accent_color'),
    ...anythingOf('og_image', 'og_title', 'og_description', 'twitter_image', 'twitter_title', 'twitter_description'),
    ...anythingOf('codeinjection_foot'),
  }),
  comments: Type.Object({
    id,
    parent_id: Type.Union([id, Type.Null()]),
    in_reply_to_id: Type.Union([id, Type.Null()]),
    status: text,
    html: textOrNone,
    created_at: moment,
    edited_at: momentOrNone,
    ...anythingOf('pinned', 'count'),
    member: Type.Union([Type.Object({ id, name: textOrNone, email: textOrNone }), Type.Null()]),
    post: Type.Object({ id, url: text }),
  }),
  members: Type.Object({
    id,
    email: text,
    name: textOrNone,
    note: textOrNone,
    subscribed: flag,
    status: text,
    labels: Type.Array(named),
    created_at: moment,
    updated_at: moment,
    newsletters: Type.Optional(Type.Array(identified)),
    ...anythingOf('comped', 'subscriptions', 'tiers', 'enable_comment_notifications', 'commenting'),
  }),
  users: Type.Object({ id, name: text, email: text, status: text }),
  labels: Type.Object({ id, name: text, slug: text, count: count('members') }),
}

export type ListName = keyof typeof schemas
/** One thing as the API sends it; all we know of it is that it has an id. */
export type RawRecord = Static<typeof identified>
/** The fields that were there and of the right type. */
export type Raw<E extends ListName> = Partial<Static<(typeof schemas)[E]>> & { id: string }
export type Whole<E extends ListName> = Static<(typeof schemas)[E]>

export const isId = (value: unknown): value is string => Check(id, value)

export const listSchema = (name: ListName) =>
  Type.Object({
    [name]: Type.Array(identified),
    meta: Type.Object({ pagination: Type.Object({ total: Type.Integer({ minimum: 0 }) }) }),
  })
/** Of a list that comes whole, Ghost tells no total. */
export const totalSchema = (name: string) =>
  Type.Object({
    [name]: Type.Array(Type.Unknown()),
    meta: Type.Optional(
      Type.Object({
        pagination: Type.Optional(Type.Object({ total: Type.Integer({ minimum: 0 }) })),
      }),
    ),
  })
/** An answer about one record is a list of one. */
export const oneSchema = (name: ListName) =>
  Type.Object({ [name]: Type.Array(identified, { minItems: 1, maxItems: 1 }) })
export const uploadSchema = Type.Object({ url: Type.String({ pattern: '^https?://' }) })
export const siteSchema = Type.Object({ site: Type.Object({ title: text, url: text, version: text }) })
export const settingsSchema = Type.Object({
  settings: Type.Array(Type.Object({ key: text, value: Type.Unknown() })),
})
export const errorSchema = Type.Object({
  errors: Type.Array(
    Type.Object({
      message: text,
      type: text,
      context: Type.Optional(Type.Unknown()),
      code: Type.Optional(Type.Unknown()),
    }),
    { minItems: 1 },
  ),
})
export const memberImportSchema = Type.Object({
  meta: Type.Object({
    stats: Type.Object({
      invalid: Type.Array(Type.Object({ email: Type.Optional(textOrNone), error: Type.Optional(textOrNone) })),
    }),
    import_label: Type.Union([identified, Type.Null()]),
  }),
})

/** An answer that makes no sense without any part of it. */
export function parseWhole<S extends TSchema>(schema: S, json: unknown, what: string): Static<S> {
  if (Check(schema, json)) return json as Static<S>
  throw new UnreadableAnswerError(`Ghost answered with ${what} of an unknown shape`)
}

/** Takes a record field by field, so that an odd one costs only itself. Names those that were left out. */
export function takeFields<E extends ListName>(entity: E, record: RawRecord): { raw: Raw<E>; odd: string[] } {
  const { properties } = schemas[entity] as TObject
  const given = record as unknown as Record<string, unknown>
  const taken: Record<string, unknown> = {}
  const odd: string[] = []
  for (const [name, schema] of Object.entries(properties)) {
    if (given[name] === undefined) continue
    if (Check(schema, given[name])) taken[name] = given[name]
    else if (given[name] !== null) odd.push(name)
  }
  return { raw: taken as Raw<E>, odd }
}

/** All of a record: for what we are about to compare, where a missing field would pass for an empty one. */
export function takeWhole<E extends ListName>(entity: E, record: unknown): Whole<E> {
  return parseWhole(schemas[entity] as TSchema, record, `a record of ${entity}`) as Whole<E>
}
