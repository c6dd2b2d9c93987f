import type { WriteOutcome } from '../connectors/contract.ts'
import { hashContent } from './hash-record.ts'
import { isAsWritten } from './judge-removal.ts'
import { type LedgerRow, stateKey } from './ledger.ts'
import { findInBatches } from './reconcile.ts'
import type { RunContext } from './run-context.ts'
import type { Sending, SendOutcome } from './sending.ts'

/**
 * Looks at records that are already in the destination, just before they are written over. From the moment of our first
 * write they belong to people there: an edited one stays as it is, a deleted one stays deleted. Both are listed.
 */
export async function keepEdits(
  context: RunContext,
  entity: string,
  batch: Sending[],
  known: ReadonlyMap<string, LedgerRow>,
): Promise<{ send: Sending[]; outcomes: SendOutcome[] }> {
  const rowOf = ({ record }: Sending) => known.get(stateKey(record))
  const isThere = (sending: Sending) => {
    const row = rowOf(sending)
    // Nobody knows how a record looked that differed from the beginning, unless it was read back.
    const isComparable = row?.stored_hash != null || !row?.warned?.includes('differs')
    return row?.state === 'written' && sending.base === null && isComparable
  }
  const there = batch.filter(isThere)
  if (there.length === 0) return { send: batch, outcomes: [] }
  const found = await findInBatches(context, entity, there)
  const outcomes: SendOutcome[] = []
  for (const sending of there) {
    const { key } = sending.outgoing
    const row = rowOf(sending)
    const record = found.get(key)
    if (!record) outcomes.push({ key, result: 'deleted' })
    else if (row && !isAsWritten(row, record)) {
      outcomes.push({ key, result: 'edited', destinationId: record.destinationId, url: record.url })
    }
  }
  const kept = new Set(outcomes.map(({ key }) => key))
  return { send: batch.filter(({ outgoing }) => !kept.has(outgoing.key)), outcomes }
}

/**
 * Reads back what the second pass will write again, where the tool has no versions: only this shows later whether a
 * difference is the tool's own doing or a person's.
 */
export async function readBack(
  context: RunContext,
  entity: string,
  batch: Sending[],
  outcomes: WriteOutcome[],
): Promise<SendOutcome[]> {
  const isLater = (outcome: WriteOutcome, sending: Sending | undefined) =>
    outcome.result === 'written' && outcome.version === null && sending?.isIncomplete === true
  const byKey = new Map(batch.map((sending) => [sending.outgoing.key, sending]))
  const later = outcomes.filter((outcome) => isLater(outcome, byKey.get(outcome.key)))
  if (later.length === 0) return outcomes
  const sought = later.flatMap((outcome) => {
    const sending = byKey.get(outcome.key)
    if (!sending || outcome.result !== 'written') return []
    return [{ ...sending, outgoing: { ...sending.outgoing, destinationId: outcome.destinationId } }]
  })
  const found = await findInBatches(context, entity, sought)
  return outcomes.map((outcome) => {
    const record = found.get(outcome.key)
    return record === undefined ? outcome : { ...outcome, storedHash: hashContent(record) }
  })
}
