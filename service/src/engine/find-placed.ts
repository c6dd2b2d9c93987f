import type { FoundRecord, SoughtRecord } from '../connectors/contract/contract.ts'
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
  const batches = besideSiblings(sought, batchSize)
  const found = (await Promise.all(batches.map((batch) => writer.find(entity, batch)))).flat()
  const byKey = new Map(found.map((record) => [record.key, record]))
  return (row) => byKey.get(recordKey(importId, entity, row.source_id))
}

/** Batches with siblings side by side: a tool that lists records below their parent is asked once for each parent. */
function besideSiblings(sought: readonly SoughtRecord[], batchSize: number): SoughtRecord[][] {
  const families = Map.groupBy(sought, ({ parent }) => parent && `${parent.entity}/${parent.destinationId}`)
  const batches: SoughtRecord[][] = []
  for (const [parent, siblings] of families) {
    const last = batches.at(-1)
    // Records without a parent have nothing in common.
    const fits = last !== undefined && (!parent || last.length + Math.min(siblings.length, batchSize) <= batchSize)
    const rest = fits ? siblings.slice(batchSize - last.length) : siblings
    if (fits) last.push(...siblings.slice(0, batchSize - last.length))
    for (let at = 0; at < rest.length; at += batchSize) batches.push(rest.slice(at, at + batchSize))
  }
  return batches
}
