import Type, { type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { checkShape } from '../../kit/http.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { requireWhole } from '../../kit/write-record.ts'
import { entities } from './entities.ts'
import { id } from './lenses.ts'

// Those parts of the Admin API's answers that we use, besides the fields of records.

const text = Type.String()
const textOrNone = Type.Union([text, Type.Null()])
const identified = Type.Object({ id })

/** One record as the API sends it. Only its id is certain. */
export type Raw = RawRecord & { id: string }

export const isId = (value: unknown): value is string => Check(id, value)

const total = Type.Object({ pagination: Type.Object({ total: Type.Integer({ minimum: 0 }) }) })
export const listSchema = (name: string) => Type.Object({ [name]: Type.Array(identified), meta: total })
/** Ghost sends no total for a list that it returns whole. */
export const totalSchema = (name: string) =>
  Type.Object({ [name]: Type.Array(Type.Unknown()), meta: Type.Optional(Type.Partial(total)) })
/** Ghost returns a single record as a list of one. */
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

/** The lists of Ghost, with the fields of their records that we read. */
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

/** Requires a complete record. We are about to compare it, and a missing field would look empty. */
export function takeWhole<E extends keyof Wholes>(list: E, record: unknown): Whole<E> {
  if (list === 'labels') return parseWhole(labelSchema, record, 'a label') as Whole<E>
  const entity = list === 'members' ? entities.subscribers : entities[list as 'posts']
  return requireWhole('Ghost', entity, record) as Whole<E>
}
