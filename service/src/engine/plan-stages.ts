import type { DestinationEntity } from '../connectors/contract/contract.ts'
import type { RunKind, StageKind } from '../db/schema.ts'
import { entityOf, type Family, familyDefinitions } from '../families/index.ts'

export interface PlannedStage {
  position: number
  stage: StageKind
  entity: string | null
}

/** The stages of a run, in order. Undo goes backwards: children before their parents. */
export function planStages(family: Family, kind: RunKind): PlannedStage[] {
  const { entities } = familyDefinitions[family]
  const names = entities.map(({ name }) => name)
  const of = (stage: StageKind, some: readonly string[]) => some.map((entity) => ({ stage, entity }))
  const users: Omit<PlannedStage, 'position'>[] = [{ stage: 'users', entity: null }]
  // In reverse order: tickets are chosen first, together with the contacts that they refer to.
  const tops = entities.filter(({ isTop }) => isTop).map(({ name }) => name)
  // Records of these entities can refer to a record that is to be removed.
  const referring = entities
    .filter(({ fields }) => Object.values(fields).some(({ to = [] }) => to.length > 0))
    .map(({ name }) => name)
  // A custom field of any record may name a record that is written later.
  const writing = [...of('write', names), ...of('link', names), ...of('sweep', names), ...of('verify', names)]
  const stages: Record<RunKind, Omit<PlannedStage, 'position'>[]> = {
    plan: [...users, ...of('survey', names), ...of('link', names)],
    sample: [...users, ...of('choose', [...tops].reverse()), ...of('recheck', names), ...writing],
    full: [...users, ...of('recheck', names), ...writing, ...of('compare', names)],
    delta: [...users, ...of('recheck', names), ...writing, ...of('compare', names)],
    retry: [...users, ...writing],
    check: of('verify', names),
    preview: of('inspect', [...names].reverse()),
    removal: [
      ...of('guard', referring),
      ...of('inspect', [...names].reverse()),
      ...of('remove', [...names].reverse()),
      ...of('follow', names),
    ],
    undo: [
      ...of('sweep', names),
      ...of('inspect', [...names].reverse()),
      ...of('remove', [...names].reverse()),
      ...of('follow', names),
      // Last, when no record of the import uses side records any more.
      { stage: 'tidy', entity: null },
    ],
  }
  return stages[kind].map((stage, position) => ({ ...stage, position }))
}

/**
 * Whether an undo has to look at all records of an entity before it removes any. A kept ticket keeps its parent, which
 * may be met before it. A comment that people changed would be removed with its ticket.
 */
export function isInspectedFirst(family: Family, entity: string, described: DestinationEntity | undefined): boolean {
  return isSelfReferring(family, entity) || (described?.removal === 'with parent' && described.isUnchangeable !== true)
}

/** Whether a record of one entity may be written after those of another one that refer to it. */
export function isWrittenLater(family: Family, entity: string, referring: string): boolean {
  const names = familyDefinitions[family].entities.map(({ name }) => name)
  return names.indexOf(entity) >= names.indexOf(referring)
}

/** Whether records of an entity can refer to each other, such as a category to its parent category. */
export const isSelfReferring = (family: Family, entity: string): boolean =>
  Object.values(entityOf(family, entity).fields).some(({ to = [] }) => to.includes(entity))
