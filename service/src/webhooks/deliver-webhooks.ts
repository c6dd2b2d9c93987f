import { setTimeout as sleep } from 'node:timers/promises'
import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { type Db, isDatabaseUnavailable } from '../db/open-database.ts'
import { workWoken } from '../jobs.ts'
import type { KeyRing } from '../key-ring.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { PortalLinks } from '../portal-link.ts'
import { tell } from '../signals/signals.ts'
import { currentTrace, traced } from '../signals/trace.ts'
import { type ClaimedDelivery, claimDeliveries, findDueTargets } from './claim-deliveries.ts'
import { type Clock, databaseClock } from './clock.ts'
import { createTargetLooks } from './look-at-targets.ts'
import { presentMessage } from './message.ts'
import { type AttemptResult, attemptLimitMs, sendMessage } from './send-message.ts'
import { type AttemptEffects, isSuccess, type SettleParts, settleAttempt } from './settle-attempt.ts'
import { createSuccessSettler, settleSuccesses } from './settle-successes.ts'
import { signMessage } from './sign-message.ts'
import { openSecrets } from './signing-secrets.ts'
import { type DeliveryJob, deliveryChannel, deliveryQueue } from './wake-target.ts'

export interface DeliveryParts {
  db: Db
  keyRing: KeyRing
  links: PortalLinks
  outbound: Outbound
  log: Pick<Logger, 'info' | 'warn'>
  clock?: Clock
  random?: () => number
  limitMs?: number
  /** True while the database answers late: then nothing more is claimed. */
  isBehind?: () => boolean
}

/** The most attempts under way in one process. Attempts mostly wait, so a hundred targets that hang leave enough room. */
const attemptsPerProcess = 1_000
const claimsAtOnce = 128
/** Jobs that are taken together. Many are for the same target, and one look serves them all. */
const jobsAtOnce = 500
const afterErrorMs = 1_000
/** Attempts under way get this long to end when the worker is told to stop. */
const graceMs = 3_000
/** An outcome is recorded with patience, because an unrecorded message is sent again. Shorter than the claim lasts. */
const settleTries = 5
const settleWaitMs = 1_000

/**
 * Works on the delivery queue until it is told to stop. A job ends once its target's free places are claimed, so no job
 * waits behind a target that hangs. Each attempt that ends frees a place for the next. Any number of processes may do
 * this on one database.
 */
export async function startDelivering(
  boss: PgBoss,
  /** `until` resolves when a look has found due deliveries, or when the signal aborts. */
  parts: DeliveryParts & { until(signal: AbortSignal): Promise<void> },
): Promise<{ stop(): Promise<void> }> {
  const { db, clock = databaseClock } = parts
  const stopping = new AbortController()
  const cutting = new AbortController()
  const { signal } = stopping
  const underWay = new Set<Promise<unknown>>()
  const pause = (ms: number) => (ms > 0 ? sleep(ms, undefined, { signal }).catch(() => {}) : Promise.resolve())
  const successes = createSuccessSettler((some) => settleSuccesses(db, clock, some))
  const begin = (delivery: ClaimedDelivery) => {
    const trying = attemptDelivery(parts, delivery, cutting.signal, successes)
      .catch((error: unknown) =>
        parts.log.warn({ err: error, delivery: delivery.id }, 'an attempt could not be settled'),
      )
      .finally(() => {
        underWay.delete(trying)
        if (delivery.isLast) void goOnAt([delivery.partnerId])
      })
    underWay.add(trying)
  }
  const { lookAt } = createTargetLooks({
    signal,
    pause,
    places: () => (parts.isBehind?.() ? 0 : Math.min(claimsAtOnce, attemptsPerProcess - underWay.size)),
    async claim(targets, places) {
      const { claimed, hasMore } = await claimDeliveries(db, clock, places, targets)
      for (const delivery of claimed) begin(delivery)
      return hasMore
    },
  })
  const goOnAt = async (targets: string[]): Promise<void> => {
    while (!signal.aborted) {
      try {
        return await lookAt(targets)
      } catch (error) {
        if (!signal.aborted) parts.log.warn({ err: error }, 'deliveries could not be claimed')
        await pause(afterErrorMs)
      }
    }
  }
  /** Finds messages of which no notification came, and those of lost workers. */
  const lookForDue = async (): Promise<void> => {
    for (;;) {
      await parts.until(signal)
      if (signal.aborted) return
      await findDueTargets(db, clock).then(goOnAt, (error: unknown) =>
        parts.log.warn({ err: error }, 'due deliveries could not be looked for'),
      )
    }
  }
  await workWoken<DeliveryJob>(boss, deliveryQueue, { batchSize: jobsAtOnce }, (jobs) =>
    lookAt(new Set(jobs.map(({ data }) => data.partnerId))),
  )
  // Without notifications, as behind a pooler, the looks find every message.
  const listening = await boss
    .getDb()
    .listen?.(
      deliveryChannel,
      (target) => void goOnAt([target]),
      () => {},
    )
    .catch((error: unknown) => {
      parts.log.warn({ err: error }, 'nobody can tell of new webhook messages')
      return null
    })
  const looking = lookForDue()
  return {
    async stop() {
      stopping.abort()
      await listening?.close()
      await boss.offWork(deliveryQueue, { wait: true })
      await looking
      const cut = setTimeout(() => cutting.abort(), graceMs)
      while (underWay.size > 0) await Promise.all(underWay)
      clearTimeout(cut)
    },
  }
}

/** One round: claims the due deliveries, attempts each, and answers their number. */
export async function deliverDue(parts: DeliveryParts): Promise<number> {
  const { claimed } = await claimDeliveries(parts.db, parts.clock ?? databaseClock, claimsAtOnce)
  const { signal } = new AbortController()
  await Promise.all(claimed.map((delivery) => attemptDelivery(parts, delivery, signal)))
  return claimed.length
}

/** One attempt of a claimed delivery, from composing the message to recording the outcome. */
export async function attemptDelivery(
  parts: DeliveryParts,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
  successes: ReturnType<typeof createSuccessSettler> | null = null,
): Promise<{ result: AttemptResult; settled: AttemptEffects }> {
  const { db, clock = databaseClock, random = Math.random } = parts
  const start = performance.now()
  const step = { name: 'webhook delivery', kind: 'client' as const, parent: delivery.traceParent }
  const attributes = { 'wherry.delivery': delivery.id, 'wherry.attempt': delivery.attempt }
  const result = await traced({ ...step, attributes }, () => sendOnce(parts, delivery, signal))
  const seconds = (performance.now() - start) / 1000
  const isSettled = result.kind === 'answer' && isSuccess(result) && (await successes?.settle({ delivery, ...result }))
  const settled = isSettled ? {} : await settlePatiently({ db, clock, random }, delivery, result)
  tellOperator(parts.log, delivery, settled)
  tellSignals(delivery, { result, settled, seconds })
  return { result, settled }
}

function tellSignals(
  { waitedSeconds }: ClaimedDelivery,
  { result, settled, seconds }: { result: AttemptResult; settled: AttemptEffects; seconds: number },
): void {
  const outcome = outcomeOf(result)
  const arrivalSeconds = outcome === 'delivered' ? Math.max(0, waitedSeconds) + seconds : null
  tell('delivery tried', { outcome, seconds, arrivalSeconds })
  if (settled.givenUp) tell('deliveries given up', { count: settled.givenUp })
  else if (outcome === 'refused' || outcome === 'no_answer') tell('retried', { work: 'webhook' })
}

function outcomeOf(result: AttemptResult): 'delivered' | 'refused' | 'no_answer' | 'stopped' {
  if (result.kind === 'stopped') return 'stopped'
  if (result.kind === 'no answer') return 'no_answer'
  return isSuccess(result) ? 'delivered' : 'refused'
}

async function settlePatiently(
  parts: SettleParts,
  delivery: ClaimedDelivery,
  result: AttemptResult,
): Promise<AttemptEffects> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await settleAttempt(parts, delivery, result)
    } catch (error) {
      if (!isWorthRetrying(error) || tried === settleTries) throw error
      await sleep(settleWaitMs)
    }
  }
}

/** The database could not answer, or chose this transaction to end a deadlock. */
const isWorthRetrying = (error: unknown): boolean =>
  isDatabaseUnavailable(error) || (error as { code?: unknown }).code === '40P01'

async function sendOnce(parts: DeliveryParts, delivery: ClaimedDelivery, signal: AbortSignal): Promise<AttemptResult> {
  const { id, url, triedAt: sentAt } = delivery
  const { keyRing, limitMs = attemptLimitMs } = parts
  const body = JSON.stringify(presentMessage(delivery.content, parts.links, sentAt))
  const signed = signMessage({ id, sentAt, body, secrets: openSecrets(keyRing, delivery.secrets) })
  const traceparent = currentTrace() ?? delivery.traceParent
  const headers = traceparent === null ? signed : { ...signed, traceparent }
  return sendMessage(parts.outbound, { url, headers, body, signal, limitMs })
}

function tellOperator(log: DeliveryParts['log'], delivery: ClaimedDelivery, settled: AttemptEffects): void {
  const { pausedUntil, disabled, recovered, givenUp } = settled
  const partner = delivery.partnerId
  if (pausedUntil) log.warn({ partner, pausedUntil }, 'a webhook target keeps failing and is paused')
  if (disabled) log.warn({ partner }, 'a webhook target answered 410 and is disabled')
  if (recovered) log.info({ partner }, 'a webhook target is back')
  if (givenUp)
    log.warn({ partner, givenUp }, 'webhook deliveries were given up: "wherry webhook log --failed" lists them')
}
