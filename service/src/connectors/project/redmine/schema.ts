import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { UnreadableAnswerError } from '../../../errors.ts'

// The parts of answers that we use (https://www.redmine.org/projects/redmine/wiki/Rest_api). Other fields are ignored.

const id = Type.Integer({ minimum: 1 })
const text = Type.String()
const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const moment = Type.Refine(
  Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T' }),
  (value) => !Number.isNaN(Date.parse(value)),
)
const day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })
const named = Type.Object({ id, name: text })
const customValues = Type.Array(Type.Object({ id, name: text, value: Type.Optional(Type.Unknown()) }))

/** Gives several fields the same shape. */
const each = <N extends string, S extends TSchema>(shape: S, ...names: N[]) =>
  Object.fromEntries(names.map((name) => [name, shape])) as Record<N, S>
const stamps = { custom_fields: customValues, ...each(moment, 'created_on', 'updated_on') }
const flag = Type.Boolean()

/** The fields of each kind, by the name that answers give to a single record. */
const schemas = {
  project: {
    ...each(text, 'name', 'identifier'),
    ...each(orNull(text), 'description', 'homepage'),
    parent: named,
    status: Type.Integer(),
    is_public: flag,
    enabled_modules: Type.Array(Type.Object({ name: text })),
    ...stamps,
  },
  membership: { ...each(named, 'project', 'user'), roles: Type.Array(named) },
  version: {
    project: named,
    ...each(text, 'name', 'status', 'sharing'),
    description: orNull(text),
    due_date: orNull(day),
    wiki_page_title: Type.Unknown(),
    ...stamps,
  },
  issue_category: { project: named, name: text, assigned_to: named },
  issue: {
    ...each(named, 'project', 'tracker', 'status', 'priority', 'author', 'assigned_to', 'category', 'fixed_version'),
    parent: Type.Object({ id }),
    subject: text,
    description: orNull(text),
    ...each(orNull(day), 'start_date', 'due_date'),
    done_ratio: Type.Integer(),
    is_private: flag,
    estimated_hours: orNull(Type.Number()),
    spent_hours: Type.Number(),
    ...stamps,
    closed_on: orNull(moment),
    watchers: Type.Array(named),
    relations: Type.Array(
      Type.Object({ ...each(id, 'id', 'issue_id', 'issue_to_id'), relation_type: text, delay: orNull(Type.Integer()) }),
    ),
    ...each(Type.Array(Type.Object({ id })), 'children', 'attachments', 'journals'),
  },
  journal: {
    user: named,
    notes: orNull(text),
    created_on: moment,
    private_notes: flag,
    details: Type.Array(
      Type.Object({
        ...each(text, 'property', 'name'),
        ...each(Type.Optional(Type.Unknown()), 'old_value', 'new_value'),
      }),
    ),
  },
  attachment: {
    filename: text,
    filesize: Type.Integer({ minimum: 0 }),
    ...each(orNull(text), 'content_type', 'description'),
    author: named,
    created_on: moment,
  },
  time_entry: {
    ...each(named, 'project', 'user', 'activity'),
    issue: Type.Object({ id }),
    hours: Type.Number(),
    comments: orNull(text),
    spent_on: day,
    ...stamps,
  },
  user: {
    ...each(text, 'login', 'firstname', 'lastname'),
    admin: flag,
    mail: orNull(text),
    status: Type.Integer(),
    last_login_on: orNull(moment),
    ...stamps,
  },
  custom_field: {
    ...each(text, 'name', 'customized_type', 'field_format'),
    ...each(flag, 'is_required', 'is_filter', 'multiple', 'visible'),
    possible_values: Type.Array(Type.Object({ value: text, label: text })),
    trackers: Type.Array(named),
  },
  tracker: { name: text, default_status: named },
  issue_status: { name: text },
  enumeration: { name: text, ...each(flag, 'is_default', 'active') },
  role: { name: text, assignable: flag, permissions: Type.Array(text) },
}

/** A wiki page has no id. Its title is unique within a project. */
export const wikiPageSchema = Type.Object({
  title: Type.String({ minLength: 1 }),
  parent: Type.Optional(Type.Object({ title: text })),
  text: Type.Optional(text),
  version: Type.Optional(Type.Integer()),
  author: Type.Optional(named),
  ...each(Type.Optional(moment), 'created_on', 'updated_on'),
  attachments: Type.Optional(Type.Array(Type.Object({ id }))),
})

export type WikiPage = Static<typeof wikiPageSchema>
export type Kind = keyof typeof schemas
/** Parts that Redmine sends only with a single issue. */
export const issueParts = 'journals,attachments,relations,watchers,children'
/** A checked record: only fields that were present and of the right type. */
export type Raw<K extends Kind> = Partial<Static<TObject<(typeof schemas)[K]>>> & { id: number }

/** The name of a kind's list in paths and answers. */
export const listOf = (kind: Kind): string => `${kind.replace(/y$/, 'ie').replace(/s$/, 'se')}s`

const identified = Type.Object({ id })

/** Checks each field by itself, so that an invalid one does not cost the record. `odd` names invalid fields. */
export function takeFields<K extends Kind>(kind: K, given: unknown): { raw: Raw<K>; odd: string[] } {
  if (!Check(identified, given)) throw new UnreadableAnswerError(`Redmine answered with a ${kind} of an unknown shape`)
  const values: Record<string, unknown> = { ...given }
  const taken: Record<string, unknown> = { id: given.id }
  const odd: string[] = []
  for (const [name, schema] of Object.entries<TSchema>(schemas[kind])) {
    if (values[name] === undefined) continue
    if (Check(schema, values[name])) taken[name] = values[name]
    else odd.push(name)
  }
  return { raw: taken as Raw<K>, odd }
}

export const take = <K extends Kind>(kind: K, given: unknown): Raw<K> => takeFields(kind, given).raw

/** Checks an answer that is useless if any part is invalid. */
export function parseWhole<S extends TSchema>(schema: S, json: unknown, what: string): Static<S> {
  if (Check(schema, json)) return json as Static<S>
  throw new UnreadableAnswerError(`Redmine answered with ${what} of an unknown shape`)
}

const count = Type.Optional(orNull(Type.Integer({ minimum: 0 })))

export function parseList(json: unknown, name: string): { items: unknown[]; total: number | null } {
  const schema = Type.Object({ [name]: Type.Array(Type.Unknown()), total_count: count })
  const parsed = parseWhole(schema, json, `a list of ${name}`) as Record<string, unknown>
  return { items: parsed[name] as unknown[], total: (parsed.total_count as number | undefined) ?? null }
}

/** Returns the record inside its wrapper object. */
export function unwrap(json: unknown, name: string): unknown {
  return (parseWhole(Type.Object({ [name]: Type.Unknown() }), json, name) as Record<string, unknown>)[name]
}
