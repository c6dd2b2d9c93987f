import type { AudienceRule, EntityDefinition } from './definition.ts'
import { optionMeanings } from './option-meanings.ts'
import type { FamilyRecord } from './record.ts'

// The fields with an audience rule decide who may see a record, in every family the same way.

const plain = (text: string) => text.toLowerCase().replace(/[^\p{Letter}\p{Number}]/gu, '')

const isBlank = (value: unknown) => value === undefined || value === null || value === ''

const audienceOf = new WeakMap<EntityDefinition, readonly { name: string; rule: AudienceRule }[]>()

/** The fields of an entity that decide who may see a record. Cached, because every record needs them several times. */
export function audienceFields(entity: EntityDefinition): readonly { name: string; rule: AudienceRule }[] {
  const known = audienceOf.get(entity)
  if (known) return known
  const found = Object.entries(entity.fields).flatMap(([name, { audience }]) =>
    audience ? [{ name, rule: audience }] : [],
  )
  audienceOf.set(entity, found)
  return found
}

/** 0 for all readers, more for fewer. An unknown value has the fewest. */
export function rankOf(rule: AudienceRule, value: unknown): number {
  const { order, absent } = rule
  const last = Math.max(1, order.length - 1)
  if (isBlank(value)) return absent === 'open' ? 0 : last
  return knownRank(rule, value) ?? last
}

/** The same for a value that a destination offers; null for a value that the family does not know. */
export function knownRank({ order }: AudienceRule, value: unknown): number | null {
  // A password excludes everyone who does not have it.
  if (order.length === 0) return 1
  const same = order.findIndex(
    (known) => known === value || (typeof value === 'string' && plain(String(known)) === plain(value)),
  )
  if (same >= 0) return same
  if (typeof value !== 'string') return null
  const named = order.findIndex((known) => optionMeanings[String(known)]?.names.includes(plain(value)))
  return named >= 0 ? named : null
}

/** True if fewer people may see the record than its parent, or than everyone. */
export function isRestricted(entity: EntityDefinition, fields: Record<string, unknown>): boolean {
  return audienceFields(entity).some(({ name, rule }) => rankOf(rule, fields[name]) > 0)
}

/** Fields whose time has passed though the record is not published: a destination would publish it at once. */
export function findMissed(entity: EntityDefinition, { fields, createdAt }: FamilyRecord, now: number): string[] {
  return audienceFields(entity).flatMap(({ name, rule }) => {
    const { order, due } = rule
    if (!due || isBlank(fields[name]) || order[knownRank(rule, fields[name]) ?? -1] !== due.value) return []
    const isAhead = Date.parse(String(fields[due.at] ?? createdAt)) > now
    return isAhead ? [] : [name]
  })
}

/** Fields by which `given` excludes more readers than `made` does. Empty when nobody sees more than before. */
export function findExposed(
  entity: EntityDefinition,
  given: Record<string, unknown>,
  made: Record<string, unknown>,
): string[] {
  const telling = audienceFields(entity)
  const isHidden = telling.some(({ name, rule }) => {
    const rank = isBlank(made[name]) ? null : knownRank(rule, made[name])
    return rank !== null && rule.hides?.includes(String(rule.order[rank]))
  })
  if (isHidden) return []
  return telling.flatMap(({ name, rule }) => {
    const wanted = rankOf(rule, given[name])
    // A destination without such a field shows the record to everyone.
    const got = isBlank(made[name]) ? 0 : (knownRank(rule, made[name]) ?? (made[name] === given[name] ? wanted : 0))
    return got < wanted ? [name] : []
  })
}
