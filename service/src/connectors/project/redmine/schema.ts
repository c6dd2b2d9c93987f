import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { UnreadableAnswerError } from '../../../errors.ts'
import { checkShape } from '../../kit/http.ts'

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

/** Gives several fields the same shape. */
const each = <N extends string, S extends TSchema>(shape: S, ...names: N[]) =>
  Object.fromEntries(names.map((name) => [name, shape])) as Record<N, S>
const flag = Type.Boolean()

/** Redmine gives the same name to the same thing in records of every kind, except for `status`. */
const fields = {
  ...each(text, 'name', 'identifier', 'sharing', 'subject', 'filename', 'login', 'firstname', 'lastname'),
  ...each(text, 'customized_type', 'field_format'),
  ...each(orNull(text), 'description', 'homepage', 'notes', 'comments', 'content_type', 'mail'),
  ...each(flag, 'is_public', 'is_private', 'private_notes', 'admin', 'is_default', 'active', 'assignable'),
  ...each(flag, 'is_required', 'is_filter', 'multiple', 'visible'),
  ...each(named, 'project', 'tracker', 'priority', 'category', 'fixed_version', 'activity', 'default_status'),
  ...each(named, 'author', 'user', 'assigned_to'),
  ...each(Type.Object({ id }), 'issue', 'parent'),
  ...each(Type.Array(named), 'roles', 'watchers', 'trackers'),
  ...each(Type.Array(Type.Object({ id })), 'children', 'attachments', 'journals'),
  ...each(moment, 'created_on', 'updated_on'),
  ...each(orNull(moment), 'closed_on', 'last_login_on'),
  ...each(orNull(day), 'start_date', 'due_date'),
  spent_on: day,
  done_ratio: Type.Integer(),
  filesize: Type.Integer({ minimum: 0 }),
  ...each(Type.Number(), 'hours', 'spent_hours'),
  estimated_hours: orNull(Type.Number()),
  custom_fields: Type.Array(Type.Object({ id, name: text, value: Type.Optional(Type.Unknown()) })),
  enabled_modules: Type.Array(Type.Object({ name: text })),
  permissions: Type.Array(text),
  possible_values: Type.Array(Type.Object({ value: text, label: text })),
  wiki_page_title: Type.Unknown(),
  relations: Type.Array(
    Type.Object({ ...each(id, 'id', 'issue_id', 'issue_to_id'), relation_type: text, delay: orNull(Type.Integer()) }),
  ),
  details: Type.Array(
    Type.Object({
      ...each(text, 'property', 'name'),
      ...each(Type.Optional(Type.Unknown()), 'old_value', 'new_value'),
    }),
  ),
}

/** What `status` is in records of each kind. Kinds are called as answers call a single record. */
const statusOf = {
  ...each(Type.Integer(), 'project', 'user'),
  version: text,
  issue: named,
  ...each(Type.Unknown(), 'membership', 'issue_category', 'journal', 'attachment', 'time_entry'),
  ...each(Type.Unknown(), 'custom_field', 'tracker', 'issue_status', 'enumeration', 'role'),
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
export type Kind = keyof typeof statusOf
/** Parts that Redmine sends only with a single issue. */
export const issueParts = 'journals,attachments,relations,watchers,children'
/** A checked record: only fields that were present and of the right type. */
export type Raw<K extends Kind> = Partial<Static<TObject<typeof fields>>> & {
  id: number
  status?: Static<(typeof statusOf)[K]>
}

/** The name of a kind's list in paths and answers. */
export const listOf = (kind: Kind): string => `${kind.replace(/y$/, 'ie').replace(/s$/, 'se')}s`

const identified = Type.Object({ id })
const shapes = new Map<string, TSchema>(Object.entries(fields))

/** Checks each field by itself, so that an invalid one does not cost the record. `odd` names invalid fields. */
export function takeFields<K extends Kind>(kind: K, given: unknown): { raw: Raw<K>; odd: string[] } {
  if (!Check(identified, given)) throw new UnreadableAnswerError(`Redmine answered with a ${kind} of an unknown shape`)
  const taken: Record<string, unknown> = { id: given.id }
  const odd: string[] = []
  for (const [name, value] of Object.entries(given)) {
    const schema = name === 'status' ? statusOf[kind] : shapes.get(name)
    if (!schema || value === undefined) continue
    if (Check(schema, value)) taken[name] = value
    else odd.push(name)
  }
  return { raw: taken as Raw<K>, odd }
}

export const take = <K extends Kind>(kind: K, given: unknown): Raw<K> => takeFields(kind, given).raw

/** Checks an answer that is useless if any part is invalid. */
export const parseWhole = <S extends TSchema>(schema: S, json: unknown, what: string) =>
  checkShape('Redmine', schema, json, what)

export function parseList(json: unknown, name: string): { items: unknown[]; total: number | null } {
  const total_count = Type.Optional(orNull(Type.Integer({ minimum: 0 })))
  const schema = Type.Object({ [name]: Type.Array(Type.Unknown()), total_count })
  const parsed = parseWhole(schema, json, `a list of ${name}`) as Record<string, unknown>
  return { items: parsed[name] as unknown[], total: (parsed.total_count as number | undefined) ?? null }
}

/** Returns the record inside its wrapper object. */
export function unwrap(json: unknown, name: string): unknown {
  return (parseWhole(Type.Object({ [name]: Type.Unknown() }), json, name) as Record<string, unknown>)[name]
}

/** Redmine requires a last name. People and we write a dash if there is none. */
export const nameOfUser = ({ firstname = '', lastname = '', login, id }: Raw<'user'>): string =>
  `${firstname} ${lastname}`.replace(/ -$/, '').trim() || login || `User ${id}`
