import type { FoundRecord } from '../connectors/contract/contract.ts'
import { capabilitiesOf } from '../connectors/entity-capabilities.ts'
import { type PlacedRow, soughtRecord } from './ledger.ts'
import { recordKey } from './record-key.ts'
import type { OpenedImport } from './run-context.ts'

/** Asks the destination for the records of these rows, several requests at once. Returns the record of each row. */
export async function findPlaced(
  { importId, writer, mapping }: OpenedImport,
  entity: string,
  rows: PlacedRow[],
): Promise<(row: PlacedRow) => FoundRecord | undefined> {
  const { batchSize } = capabilitiesOf(mapping.destination, entity)
  const sought = rows.map((row) => soughtRecord(importId, entity, row))
  const batches = Array.from({ length: Math.ceil(sought.length / batchSize) }, (_, index) =>
    sought.slice(index * batchSize, (index + 1) * batchSize),
  )
  const found = (await Promise.all(batches.map((batch) => writer.find(entity, batch)))).flat()
  const byKey = new Map(found.map((record) => [record.key, record]))
  return (row) => byKey.get(recordKey(importId, entity, row.source_id))
}
