import { sql } from 'kysely'
import { connectors } from '../connectors/registry.ts'
import { rowsWith } from '../db/find-in-ledger.ts'
import type { Tx } from '../db/open-database.ts'
import type { OutcomeRow } from './change-ledger.ts'
import type { LedgerRow } from './ledger.ts'
import type { RunContext } from './run-context.ts'

const ownTools: ReadonlySet<string> = new Set(connectors.map(({ tool }) => tool))

/**
 * Outcomes of a connector from outside that give a record the id of another one of the import, though such records do
 * not become one. Nobody would know that one of them is missing, and an undo would compare both with the same record.
 */
export async function findSharedIds(
  tx: Tx,
  { importId, mapping, destinationTool }: Pick<RunContext, 'importId' | 'mapping' | 'destinationTool'>,
  entity: string,
  outcomes: readonly OutcomeRow[],
  rowOf: (sourceId: string) => LedgerRow | undefined,
): Promise<Set<OutcomeRow>> {
  if (ownTools.has(destinationTool) || mapping.destination.entities[entity]?.unites) return new Set()
  const isNew = ({ state, source_id, destination_id }: OutcomeRow) => {
    const row = rowOf(source_id)
    return state === 'written' && !(row?.state === 'written' && row.destination_id === destination_id)
  }
  const fresh = outcomes.filter(isNew)
  if (fresh.length === 0) return new Set()
  const { rows } = await sql<{ source_id: string; destination_id: string }>`
    select m.source_id, m.destination_id
    from ${rowsWith(
      'destination_id',
      importId,
      fresh.map(({ destination_id }) => String(destination_id)),
    )} m
    where m.entity = ${entity} and m.state = 'written'`.execute(tx)
  const owners = Map.groupBy([...rows, ...fresh], ({ destination_id }) => destination_id)
  const isShared = ({ destination_id, source_id }: OutcomeRow) =>
    owners.get(destination_id)?.some((owner) => owner.source_id !== source_id) === true
  return new Set(fresh.filter(isShared))
}
