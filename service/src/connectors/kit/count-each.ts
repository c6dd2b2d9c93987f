/**
 * Runs the counter of every entity, or of the entity `only`. The count is null for an entity that the tool does not
 * count.
 */
export async function countEach(
  counters: Record<string, (() => Promise<number | null>) | null>,
  only?: string,
): Promise<Record<string, number | null>> {
  const counts: Record<string, number | null> = {}
  for (const [entity, count] of Object.entries(counters)) {
    if (only === undefined || entity === only) counts[entity] = (await count?.()) ?? null
  }
  return counts
}

/** The same counter for several entities. */
export const countersOf = <N extends string>(names: readonly N[], count: (name: N) => Promise<number | null>) =>
  Object.fromEntries(names.map((name) => [name, () => count(name)]))
