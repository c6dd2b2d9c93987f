import type { WriteFailure, WriteOutcome } from '../connectors/contract/contract.ts'
import { capabilitiesOf } from '../connectors/entity-capabilities.ts'
import { isLimit, ObstacleError, RetryableError } from '../errors.ts'
import type { Refusal } from '../mapping/map-record.ts'
import { type SendTrack, trackSends } from '../outbound/track-sends.ts'
import { createTurns, type Turns } from '../turns.ts'
import { failuresUntilAlone, placedIn, placeParts } from './carry-parts.ts'
import { giveUpFailing } from './give-up-failing.ts'
import { intoChains } from './into-chains.ts'
import { keepEdits, readBack, toSendOutcomes } from './keep-edits.ts'
import { LeaseLostError } from './lease.ts'
import { announceAgain, tellLeftOut, withFewerParts } from './leave-out-parts.ts'
import { type LedgerRow, refKey } from './ledger.ts'
import { NotYetError } from './reconcile.ts'
import type { RunContext } from './run-context.ts'
import { sendFile } from './send-file.ts'
import { hasParts, type Sending, type SendOutcome, withParts } from './sending.ts'

/** Entities whose records are files: their bytes travel beside the record. */
export const isFileEntity = (entity: string) => entity === 'attachments' || entity === 'media'

/** Outcomes are committed at least this often, so that a worker that lives only some seconds makes headway. */
const commitEveryMs = 1_000

export interface Sent {
  /** Without those that `commit` got. */
  outcomes: SendOutcome[]
  /** Records that were surely not sent. */
  unsent: Sending[]
  /** Records that the tool answered with an error. Whether they arrived is open. */
  failed: FailedSending[]
  failure: { error: unknown } | null
  /** Whether each record has its outcome, here or in an earlier `commit`. */
  isComplete: boolean
}

export interface FailedSending {
  sending: Sending
  error: unknown
  /** Whether other records were written just before. */
  isAfterOthers: boolean
}

/**
 * Sends records, with as many parallel requests as the destination accepts. An error stops further sending, except for
 * the error of a record that failed before and is sent alone. Records of the same request that have an outcome keep it.
 * `commit` receives the outcomes so far, about once a second.
 */
export async function sendBatches(
  context: RunContext,
  entity: string,
  sendings: Sending[],
  known: ReadonlyMap<string, LedgerRow>,
  commit: (outcomes: SendOutcome[]) => Promise<void>,
): Promise<Sent> {
  const { concurrency, deliveryClass, batchSize, lane, laneIdEnds } = capabilitiesOf(
    context.mapping.destination,
    entity,
  )
  const refused = sendings.filter(({ refusal }) => refusal !== undefined)
  const sent: Sent = {
    outcomes: refused.map(refuse),
    unsent: [],
    failed: [],
    failure: null,
    isComplete: false,
  }
  const chains = intoChains(refused.length === 0 ? sendings : sendings.filter(({ refusal }) => refusal === undefined), {
    // In class D nothing can be looked up, so a refused request must leave no other record in doubt.
    size: isFileEntity(entity) || deliveryClass === 'D' ? 1 : batchSize,
    lane,
    laneIdEnds,
    isAlone: (sending) => isSuspect(known, sending),
  })
  const turns = createTurns(concurrency)
  const failedAlone: FailedSending[] = []
  let committed = 0
  let committedAt = performance.now()
  const commitIfDue = async () => {
    if (performance.now() - committedAt < commitEveryMs || sent.outcomes.length === 0) return
    committedAt = performance.now()
    const outcomes = sent.outcomes.splice(0)
    committed += outcomes.length
    await commit(outcomes)
  }
  const fail = (batch: Sending[], error: unknown, mayBeSent: boolean) => {
    const isBlamed = isAboutRecords(error, mayBeSent, isFileEntity(entity))
    const isAfterOthers = committed + sent.outcomes.length > 0
    const failed = batch.map((sending) => ({ sending, error, isAfterOthers }))
    if (isBlamed && batch.length === 1 && isSuspect(known, batch[0])) failedAlone.push(...failed)
    else {
      if (isBlamed) sent.failed.push(...failed)
      if (!mayBeSent) sent.unsent.push(...withParts(batch))
      sent.failure ??= { error }
    }
  }
  const sender = async () => {
    let chain: Sending[][] = []
    const next = () => {
      if (sent.failure) return undefined
      if (chain.length === 0) chain = chains.shift() ?? []
      return chain.shift()
    }
    for (let batch = next(); batch !== undefined; batch = next()) {
      const track: SendTrack = { mayBeSent: false }
      try {
        await context.run.lease.beforeSend()
        const { send, outcomes } = await keepEdits(context, entity, batch, known)
        sent.outcomes.push(...outcomes)
        batch = send
        const written = await write(context, entity, send, { track, turns })
        const again = findAgain(context, send, written)
        const isAgain = ({ key }: { key: string }) => again.keys.has(key)
        sent.outcomes.push(...written.outcomes.filter((outcome) => !isAgain(outcome)))
        for (const { sending, failure } of written.failures) {
          if (isAgain(failure)) continue
          if (failure.result === 'failed') fail([sending], failure.error, failure.isSent)
          else sent.unsent.push(...withParts([sending]))
        }
        // An error from here on is not about the other records, and these were refused.
        batch = again.refused
        track.mayBeSent = false
        if (batch.length > 0) await announceAgain(context, entity, again.next)
        chain.unshift(...again.next.map((one) => [one]))
        batch = []
        await context.crashPoint('first batch sent')
        await commitIfDue()
      } catch (error) {
        fail(batch, error, track.mayBeSent)
      }
    }
    sent.unsent.push(...withParts(chain.flat()))
  }
  // Some more senders fetch the next files, so that the destination never waits for the source.
  const ahead = isFileEntity(entity) && concurrency > 1 ? Math.ceil(concurrency / 4) : 0
  await Promise.all(Array.from({ length: Math.min(concurrency + ahead, chains.length) }, sender))
  sent.unsent.push(...withParts(chains.flat(2)))
  if (failedAlone.length > 0) {
    const aside = await giveUpFailing(context, entity, failedAlone, known)
    sent.outcomes.push(...aside.outcomes)
    sent.failed.push(...aside.failed)
    const [first] = aside.failed
    if (first) sent.failure ??= { error: first.error }
  }
  sent.isComplete = committed + sent.outcomes.length === withParts(sendings).length
  return sent
}

const refusals: Record<Refusal, string> = {
  not_protected: 'More people could see it in the destination than in the source, so it was not sent.',
  parent_missing: 'It belongs to something that is not copied, so it was not sent.',
}

const refuse = ({ outgoing: { key }, refusal = 'not_protected' }: Sending): SendOutcome => ({
  key,
  result: 'refused',
  code: refusal,
  message: refusals[refusal],
})

const isSuspect = (known: ReadonlyMap<string, LedgerRow>, sending: Sending | undefined): boolean =>
  sending !== undefined && (known.get(refKey(sending.record))?.failures ?? 0) >= failuresUntilAlone

/** Whether the records themselves may be the reason. A tool that could not be reached says nothing about them. */
function isAboutRecords(error: unknown, mayBeSent: boolean, isFile: boolean): boolean {
  if (error instanceof LeaseLostError || error instanceof ObstacleError || error instanceof NotYetError) return false
  if (isLimit(error) || (error as Error)?.name === 'AbortError') return false
  // The source may fail to hand out one file, too.
  return mayBeSent || isFile || !(error instanceof RetryableError)
}

/** The refused records that may arrive with fewer parts, and how they are sent next. `keys` are theirs and their parts'. */
function findAgain(context: RunContext, batch: readonly Sending[], { outcomes, failures }: Written) {
  const again = { refused: [] as Sending[], next: [] as Sending[], keys: new Set<string>() }
  // Something of such a record may be in the destination.
  const inDoubt = new Set(failures.flatMap(({ failure: { key, result } }) => (result === 'failed' ? [key] : [])))
  for (const carrier of batch.filter(hasParts)) {
    const keys = withParts([carrier]).map(({ outgoing }) => outgoing.key)
    const outcome = outcomes.find(({ key }) => key === carrier.outgoing.key)
    if (outcome?.result !== 'refused' || keys.some((key) => inDoubt.has(key))) continue
    const next = withFewerParts(context, carrier, outcome)
    if (next === null) continue
    again.refused.push(carrier)
    again.next.push(next)
    for (const key of keys) again.keys.add(key)
  }
  return again
}

interface Written {
  outcomes: SendOutcome[]
  failures: { sending: Sending; failure: WriteFailure }[]
}

async function write(
  context: RunContext,
  entity: string,
  batch: Sending[],
  { track, turns }: { track: SendTrack; turns: Turns },
): Promise<Written> {
  const [first] = batch
  if (!first) return { outcomes: [], failures: [] }
  const answers = await trackSends(track, async (): Promise<WriteOutcome[]> => {
    if (isFileEntity(entity)) return [await sendFile(context, first, turns)]
    return context.writer.write(
      entity,
      batch.map(({ outgoing }) => outgoing),
    )
  })
  const isFailure = (answer: WriteOutcome): answer is WriteFailure =>
    answer.result === 'failed' || answer.result === 'untried'
  const settled = answers.filter((answer) => !isFailure(answer))
  const failed = new Map(answers.filter(isFailure).map((failure) => [failure.key, failure]))
  const failures = batch.flatMap((carrier) => {
    // Parts of a failed record fail with it.
    const together = failed.has(carrier.outgoing.key) ? [carrier] : withParts([carrier])
    return together.flatMap((sending) => {
      const failure = failed.get(sending.outgoing.key)
      return failure ? [{ sending, failure }] : []
    })
  })
  const told = tellLeftOut(context, batch, toSendOutcomes(batch, settled))
  const placed = await placeParts(context, told.batch, told.outcomes)
  return { outcomes: await readBack(context, placedIn(batch, told.outcomes), placed), failures }
}
