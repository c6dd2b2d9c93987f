import { audienceFields } from '../families/audience.ts'
import type { EntityDefinition } from '../families/definition.ts'
import type { FamilyRecord } from '../families/record.ts'
import type { Mapping } from './find-target.ts'
import { mapRecord } from './map-record.ts'

/** Number of records by audience. */
export type AudienceCounts = Record<string, number>

/** More audiences than any tool has. Further ones are not counted. */
const mostKinds = 200
const longestValue = 200

/** Adds these records to the counts. Only the audience of a record is kept. */
export function countAudiences(
  entity: EntityDefinition,
  records: readonly FamilyRecord[],
  before: AudienceCounts,
): AudienceCounts {
  const telling = audienceFields(entity)
  if (telling.length === 0) return before
  const counts = new Map(Object.entries(before))
  for (const { fields } of records) {
    const values = telling.flatMap(({ name, rule }) => {
      const value = fields[name]
      if (value === undefined || value === null || value === '') return []
      // Only the existence of a password is kept, never the password.
      return [[name, rule.order.length === 0 ? '*' : typeof value === 'boolean' ? value : String(value)]]
    })
    const kind = JSON.stringify(Object.fromEntries(values))
    const isKept = counts.has(kind) || (counts.size < mostKinds && kind.length <= longestValue)
    if (isKept) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return Object.fromEntries(counts)
}

/** Number of records that the destination would show to people who cannot see them now. */
export function countUnprotected(entity: EntityDefinition, mapping: Mapping, counts: AudienceCounts): number {
  if (mapping.destination.entities[entity.name] === undefined) return 0
  const { send_unprotected: _chosen, ...change } = mapping.changes.entities?.[entity.name] ?? {}
  const changes = { ...mapping.changes, entities: { ...mapping.changes.entities, [entity.name]: change } }
  const { parent: _parent, ...alone } = entity
  const isUnprotected = (kind: string) => {
    const record: FamilyRecord = { entity: entity.name, sourceId: '', fields: JSON.parse(kind) }
    const content = mapRecord(record, {
      entity: alone,
      mapping: { ...mapping, changes },
      resolveRecord: () => 'unknown',
      resolveUser: () => null,
      mapText: () => null,
    })
    return content?.refusal === 'not_protected'
  }
  return Object.entries(counts).reduce((sum, [kind, count]) => sum + (isUnprotected(kind) ? count : 0), 0)
}
