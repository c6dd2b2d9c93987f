import Type, { type TSchema } from 'typebox'
import { UnreadableAnswerError } from '../../errors.ts'
import type { DestinationEntity, DestinationField, OutgoingContent, StoredContent } from '../contract/contract.ts'
import { anyObject } from './custom-fields.ts'
import { type Entity, shapesOf } from './entity.ts'
import { hasShape } from './has-shape.ts'
import { heldAt, type Lens, omit, type RawRecord, valueAt, type Writing } from './lens.ts'

export { versionOf } from './version.ts'

// The writing side of the declarations: request bodies, the form that is compared, and the destination's description.

/**
 * Builds the body of a request. An empty field is sent as empty. A field that the record lacks is not sent, unless
 * `isWhole` makes it count as empty.
 */
export function writeRecord<A>(
  entity: Entity<A>,
  content: Writing['content'],
  { isWhole = false, now = Date.now(), site = '' }: { isWhole?: boolean; now?: number; site?: string } = {},
): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const { lens, value } of writable(entity, content)) {
    if (value === undefined && !isWhole) continue
    const sent = sentValue(lens, value, { content, now, site })
    if (sent === omit) continue
    setAt(body, lens.to ?? lens.from ?? '', sent)
    for (const [path, part] of Object.entries(partsOf(lens, value))) setAt(body, path, part)
  }
  return body
}

/** The form that is compared, made from content that we send. Pure. */
export function asStored<A>(entity: Entity<A>, content: OutgoingContent, site = ''): StoredContent {
  const writing = { content, now: 0, site }
  const stored = writable(entity, content).map(({ name, lens, value }): [string, unknown] => [
    name,
    lens.stored(lens.wanted ? lens.wanted(value, writing) : sentValue(lens, value, writing)),
  ])
  return toContent(stored)
}

/**
 * The form that is compared, made from the tool's record. The record must be complete: a missing field would look
 * empty, and we would overwrite what people wrote there.
 */
export function toStored<A>(label: string, entity: Entity<A>, raw: Readonly<Record<string, unknown>>): StoredContent {
  const stored = writable(entity, null).map(({ name, lens }): [string, unknown] => {
    if (lens.from === null) return [name, lens.stored(undefined, raw)]
    const held = heldAt(raw, lens.from)
    // As in reading: an empty text in place of a date or a number means that there is none.
    const value = held === '' && !hasShape(lens.check, held) ? null : held
    if (value === undefined || (value !== null && !hasShape(lens.check, value)))
      throw unreadable(label, entity, lens.from)
    for (const [path, check] of value === null ? [] : Object.entries(lens.also ?? {})) {
      if (!hasShape(check, valueAt(raw, path))) throw unreadable(label, entity, path)
    }
    return [name, lens.stored(value, raw)]
  })
  return toContent(stored)
}

/** Throws unless the record has every field that the declaration reads. A version is computed from all of them. */
export function requireWhole<A>(label: string, entity: Entity<A>, raw: unknown): RawRecord {
  const given = hasShape(anyObject, raw) ? raw : {}
  for (const [path, check] of [idShape, ...shapesOf(entity)]) {
    if (!hasShape(check, valueAt(given, path))) throw unreadable(label, entity, path)
  }
  return given as RawRecord
}

const idShape: [string, TSchema] = ['id', Type.Union([Type.Integer({ minimum: 1 }), Type.String({ minLength: 1 })])]

const unreadable = <A>(label: string, { name }: Entity<A>, path: string) =>
  new UnreadableAnswerError(`${label} answered with ${name} whose ${path} is of an unknown shape`)

/** The description of an entity besides its declared fields. `fields` holds the account's facts about single fields. */
export type Offer = Partial<Omit<DestinationEntity, 'fields'>> & {
  /** Names of the required fields, or `family` for the fields that the family requires. */
  required?: readonly string[] | 'family'
  fields?: Readonly<Record<string, Partial<DestinationField>>>
}

/** Builds the description of an entity's fields. The connector adds the entity's other facts. */
export function describeEntity<A>(entity: Entity<A>, more: Offer = {}): DestinationEntity {
  const { required = [], customFields = [], fields: told = {}, ...rest } = more
  const fields = Object.entries(entity.fields).flatMap(([name, lens]): [string, DestinationField][] => {
    const { type, maxLength, options, currencies, write } = lens
    if (!write) return []
    const isRequired =
      required === 'family' ? entity.definition.fields[name]?.required === true : required.includes(name)
    const rule = { type, many: lens.many && !lens.takesOne, required: isRequired, maxLength }
    const own = { options: [...options], ...(currencies && { currencies: [...currencies] }) }
    return [[name, { ...rule, ...own, ...told[name] }]]
  })
  const known = Object.fromEntries(fields)
  for (const [part, names] of [
    ['required', required === 'family' ? [] : required],
    ['fields', Object.keys(told)],
  ] as const) {
    const odd = names.find((name) => !Object.hasOwn(known, name))
    // Otherwise a misspelt name would have no effect, and nobody would notice.
    if (odd !== undefined) throw new Error(`${entity.name}: offer.${part}: it writes no field ${odd}`)
  }
  return { fields: known, customFields, ...rest }
}

const createdAt = 'created at'
const updatedAt = 'updated at'

/** All fields that can be written, with their values. The times use names with a space, which no family field has. */
function writable<A>(
  entity: Entity<A>,
  content: OutgoingContent | null,
): { name: string; lens: Lens<A>; value: unknown }[] {
  const all: [string, Lens<A> | undefined, unknown][] = [
    [createdAt, entity.createdAt, content?.createdAt],
    [updatedAt, entity.updatedAt, content?.updatedAt],
    ...Object.entries(entity.fields).map(([name, lens]): [string, Lens<A>, unknown] => [
      name,
      lens,
      content?.fields[name],
    ]),
  ]
  return all.flatMap(([name, lens, value]) => (lens?.write ? [{ name, lens, value }] : []))
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

function sentValue<A>(lens: Lens<A>, value: unknown, writing: Writing): unknown {
  return isEmpty(value) && !lens.writesEmpty ? lens.empty : lens.write?.(value, writing)
}

/** The further fields that a lens writes besides its own. */
export const partsOf = <A>(lens: Lens<A>, value: unknown): Record<string, unknown> =>
  isEmpty(value) ? {} : (lens.writesAlso?.(value) ?? {})

function toContent(stored: [string, unknown][]): StoredContent {
  const { [createdAt]: created = null, [updatedAt]: updated = null, ...fields } = Object.fromEntries(stored)
  return { fields, customFields: {}, createdAt: created as string | null, updatedAt: updated as string | null }
}

function setAt(body: Record<string, unknown>, path: string, value: unknown): void {
  const names = path.split('.')
  const last = names.pop() ?? ''
  let inner = body
  for (const name of names) {
    inner[name] ??= {}
    inner = inner[name] as Record<string, unknown>
  }
  inner[last] = value
}
