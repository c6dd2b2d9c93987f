import type { StoredUpload } from '../contract/upload-contract.ts'
import { hashId, readIdHashes } from './row-index.ts'
import type { CsvTable } from './table.ts'

/**
 * Finds ids in the row indexes of the files. If the rows have no ids, or no table holds the entity, all ids count as
 * present, because nobody can tell which are missing. Two ids may share a hash; then a missing id counts as present.
 * This happens about once in some thousand lookups for a million rows.
 */
export function createIdFinder(upload: StoredUpload, tablesOf: (entity: string) => readonly CsvTable[]) {
  const known = new Map<string, Promise<ReadonlySet<number>>>()
  const hashesOf = async (tables: readonly CsvTable[]): Promise<ReadonlySet<number>> => {
    const hashes = new Set<number>()
    for (const { index } of tables) {
      if (!index) continue
      for await (const some of readIdHashes(upload.open(index, { start: 0, end: index.size }))) {
        for (const hash of some) hashes.add(hash)
      }
    }
    return hashes
  }
  return async (entity: string, ids: readonly string[]): Promise<readonly string[]> => {
    const tables = tablesOf(entity)
    if (tables.length === 0 || tables.some(({ key, index }) => key === null || !index)) return ids
    const reading = known.get(entity) ?? hashesOf(tables)
    known.set(entity, reading)
    reading.catch(() => known.delete(entity))
    const hashes = await reading
    return ids.filter((id) => hashes.has(hashId(id)))
  }
}
