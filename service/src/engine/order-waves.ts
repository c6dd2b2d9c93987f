import type { FamilyRecord, RecordRef } from '../families/record.ts'

/**
 * The records of a page in the order in which they can be written when some of their relations must be given at once:
 * what others refer to comes in an earlier wave than they do. Whatever goes in a circle comes last, together.
 */
export function orderWaves(records: readonly FamilyRecord[], relations: readonly string[]): FamilyRecord[][] {
  const refsOf = ({ entity, fields }: FamilyRecord) =>
    relations
      .flatMap((name) => [fields[name] ?? []].flat() as RecordRef[])
      .flatMap((ref) => (ref.entity === entity ? [ref.sourceId] : []))
  const waves: FamilyRecord[][] = []
  let left = [...records]
  while (left.length > 0) {
    const ids = new Set(left.map(({ sourceId }) => sourceId))
    const isReady = (record: FamilyRecord) => refsOf(record).every((id) => id === record.sourceId || !ids.has(id))
    const wave = relations.length === 0 ? left : left.filter(isReady)
    waves.push(wave.length > 0 ? wave : left)
    const sent = new Set(waves.at(-1))
    left = left.filter((record) => !sent.has(record))
  }
  return waves.length === 0 ? [[]] : waves
}
