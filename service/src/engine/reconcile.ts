import { setTimeout as sleep } from 'node:timers/promises'
import type { FoundRecord, WriteOutcome } from '../connectors/contract.ts'
import { RetryableError } from '../errors.ts'
import { isAsSent } from './hash-record.ts'
import { type LedgerRow, stateKey } from './ledger.ts'
import type { RunContext } from './run-context.ts'
import type { Sending } from './write-page.ts'

/** Longer than this is not worth keeping a worker for. */
const longestWaitMs = 3_000

/** Nobody can find out what became of it. */
export interface UnknownOutcome {
  key: string
  result: 'unknown'
}

export interface Reconciled {
  /** What has to be sent, some of it as a change of what is there. */
  send: Sending[]
  /** What needs not be sent, and why. */
  outcomes: (WriteOutcome | UnknownOutcome)[]
}

/**
 * What was sent before and has no outcome is looked for, as the destination's delivery class allows, instead of being
 * sent again blindly.
 */
export async function reconcile(
  context: RunContext,
  entity: string,
  sendings: Sending[],
  known: ReadonlyMap<string, LedgerRow>,
): Promise<Reconciled> {
  const { deliveryClass, idempotencyMs = 0, settleMs } = context.mapping.destination.capabilities
  const rowOf = ({ record }: Sending) => known.get(stateKey(record))
  const isOpen = (sending: Sending) => {
    const row = rowOf(sending)
    if (row?.state !== 'intended' || row.sent_ms_ago === null) return false
    return !(deliveryClass === 'B' && row.sent_ms_ago < idempotencyMs)
  }
  const open = deliveryClass === 'A' ? [] : sendings.filter(isOpen)
  if (open.length === 0) return { send: sendings, outcomes: [] }
  if (deliveryClass === 'D') {
    // The customer may ask for it to be sent again; even so it is sent once.
    const { id, options } = context.run
    const left = open.filter((sending) => !options.send_unknown || rowOf(sending)?.run_id === id)
    const unknown = left.map(({ outgoing }): UnknownOutcome => ({ key: outgoing.key, result: 'unknown' }))
    return { send: sendings.filter((sending) => !left.includes(sending)), outcomes: unknown }
  }
  await settle(settleMs - Math.min(...open.map((sending) => rowOf(sending)?.sent_ms_ago ?? 0)))
  return lookFor(context, entity, sendings, new Set(open))
}

/** Lets the destination come to rest before it is asked what it has. */
export async function settle(waitMs: number): Promise<void> {
  if (waitMs <= 0) return
  if (waitMs > longestWaitMs) {
    throw new RetryableError('the destination needs time before it can be asked what it has', { retryAfterMs: waitMs })
  }
  await sleep(waitMs)
}

async function lookFor(
  context: RunContext,
  entity: string,
  sendings: Sending[],
  open: ReadonlySet<Sending>,
): Promise<Reconciled> {
  const found = await findInBatches(context, entity, [...open])
  const result: Reconciled = { send: [], outcomes: [] }
  for (const sending of sendings) {
    const there = open.has(sending) ? found.get(sending.outgoing.key) : undefined
    if (!open.has(sending)) {
      result.send.push(sending)
    } else if (!there) {
      // The first time may still arrive.
      result.send.push({ ...sending, isDoubtful: true })
    } else if (isAsSent(sending.hash, there)) {
      const { destinationId, url, version } = there
      result.outcomes.push({ key: sending.outgoing.key, result: 'written', destinationId, url, version })
    } else {
      const outgoing = { ...sending.outgoing, destinationId: there.destinationId }
      result.send.push({ ...sending, outgoing, isDoubtful: true })
    }
  }
  return result
}

/** What the destination has of these, by key. */
export async function findInBatches(
  { writer, mapping }: RunContext,
  entity: string,
  sendings: readonly Sending[],
): Promise<Map<string, FoundRecord>> {
  const { batchSize } = mapping.destination.capabilities
  const sought = sendings.map(({ outgoing, parentId }) => ({
    key: outgoing.key,
    destinationId: outgoing.destinationId,
    parent: parentId,
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
