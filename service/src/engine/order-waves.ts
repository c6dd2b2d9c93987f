import type { FamilyRecord, RecordRef } from '../families/record.ts'

/**
 * Orders the records of a page into waves, for destinations that cannot change some values later: a record comes in a
 * later wave than the records that it names. If records name each other, the first of them goes first. `namesOf`
 * returns the ids of the records of the same entity that a record names. Without it, all records are one wave.
 */
export function orderWaves(
  records: readonly FamilyRecord[],
  namesOf: ((record: FamilyRecord) => Iterable<string>) | null,
): FamilyRecord[][] {
  if (!namesOf || records.length === 0) return [[...records]]
  const ids = new Set(records.map(({ sourceId }) => sourceId))
  const namedBy = new Map<string, FamilyRecord[]>()
  /** The number of records that each record waits for. */
  const open = new Map<FamilyRecord, number>()
  for (const record of records) {
    const named = new Set([...namesOf(record)].filter((id) => ids.has(id) && id !== record.sourceId))
    open.set(record, named.size)
    for (const id of named) {
      const others = namedBy.get(id)
      if (others) others.push(record)
      else namedBy.set(id, [record])
    }
  }
  const waves: FamilyRecord[][] = []
  let wave = records.filter((record) => open.get(record) === 0)
  while (open.size > 0) {
    const [first] = open.keys()
    if (wave.length === 0 && first) wave = [first]
    for (const record of wave) open.delete(record)
    waves.push(wave)
    wave = wave.flatMap(({ sourceId }) => namedBy.get(sourceId) ?? []).filter((record) => isReady(open, record))
  }
  return waves
}

/** Counts one of the awaited records as written. Returns whether none is left. */
function isReady(open: Map<FamilyRecord, number>, record: FamilyRecord): boolean {
  const left = open.get(record)
  if (left === undefined) return false
  open.set(record, left - 1)
  return left === 1
}

/** The records of the same entity that these relations of a record point to. */
export const relatedTo = (relations: readonly string[], { entity, fields }: FamilyRecord): string[] =>
  relations
    .flatMap((name) => [fields[name] ?? []].flat() as RecordRef[])
    .flatMap((ref) => (ref.entity === entity ? [ref.sourceId] : []))
