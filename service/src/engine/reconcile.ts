import { setTimeout as sleep } from 'node:timers/promises'
import type { FoundRecord } from '../connectors/contract/contract.ts'
import { capabilitiesOf } from '../connectors/entity-capabilities.ts'
import { hashOutgoing, isAsSent } from './hash-record.ts'
import { isAsWritten } from './judge-removal.ts'
import { hasComeInside, type LedgerRow, refKey } from './ledger.ts'
import type { RunContext } from './run-context.ts'
import type { Sending, SendOutcome } from './sending.ts'

/** For longer waits a worker ends its slice. */
export const longestWaitMs = 3_000
const usualLateMs = 60_000

/** The destination does not show its newest records yet. Nothing has failed: the slice ends, and the next one looks. */
export class NotYetError extends Error {
  override name = 'NotYetError'
  readonly waitMs: number

  constructor(waitMs: number) {
    super('the destination does not show its newest records yet')
    this.waitMs = waitMs
  }
}

/** The time in which a request can take effect after its worker gave it up. */
export const lateMsOf = ({ mapping }: Pick<RunContext, 'mapping'>, entity: string): number =>
  capabilitiesOf(mapping.destination, entity).lateMs ?? usualLateMs

export interface Reconciled {
  /** Records to send; some of them change a record that the destination has. */
  send: Sending[]
  /** Outcomes of the records that need no sending. */
  outcomes: SendOutcome[]
}

/**
 * Looks for records whose earlier sending has no outcome, as the destination's delivery class allows, instead of
 * sending them again blindly.
 */
export async function reconcile(
  context: RunContext,
  entity: string,
  sendings: Sending[],
  known: ReadonlyMap<string, LedgerRow>,
): Promise<Reconciled> {
  const { deliveryClass, settleMs } = capabilitiesOf(context.mapping.destination, entity)
  const rowOf = ({ record }: Sending) => known.get(refKey(record))
  await waitForLate(
    context,
    entity,
    sendings.flatMap((sending) => rowOf(sending) ?? []),
  )
  const doubtful = sendings.filter((sending) => mustLookFirst(context, rowOf(sending)))
  if (doubtful.length === 0) return { send: sendings, outcomes: [] }
  const isLost = (sending: Sending) => deliveryClass === 'D' && rowOf(sending)?.state === 'intended'
  const { id, options } = context.run
  // The customer may ask a retry to send such records again. Each run sends them once.
  const isSentAgain = (sending: Sending) => options.send_unknown === true && rowOf(sending)?.run_id !== id
  const unknown = doubtful.filter((sending) => isLost(sending) && !isSentAgain(sending))
  const outcomes = unknown.map(({ outgoing }): SendOutcome => ({ key: outgoing.key, result: 'unknown' }))
  const sought = doubtful.filter((sending) => !isLost(sending))
  if (sought.length > 0 && deliveryClass !== 'A') {
    await waitForDestination(settleMs - Math.min(...sought.map((sending) => rowOf(sending)?.sent_ms_ago ?? 0)))
  }
  const found = sought.length === 0 ? new Map<string, FoundRecord>() : await findInBatches(context, entity, sought)
  const result: Reconciled = { send: [], outcomes }
  for (const sending of sendings) {
    if (unknown.includes(sending)) continue
    const judged = sought.includes(sending)
      ? judgeFound(context, sending, rowOf(sending), found.get(sending.outgoing.key))
      : sending
    if ('result' in judged) result.outcomes.push(await withLosses(context, sending, found, judged))
    else if (judged.soughtAt === undefined) result.send.push(judged)
    // The part did not arrive inside its parent, so it is sent separately.
    else result.send.push({ ...judged, hash: await hashOutgoing(context, entity, judged.outgoing, false) })
  }
  return result
}

/** Whether an earlier sending has no outcome, so that the record must be looked for before it is sent again. */
function mustLookFirst(context: RunContext, row: LedgerRow | undefined): boolean {
  if (!row || row.sent_ms_ago === null) return false
  const { deliveryClass, idempotencyMs = 0 } = capabilitiesOf(context.mapping.destination, row.entity)
  if (row.state === 'written') return row.sent_hash !== null
  // The tool must still remember the key when the later of both requests arrives.
  const relyMs = idempotencyMs - lateMsOf(context, row.entity)
  // The request of a carried part had the key of its parent.
  const isRemembered = deliveryClass === 'B' && row.sent_ms_ago < relyMs && !hasComeInside(row)
  return row.state === 'intended' && !isRemembered
}

/** Adds the losses that the lost answer would have told. */
export async function withLosses(
  { writer }: RunContext,
  { record, outgoing }: Sending,
  found: ReadonlyMap<string, FoundRecord>,
  outcome: SendOutcome,
): Promise<SendOutcome> {
  const there = found.get(outgoing.key)
  if (outcome.result !== 'written' || !there) return outcome
  const told = (await writer.lossesOf?.(record.entity, outgoing, there)) ?? []
  return { ...outcome, losses: [...new Set([...(there.losses ?? []), ...told])] }
}

function judgeFound(
  { mapping }: RunContext,
  sending: Sending,
  row: LedgerRow | undefined,
  there: FoundRecord | undefined,
): Sending | SendOutcome {
  const { key } = sending.outgoing
  const { deliveryClass, keepsRevisions } = capabilitiesOf(mapping.destination, sending.record.entity)
  // The first request may still arrive. A destination that keeps revisions ignores it.
  const isDoubtful = keepsRevisions !== true
  if (!there || !row) return { ...sending, isDoubtful }
  const { destinationId, url, version } = there
  // The destination has the record in some form. Sending it again could double it.
  if (there.isUnreadable)
    return row.state === 'written' ? { key, result: 'edited', destinationId, url } : { key, result: 'unknown' }
  if (there.isUnfinished) {
    const base = { destinationId, version, hash: row.written_hash ?? sending.hash }
    return { ...sending, outgoing: { ...sending.outgoing, destinationId }, isDoubtful, base }
  }
  if (isAsSent(sending.hash, there)) return { key, result: 'written', destinationId, url, version }
  // In other classes one record may take several requests. A record that is not as sent may be half written.
  const isWhole = deliveryClass === 'A' || row.state === 'written' || sending.soughtAt !== undefined
  if (isWhole && !isAsWritten(row, there)) return { key, result: 'edited', destinationId, url }
  const hash = isAsSent(row.sent_hash, there) ? row.sent_hash : row.written_hash
  return {
    ...sending,
    outgoing: { ...sending.outgoing, destinationId },
    isDoubtful,
    base: hash === null ? null : { destinationId, version, hash },
  }
}

/** Before a record is changed, waits until an abandoned earlier request can no longer take effect. */
async function waitForLate(context: RunContext, entity: string, rows: LedgerRow[]): Promise<void> {
  if (context.mapping.destination.capabilities.keepsRevisions) return
  const doubtful = rows.filter(({ state, is_doubtful }) => state === 'written' && is_doubtful)
  if (doubtful.length === 0) return
  const sentAgo = doubtful.map(({ sent_ms_ago }) => sent_ms_ago ?? Number.POSITIVE_INFINITY)
  await waitForDestination(lateMsOf(context, entity) - Math.min(...sentAgo))
}

/** Waits until the destination shows its newest records. */
export async function waitForDestination(waitMs: number): Promise<void> {
  if (waitMs <= 0) return
  if (waitMs > longestWaitMs) throw new NotYetError(waitMs)
  await sleep(waitMs)
}

/** Those of the records that the destination has, by key. */
export async function findInBatches(
  { writer, mapping }: RunContext,
  entity: string,
  sendings: readonly Pick<Sending, 'outgoing' | 'parentId' | 'soughtAt'>[],
): Promise<Map<string, FoundRecord>> {
  const { batchSize } = capabilitiesOf(mapping.destination, entity)
  const sought = sendings.map(({ outgoing, parentId, soughtAt }) => ({
    key: outgoing.key,
    destinationId: outgoing.destinationId,
    parent: parentId,
    ...(soughtAt !== undefined && { position: soughtAt }),
  }))
  const found = new Map<string, FoundRecord>()
  for (let start = 0; start < sought.length; start += batchSize) {
    for (const record of await writer.find(entity, sought.slice(start, start + batchSize))) {
      // Of several with one key the first is ours; the sweep removes the others.
      if (!found.has(record.key)) found.set(record.key, record)
    }
  }
  return found
}
