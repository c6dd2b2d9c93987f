import { sql } from 'kysely'
import type { DestinationDescription, FoundRecord, SoughtRecord, Writer } from '../connectors/contract/contract.ts'
import { rowsWith } from '../db/find-in-ledger.ts'
import type { Db } from '../db/open-database.ts'
import { ConnectorFaultError } from '../errors.ts'
import { recordKey } from './record-key.ts'

/**
 * The same writer, whose `find` never takes one record of the destination for two of the source. Only entities whose
 * records become one on purpose may share them. Otherwise two rows of the ledger would point to one record, and nobody
 * would know that the other is missing.
 */
export function vetFound(
  writer: Writer,
  { entities }: DestinationDescription,
  { db, importId, tool }: { db: Db; importId: string; tool: string },
): Writer {
  /** Keys of the records that were found by their keys and may not be in the ledger yet. */
  const claimed = new Map<string, string>()
  const placeOf = (entity: string, { destinationId }: FoundRecord) => `${entity}/${destinationId}`
  const requireOwn = async (entity: string, found: readonly FoundRecord[]) => {
    const ids = found.map(({ destinationId }) => destinationId)
    // A matched row does not count: a record of ours may have been used for another one while its answer was lost.
    const { rows } = await sql<{ source_id: string; destination_id: string }>`
      select m.source_id, m.destination_id from ${rowsWith('destination_id', importId, ids)} m
      where m.entity = ${entity} and m.state = 'written'`.execute(db)
    const owned = rows.map((row) => [row.destination_id, recordKey(importId, entity, row.source_id)] as const)
    for (const record of found) {
      const { key, destinationId } = record
      const place = placeOf(entity, record)
      const other = [claimed.get(place), ...owned.flatMap(([id, owner]) => (id === destinationId ? [owner] : []))]
      if (other.some((owner) => owner !== undefined && owner !== key))
        throw new ConnectorFaultError(tool, `find(${entity}) found one record for two of the source`)
      claimed.set(place, key)
    }
  }
  return {
    ...writer,
    async find(entity, sought) {
      const found = await writer.find(entity, sought)
      if (entities[entity]?.unites) return found
      const known = new Map(sought.map(({ key, destinationId }: SoughtRecord) => [key, destinationId]))
      const byKey = found.filter(
        ({ key, destinationId, isUnreadable }) => !isUnreadable && known.get(key) !== destinationId,
      )
      if (byKey.length > 0) await requireOwn(entity, byKey)
      return found
    },
  }
}
