import { capabilitiesOf } from '../connectors/entity-capabilities.ts'
import { isLimit, RetryableError } from '../errors.ts'
import { isAsSent } from './hash-record.ts'
import { type LedgerRow, refKey } from './ledger.ts'
import { findInBatches, longestWaitMs, waitForDestination, withLosses } from './reconcile.ts'
import type { RunContext } from './run-context.ts'
import type { FailedSending } from './send-batches.ts'
import type { Sending, SendOutcome } from './sending.ts'

/** A record is given up after this many attempts while other records are written. */
const enoughBesideOthers = 5
/** When only a few records are left, they are given up after this many failures, if the destination still answers. */
const enoughAlone = { failures: 6, records: 3 }
const enoughForAny = 20

/**
 * Decides about records that were sent alone and failed again. A record that always fails is refused with the answer as
 * its reason, so that the run goes on; a destination that fails for everything is waited for.
 */
export async function giveUpFailing(
  context: RunContext,
  entity: string,
  alone: FailedSending[],
  known: ReadonlyMap<string, LedgerRow>,
): Promise<{ outcomes: SendOutcome[]; failed: FailedSending[] }> {
  const { deliveryClass, settleMs } = capabilitiesOf(context.mapping.destination, entity)
  const isEnough = ({ sending, isAfterOthers }: FailedSending) => {
    const failures = (known.get(refKey(sending.record))?.failures ?? 0) + 1
    if (isAfterOthers && failures >= enoughBesideOthers) return true
    const isFew = alone.length <= enoughAlone.records
    return failures >= enoughForAny || (isFew && failures >= enoughAlone.failures)
  }
  const given = alone.filter(isEnough)
  const failed = alone.filter((one) => !given.includes(one))
  if (given.length === 0) return { outcomes: [], failed }
  if (deliveryClass === 'D') {
    return { outcomes: given.map(({ sending }) => ({ key: sending.outgoing.key, result: 'unknown' })), failed }
  }
  try {
    // The last attempt may have arrived in spite of its answer. After a longer time the sweep looks once more.
    await waitForDestination(Math.min(settleMs, longestWaitMs))
    const sendings = given.map(({ sending }) => sending)
    const found = await findInBatches(context, entity, sendings)
    const outcomes = given.map(({ sending, error }): SendOutcome => {
      const { key } = sending.outgoing
      const there = found.get(key)
      const message = `It failed ${enoughBesideOthers} times or more: ${reasonOf(error)}`
      if (there?.isUnreadable && known.get(refKey(sending.record))?.state !== 'written')
        return { key, result: 'unknown' }
      if (!there || there.isUnfinished || !isAsSent(sending.hash, there))
        return { key, result: 'refused', code: 'failing', message }
      const { destinationId, url, version } = there
      return { key, result: 'written', destinationId, url, version }
    })
    const told = outcomes.map((outcome, at) => withLosses(context, sendings[at] as Sending, found, outcome))
    return { outcomes: await Promise.all(told), failed }
  } catch {
    // The destination does not answer at all, so the records are not the reason.
    return { outcomes: [], failed: alone }
  }
}

/** Whether a removal that failed may have failed because of the record. */
export const mayBlame = (error: unknown): boolean => error instanceof RetryableError && !isLimit(error)

/** Words of a tool's answer may be shown; an error of our own is for the log. */
export const reasonOf = (error: unknown): string =>
  error instanceof RetryableError ? error.message : 'something on our side went wrong'
