import Type, { type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { checkShape } from '../../kit/http.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { requireWhole } from '../../kit/write-record.ts'
import { entities } from './entities.ts'
import { id } from './lenses.ts'

// The Admin API's answers besides the fields of records, as far as we use them.

const text = Type.String()
const textOrNone = Type.Union([text, Type.Null()])
const identified = Type.Object({ id })

/** One thing as the API sends it; all we know of it is that it has an id. */
export type Raw = RawRecord & { id: string }

export const isId = (value: unknown): value is string => Check(id, value)

const total = Type.Object({ pagination: Type.Object({ total: Type.Integer({ minimum: 0 }) }) })
export const listSchema = (name: string) => Type.Object({ [name]: Type.Array(identified), meta: total })
/** Of a list that comes whole, Ghost tells no total. */
export const totalSchema = (name: string) =>
  Type.Object({ [name]: Type.Array(Type.Unknown()), meta: Type.Optional(Type.Partial(total)) })
/** An answer about one record is a list of one. */
export const oneSchema = (name: string) => Type.Object({ [name]: Type.Array(identified, { minItems: 1, maxItems: 1 }) })
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

export const parseWhole = <S extends TSchema>(schema: S, json: unknown, what: string) =>
  checkShape('Ghost', schema, json, what)

const labelSchema = Type.Object({
  id,
  name: text,
  slug: text,
  count: Type.Object({ members: Type.Integer({ minimum: 0 }) }),
})

/** The lists of Ghost, and what is looked at of their records. */
interface Wholes {
  posts: Raw & { updated_at: string; authors: { id: string }[] }
  pages: Wholes['posts']
  tags: Raw & { name: string; url: string; updated_at: string }
  comments: Raw & { parent_id: string | null; status: string; html: string | null }
  members: Raw & {
    email: string
    note: string | null
    subscribed: boolean
    status: string
    labels: { name: string }[]
  }
  labels: Raw & { name: string; slug: string; count: { members: number } }
}
export type ListName = keyof Wholes | 'users'
export type Whole<E extends keyof Wholes> = Wholes[E]

/** All of a record: for what we are about to compare, where a missing field would pass for an empty one. */
export function takeWhole<E extends keyof Wholes>(list: E, record: unknown): Whole<E> {
  if (list === 'labels') return parseWhole(labelSchema, record, 'a label') as Whole<E>
  const entity = list === 'members' ? entities.subscribers : entities[list as 'posts']
  return requireWhole('Ghost', entity, record) as Whole<E>
}
