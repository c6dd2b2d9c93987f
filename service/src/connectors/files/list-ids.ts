import type { StoredUpload } from '../contract/upload-contract.ts'
import { hashId, readIdHashes } from './row-index.ts'
import type { CsvTable } from './table.ts'

/**
 * Which ids the files hold, as their indexes tell. Of files that give their rows no ids, or hold nothing of an entity,
 * nobody can tell what is missing: then all are there. Two ids may have the same hash; then a missing one passes for
 * there, once in some thousand times for a million rows.
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
