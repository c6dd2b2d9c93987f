import type { RunKind, StageKind } from '../db/schema.ts'
import { type Family, familyDefinitions } from '../families/index.ts'
import { isFileEntity } from './send-batches.ts'

export interface PlannedStage {
  position: number
  stage: StageKind
  entity: string | null
}

/** What a run does, in order. Undo goes the way back: children before what they hang on. */
export function planStages(family: Family, kind: RunKind): PlannedStage[] {
  const { entities } = familyDefinitions[family]
  const names = entities.map(({ name }) => name)
  const of = (stage: StageKind, some: readonly string[]) => some.map((entity) => ({ stage, entity }))
  const users: Omit<PlannedStage, 'position'>[] = [{ stage: 'users', entity: null }]
  const linking = entities
    .filter(({ secondPass, fields }) => secondPass || Object.values(fields).some(({ type }) => type === 'rich_text'))
    .map(({ name }) => name)
  // From the last: what a ticket refers to comes along with it, besides those chosen for themselves.
  const tops = entities.filter(({ isTop }) => isTop).map(({ name }) => name)
  // The bytes of a file are verified while they are sent.
  const readable = names.filter((name) => !isFileEntity(name))
  // A kept ticket keeps its parent, which an undo may meet before it.
  const selfReferring = entities
    .filter(({ name, fields }) => Object.values(fields).some(({ to = [] }) => to.includes(name)))
    .map(({ name }) => name)
  const writing = [...of('write', names), ...of('link', linking), ...of('sweep', names), ...of('verify', readable)]
  const stages: Record<RunKind, Omit<PlannedStage, 'position'>[]> = {
    plan: [...users, ...of('survey', names)],
    sample: [...users, ...of('choose', [...tops].reverse()), ...of('recheck', names), ...writing],
    full: [...users, ...of('recheck', names), ...writing],
    delta: [...users, ...of('recheck', names), ...writing],
    retry: [...users, ...writing],
    preview: of('inspect', [...names].reverse()),
    undo: [
      ...of('sweep', names),
      ...of('inspect', selfReferring),
      ...of('remove', [...names].reverse()),
      ...of('follow', names),
    ],
  }
  return stages[kind].map((stage, position) => ({ ...stage, position }))
}
