import type { RemovableRecord } from '../connectors/contract.ts'
import type { UndoFinding } from '../db/schema.ts'
import { isAsSent } from './hash-record.ts'
import { type PlacedRow, soughtRecord } from './ledger.ts'
import { recordKey } from './record-key.ts'
import type { RunContext } from './run-context.ts'

/** What an undo meets where a record should be. */
export interface RemovalJudgement {
  row: PlacedRow
  finding: UndoFinding
  /** What is to be removed; more than one only if a record was written twice. */
  records: RemovableRecord[]
  message: string | null
}

/**
 * Asks the destination for these records, and tells which of them are still as we wrote them. With a version the
 * destination itself says so; otherwise what is read back is compared.
 */
export async function judgeRemoval(
  { importId, writer, mapping }: RunContext,
  entity: string,
  rows: PlacedRow[],
): Promise<RemovalJudgement[]> {
  const { deliveryClass } = mapping.destination.capabilities
  const isLost = (row: PlacedRow) => deliveryClass === 'D' && row.destination_id === null
  const askable = rows.filter((row) => !isLost(row))
  const found =
    askable.length === 0
      ? []
      : await writer.find(
          entity,
          askable.map((row) => soughtRecord(importId, entity, row)),
        )
  return rows.map((row): RemovalJudgement => {
    const key = recordKey(importId, entity, row.source_id)
    const there = found.filter((record) => record.key === key)
    const { parent } = soughtRecord(importId, entity, row)
    const records = there.map(({ destinationId, version }) => ({ key, destinationId, version, parent }))
    const judge = (finding: UndoFinding, message: string | null = null) => ({ row, finding, records, message })
    if (isLost(row)) return judge('unknown', 'It may be there or not; nobody can look for it.')
    if (there.length === 0) return judge('missing')
    const isEdited = there.some((record) =>
      row.destination_version !== null && record.version !== null
        ? record.version !== row.destination_version
        : row.written_hash !== null && !isAsSent(row.written_hash, record),
    )
    return isEdited ? judge('edited', 'It was changed in the destination after it was written.') : judge('removable')
  })
}
