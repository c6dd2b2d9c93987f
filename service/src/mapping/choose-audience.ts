import { audienceFields, findExposed, findMissed, knownRank, rankOf } from '../families/audience.ts'
import type { AudienceRule, EntityDefinition } from '../families/definition.ts'
import type { FamilyRecord } from '../families/record.ts'
import type { WarningCode } from '../warnings/codes.ts'
import { closestOption, sameOption } from './closest-option.ts'
import type { Mapping } from './find-target.ts'
import type { MappedContent } from './map-record.ts'

/** The option with the same readers, otherwise the nearest one with fewer readers; never one with more. */
export function chooseOption(
  rule: AudienceRule,
  value: string,
  options: readonly string[],
): { option: string | null; isNarrowed: boolean } {
  const same = sameOption(value, options)
  if (same !== null) return { option: same, isNarrowed: false }
  const wanted = rankOf(rule, value)
  const ranked = options.flatMap((option) => {
    const rank = knownRank(rule, option)
    return rank === null || rank < wanted ? [] : [{ option, rank }]
  })
  const closest = closestOption(value, options)
  if (ranked.some(({ option }) => option === closest)) return { option: closest, isNarrowed: false }
  const [nearest] = ranked.sort((a, b) => a.rank - b.rank)
  return { option: nearest?.option ?? null, isNarrowed: nearest !== undefined }
}

/** A scheduled record whose time has passed was never published. It gets the last value, which nobody sees. */
export function withoutMissed(
  record: FamilyRecord,
  { entity, mapping, now = Date.now() }: { entity: EntityDefinition; mapping: Mapping; now?: number },
): { record: FamilyRecord; warnings: WarningCode[] } {
  const changes = mapping.changes.entities?.[entity.name]?.fields ?? {}
  const isChosen = (name: string) => Object.hasOwn(changes[name]?.values ?? {}, String(record.fields[name]))
  const missed = findMissed(entity, record, now).filter((name) => !isChosen(name))
  if (missed.length === 0) return { record, warnings: [] }
  const fewest = missed.map((name) => [name, entity.fields[name]?.audience?.order.at(-1) ?? null])
  return {
    record: { ...record, fields: { ...record.fields, ...Object.fromEntries(fewest) } },
    warnings: ['lost:due_kept_as_draft'],
  }
}

/**
 * Ensures that no record becomes visible to more people. If the source does not name the readers, the record gets as
 * few as the destination allows. If the destination cannot exclude readers, the record is not sent. The customer's
 * choice for a value takes precedence.
 */
export function protectAudience(
  record: FamilyRecord,
  content: MappedContent,
  { entity, mapping }: { entity: EntityDefinition; mapping: Mapping },
): void {
  const changes = mapping.changes.entities?.[entity.name]
  for (const { name, rule } of audienceFields(entity)) {
    if (isEmpty(record.fields[name]) && isEmpty(content.fields[name]) && rule.absent === 'restricted') {
      fillFewest(content, name, rule, mapping.destination.entities[entity.name]?.fields[name])
    }
  }
  const isChosen = (name: string) => {
    const values = changes?.fields?.[name]?.values ?? {}
    const given = record.fields[name]
    if (isEmpty(given)) return Object.hasOwn(changes?.constants ?? {}, name)
    return Object.hasOwn(values, String(given)) && values[String(given)] !== null
  }
  const exposed = findExposed(entity, record.fields, content.fields).filter((name) => !isChosen(name))
  if (exposed.length === 0) return
  if (changes?.send_unprotected === true) content.warnings.push('shown_to_more')
  else content.refusal = 'not_protected'
}

function fillFewest(
  content: MappedContent,
  name: string,
  rule: AudienceRule,
  target: { type: string; options: readonly string[] } | undefined,
): void {
  const fewest = rule.order.at(-1)
  if (!target || fewest === undefined) return
  const value = target.type === 'option' ? chooseOption(rule, String(fewest), target.options).option : fewest
  if (value === null) return
  content.fields[name] = value
  content.warnings.push('audience_narrowed')
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''
