import { createHash } from 'node:crypto'
import { Check } from 'typebox/value'
import { UnreadableAnswerError } from '../../errors.ts'
import type { DestinationEntity, DestinationField, OutgoingContent, StoredContent } from '../contract.ts'
import type { Entity } from './entity.ts'
import { type Lens, valueAt } from './lens.ts'

// The same declarations, the other way: what is sent, the form to compare, and what the destination says of itself.

/** The body of a request. A field that the record does not have is not sent; an empty one is sent as empty. */
export function writeRecord<A>(entity: Entity<A>, content: OutgoingContent): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const { lens, value } of writable(entity, content)) {
    if (value !== undefined) setAt(body, lens.to ?? lens.from ?? '', sentValue(lens, value))
  }
  return body
}

/** What the tool will have of a record that is sent so. Pure. */
export function asStored<A>(entity: Entity<A>, content: OutgoingContent): StoredContent {
  const stored = writable(entity, content).map(({ name, lens, value }): [string, unknown] => [
    name,
    lens.stored(sentValue(lens, value)),
  ])
  return toContent(stored)
}

/**
 * The same form of what the tool has. All of a record must be there: a missing field would pass for an empty one, and what
 * people wrote there would be overwritten.
 */
export function toStored<A>(label: string, entity: Entity<A>, raw: Readonly<Record<string, unknown>>): StoredContent {
  const stored = writable(entity, null).map(({ name, lens }): [string, unknown] => {
    const value = valueAt(raw, lens.from ?? '')
    if (value === undefined || (value !== null && !Check(lens.check, value))) {
      throw new UnreadableAnswerError(`${label} answered with ${entity.name} whose ${lens.from} is of an unknown shape`)
    }
    return [name, lens.stored(value)]
  })
  return toContent(stored)
}

/** What the destination says of its fields. What else there is to say of an entity comes beside. */
export function describeEntity<A>(
  entity: Entity<A>,
  more: Partial<Omit<DestinationEntity, 'fields'>> & { required?: readonly string[] } = {},
): DestinationEntity {
  const { required = [], customFields = [], ...rest } = more
  const fields = Object.entries(entity.fields).flatMap(([name, lens]): [string, DestinationField][] => {
    const { type, many, maxLength, options, write } = lens
    return write ? [[name, { type, many, required: required.includes(name), maxLength, options: [...options] }]] : []
  })
  return { fields: Object.fromEntries(fields), customFields, ...rest }
}

/** Changes with everything that is named. For tools that have no version of their own. */
export const versionOf = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)

const createdAt = 'created at'
const updatedAt = 'updated at'

/** Names of fields are those of families, which have no spaces. */
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

const sentValue = <A>(lens: Lens<A>, value: unknown): unknown =>
  value === null || value === undefined || value === '' ? lens.empty : lens.write?.(value)

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
