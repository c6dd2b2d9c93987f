import type { WriteOutcome } from '../connectors/contract.ts'
import { isAsWritten } from './judge-removal.ts'
import { type LedgerRow, stateKey } from './ledger.ts'
import { findInBatches } from './reconcile.ts'
import type { RunContext } from './run-context.ts'
import type { Sending } from './write-page.ts'

/**
 * What an earlier run has written belongs to the people of the destination by now: where they have changed it, it stays
 * as it is and is listed, instead of being written over.
 */
export async function keepEdits(
  context: RunContext,
  entity: string,
  sendings: Sending[],
  known: ReadonlyMap<string, LedgerRow>,
): Promise<{ send: Sending[]; outcomes: WriteOutcome[] }> {
  const rowOf = ({ record }: Sending) => known.get(stateKey(record))
  const isOlder = (sending: Sending) => {
    const row = rowOf(sending)
    // What was read back and differed from the beginning tells nothing about people.
    return row?.state === 'written' && row.run_id !== context.run.id && !row.warned?.includes('differs')
  }
  const older = sendings.filter(isOlder)
  if (older.length === 0) return { send: sendings, outcomes: [] }
  const found = await findInBatches(context, entity, older)
  const isEdited = (sending: Sending) => {
    const row = rowOf(sending)
    const there = found.get(sending.outgoing.key)
    return row !== undefined && there !== undefined && !isAsWritten(row, there)
  }
  const edited = new Set(older.filter(isEdited))
  const message = 'It was changed in the destination since it was written, so it was left as it is there.'
  return {
    send: sendings.filter((sending) => !edited.has(sending)),
    outcomes: [...edited].map(({ outgoing }) => ({ key: outgoing.key, result: 'refused', code: 'edited', message })),
  }
}
