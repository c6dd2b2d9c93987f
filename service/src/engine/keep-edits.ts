import type { FoundRecord, SettledOutcome } from '../connectors/contract/contract.ts'
import { noteChanges } from './half-changed.ts'
import { hashContent } from './hash-record.ts'
import { isAsWritten, isHalfOurs } from './judge-removal.ts'
import { type LedgerRow, refKey } from './ledger.ts'
import { findInBatches } from './reconcile.ts'
import type { RunContext } from './run-context.ts'
import type { Sending, SendOutcome } from './sending.ts'

/**
 * Keeps the edits of people. From our first write on, a record belongs to people in the destination: an edited record
 * stays as it is, and a deleted one stays deleted. Both are listed. A destination with conditional writes gets the
 * version that the record must still have. For any other destination the record is read just before.
 */
export async function keepEdits(
  context: RunContext,
  entity: string,
  batch: Sending[],
  known: ReadonlyMap<string, LedgerRow>,
): Promise<{ send: Sending[]; outcomes: SendOutcome[] }> {
  const rowOf = ({ record }: Sending) => known.get(refKey(record))
  const isThere = (sending: Sending) => {
    const row = rowOf(sending)
    // The form of a record that differed from the start is known only by its version, or if it was read back.
    const isKnown = row?.destination_version != null || row?.stored_hash != null
    const isComparable = isKnown || !row?.warned?.includes('differs')
    return row?.state === 'written' && isComparable
  }
  const versioned = batch.map((sending) => withVersion(context, sending, rowOf(sending)))
  const there = versioned.filter((sending) => isThere(sending) && sending.outgoing.version == null)
  if (there.length === 0) return { send: versioned, outcomes: [] }
  const found = await findInBatches(context, entity, there)
  const outcomes: SendOutcome[] = []
  const changes: Parameters<typeof noteChanges>[2][number][] = []
  for (const sending of there) {
    const { key } = sending.outgoing
    const row = rowOf(sending)
    const record = found.get(key)
    if (!record) outcomes.push({ key, result: 'deleted' })
    else if (row && !isHalfOurs(row, record) && !isAsWritten(row, record)) {
      outcomes.push({ key, result: 'edited', destinationId: record.destinationId, url: record.url })
    } else if (row) changes.push({ sending, row, found: record })
  }
  await noteChanges(context, entity, changes)
  const kept = new Set(outcomes.map(({ key }) => key))
  return { send: versioned.filter(({ outgoing }) => !kept.has(outgoing.key)), outcomes }
}

/** Only a version that is surely the newest of ours is a condition: a late request of our own must not pass for an edit. */
function withVersion({ mapping }: RunContext, sending: Sending, row: LedgerRow | undefined): Sending {
  const isCertain = row?.state === 'written' && row.sent_hash === null && !row.is_doubtful && sending.base === null
  if (!mapping.destination.capabilities.conditionalWrites || !isCertain) return sending
  return { ...sending, outgoing: { ...sending.outgoing, version: row.destination_version } }
}

/** Translates the destination's answer about a version into our outcomes. */
export function toSendOutcomes(batch: Sending[], outcomes: SettledOutcome[]): SendOutcome[] {
  const ofKey = (key: string) => batch.find(({ outgoing }) => outgoing.key === key)?.outgoing
  return outcomes.map((outcome): SendOutcome => {
    const { key, result } = outcome
    if (result === 'missing') return { key, result: 'deleted' }
    if (result !== 'changed') return outcome
    return { key, result: 'edited', destinationId: ofKey(key)?.destinationId ?? '', url: null }
  })
}

/**
 * Reads records back that the link stage will write again, or that arrived without a part of them, where the tool has
 * no versions. Only this shows later whether a difference comes from the tool or from a person.
 */
export async function readBack(context: RunContext, batch: Sending[], outcomes: SendOutcome[]): Promise<SendOutcome[]> {
  const isLater = (outcome: SendOutcome, sending: Sending | undefined) =>
    outcome.result === 'written' &&
    outcome.version === null &&
    (sending?.isIncomplete === true || (outcome.losses?.length ?? 0) > 0)
  const byKey = new Map(batch.map((sending) => [sending.outgoing.key, sending]))
  const later = outcomes.filter((outcome) => isLater(outcome, byKey.get(outcome.key)))
  if (later.length === 0) return outcomes
  const sought = later.flatMap((outcome) => {
    const sending = byKey.get(outcome.key)
    if (!sending || outcome.result !== 'written') return []
    return [{ ...sending, outgoing: { ...sending.outgoing, destinationId: outcome.destinationId } }]
  })
  const found = new Map<string, FoundRecord>()
  for (const [entity, ofEntity] of Map.groupBy(sought, ({ record }) => record.entity))
    for (const [key, record] of await findInBatches(context, entity, ofEntity)) found.set(key, record)
  return outcomes.map((outcome) => {
    const record = found.get(outcome.key)
    if (record === undefined || record.isUnreadable || outcome.result !== 'written') return outcome
    return { ...outcome, storedHash: hashContent(record) }
  })
}
