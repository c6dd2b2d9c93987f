import type { EntityChanges, MappingChanges } from '../db/mapping-changes.ts'
import { checkChanges, type MappingSides } from './read-changes.ts'

/** Adapts changes from other accounts: keeps those whose names exist here, and returns the paths of the others. */
export function fitChanges(given: MappingChanges, sides: MappingSides): { changes: MappingChanges; dropped: string[] } {
  const changes = structuredClone(given)
  const dropped: string[] = []
  for (;;) {
    const problems = Object.keys(checkChanges(changes, sides))
    if (problems.length === 0) return { changes, dropped }
    const parts = listParts(changes)
    const wrong = new Set(
      problems.flatMap((problem) => parts.find(({ path }) => problem === path || problem.startsWith(`${path}.`)) ?? []),
    )
    if (wrong.size === 0) return { changes: {}, dropped: [...dropped, ...problems] }
    for (const { path, remove } of wrong) {
      remove()
      dropped.push(path)
    }
  }
}

interface Part {
  path: string
  remove: () => void
}

/** Every part that can be removed separately, smallest first. */
function listParts(changes: MappingChanges): Part[] {
  const { entities = {} } = changes
  const within = (entity: string, change: EntityChanges): Part[] => {
    const lists = [change.fields, change.combined, change.constants, change.only]
    const names = ['fields', 'combined', 'constants', 'only']
    const entries = lists.flatMap((list, index) =>
      Object.keys(list ?? {}).map((name) => ({
        path: `entities.${entity}.${names[index]}.${name}`,
        remove: () => void delete (list as Record<string, unknown>)[name],
      })),
    )
    // Longer paths come first, because one name may be the beginning of another.
    return entries.sort((one, other) => other.path.length - one.path.length)
  }
  return [
    ...Object.entries(entities).flatMap(([entity, change]) => within(entity, change)),
    ...Object.keys(entities).map((entity) => ({
      path: `entities.${entity}`,
      remove: () => void delete entities[entity],
    })),
    { path: 'default_user', remove: () => void delete changes.default_user },
  ]
}
