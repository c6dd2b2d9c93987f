import type { EntityChanges, FieldChange, MappingChanges } from '../../../service/src/mapping/changes.ts'
import type { DescribedEntity, DescribedField } from '../../../service/src/mapping/describe-mapping.ts'

type Undefinable<T> = { [K in keyof T]?: T[K] | undefined }

/** The same object without what is undefined or an empty object: nothing stands for "as suggested". */
function tidy<T extends object>(value: T): T {
  const entries = Object.entries(value).filter(
    ([, one]) => one !== undefined && !(typeof one === 'object' && one !== null && !Array.isArray(one) && isEmpty(one)),
  )
  return Object.fromEntries(entries) as T
}

const isEmpty = (value: object) => Object.keys(value).length === 0

export function changeEntity(
  changes: MappingChanges,
  entity: string,
  change: Undefinable<EntityChanges>,
): MappingChanges {
  const before = changes.entities?.[entity] ?? {}
  const entities = tidy({ ...changes.entities, [entity]: tidy({ ...before, ...change }) })
  return tidy({ ...changes, entities }) as MappingChanges
}

export function changeField(
  changes: MappingChanges,
  entity: string,
  field: string,
  change: Undefinable<FieldChange>,
): MappingChanges {
  const fields = changes.entities?.[entity]?.fields ?? {}
  const changed = tidy({ ...fields, [field]: tidy({ ...fields[field], ...change }) }) as Record<string, FieldChange>
  return changeEntity(changes, entity, { fields: changed })
}

/** Undefined means "as suggested", null "leave it empty". */
export function changeValue(
  changes: MappingChanges,
  place: { entity: string; field: string; value: string },
  to: string | null | undefined,
): MappingChanges {
  const { entity, field, value } = place
  const before = changes.entities?.[entity]?.fields?.[field]?.values ?? {}
  const { [value]: _, ...others } = before
  const values = to === undefined ? others : { ...others, [value]: to }
  return changeField(changes, entity, field, { values })
}

/** Where a field goes with these changes: as the service will decide it. */
export function targetOf(changes: MappingChanges, entity: DescribedEntity, field: DescribedField): string | null {
  const fields = changes.entities?.[entity.entity]?.fields ?? {}
  const chosen = fields[field.name]?.to
  if (chosen !== undefined) return chosen
  const isClaimed = Object.values(fields).some(({ to }) => to !== undefined && to === field.default_to)
  return isClaimed ? null : field.default_to
}

export const isSame = (one: MappingChanges, other: MappingChanges) => JSON.stringify(one) === JSON.stringify(other)
