import { sql } from 'kysely'
import { findPlaced } from './find-placed.ts'
import { findPlacedRows, refKey } from './ledger.ts'
import { nameRecord } from './name-record.ts'
import { type OpenRunParts, openImport } from './open-run.ts'

interface ListedRecord {
  entity: string
  source_id: string
}

/** The titles of these records in the destination, by `entity/source id`. Records that it does not show are left out. */
export type TitleRecords = (importId: string, records: readonly ListedRecord[]) => Promise<ReadonlyMap<string, string>>

const lookMs = 10_000

/** The titles are read when they are shown, and kept nowhere. A destination that does not answer costs only the titles. */
export function createTitleRecords(parts: Omit<OpenRunParts, 'signal'>): TitleRecords {
  return async (importId, records) => {
    const titles = new Map<string, string>()
    try {
      const opened = await openImport({ ...parts, signal: AbortSignal.timeout(lookMs) }, importId, {})
      try {
        for (const [entity, some] of Map.groupBy(records, (record) => record.entity)) {
          if (opened.mapping.destination.entities[entity] === undefined) continue
          const ids = some.map(({ source_id }) => source_id)
          const place = { importId, entity, after: null, limit: ids.length }
          const rows = await findPlacedRows(parts.db, place, sql`m.source_id = any(${ids})`)
          const foundOf = await findPlaced(opened, entity, rows)
          for (const row of rows) {
            const title = nameRecord(foundOf(row)?.fields ?? {}).title
            if (title !== '') titles.set(refKey({ entity, sourceId: row.source_id }), title)
          }
        }
      } finally {
        await opened.close()
      }
    } catch {
      // Ids and links name the records as well.
    }
    return titles
  }
}
