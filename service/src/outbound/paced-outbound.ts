import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { tell } from '../signals/signals.ts'
import type { CountedAnswer, CountedRequest } from './limits.ts'
import type { Outbound, OutboundRequest } from './outbound.ts'
import { readAskedUntil, readRetryAfter } from './retry-after.ts'
import { tapBytes } from './tap-bytes.ts'
import { noteSent } from './track-sends.ts'

/** The pace of one account: how many parallel requests it accepts. */
export interface Pace {
  /** Waits for a turn and returns a function that ends it. Throws if the account asks for a long wait. */
  takeTurn(request: CountedRequest, signal?: AbortSignal): Promise<() => void>
  /** Learns from a request: how long it took, and whether it was too much for the account. */
  learn(
    result: { ms: number; isTooMuch: boolean; retryAfterMs: number | null; askedUntil?: Date | null },
    exchange?: { request: CountedRequest; answer: CountedAnswer },
  ): void
}

/** Repeated reads are harmless, so reads are retried here. Only the caller knows whether a write may be retried. */
const readTries = 3
const longestWaitMs = 3_000
const passing = new Set([429, 502, 503, 504])

/**
 * Checks whether this worker may still change the destination. Between the decision to send and the first byte, this
 * process may be frozen, and another worker may take over its run. Both functions throw to prevent sending.
 */
export interface WriteFence {
  /** Asks the database. Called when the turn has come, and for every part of a long body. */
  confirm(): Promise<void>
  /** Throws unless `confirm` succeeded recently. Called after the connection is open. */
  check(): void
}

/** A client for one account that keeps to its pace. */
export function paceOutbound(outbound: Outbound, pace: Pace, fence?: WriteFence): Outbound {
  const once = async <A extends { status: number; headers: Record<string, string | string[] | undefined> }>(
    request: CountedRequest,
    isReading: boolean,
    { signal, onWait }: Pick<OutboundRequest, 'signal' | 'onWait'>,
    ask: (release: () => void, onStart: () => void) => Promise<A>,
  ): Promise<A & { retryAfterMs: number | null }> => {
    const endWait = onWait?.()
    const release = await pace.takeTurn(request, signal).finally(endWait)
    let isStarted = false
    const onStart = () => {
      isStarted = true
    }
    try {
      if (!isReading) await fence?.confirm()
      const start = performance.now()
      const answer = await ask(release, onStart).catch((error: unknown) => {
        if (isStarted && !isReading) noteSent()
        throw error
      })
      const { status } = answer
      if (!isReading && status !== 429) noteSent()
      const retryAfterMs = readRetryAfter(answer.headers['retry-after'], Date.now())
      const isTooMuch = status === 429 || (status === 503 && retryAfterMs !== null)
      const askedUntil = readAskedUntil(answer.headers['retry-after'], Date.now())
      const result = { ms: performance.now() - start, isTooMuch, retryAfterMs, askedUntil }
      pace.learn(result, { request, answer: { status, headers: answer.headers } })
      return { ...answer, retryAfterMs }
    } catch (error) {
      release()
      throw error
    }
  }
  const ask = async <A extends { status: number; headers: Record<string, string | string[] | undefined> }>(
    url: string,
    options: OutboundRequest,
    act: (release: () => void, onStart: () => void) => Promise<A>,
    discard: (answer: A) => void,
  ): Promise<A> => {
    const { signal } = options
    const isReading = isOnlyReading(options)
    const request = { method: options.method ?? 'GET', url: new URL(url) }
    for (let attempt = 1; ; attempt++) {
      const isLast = !isReading || attempt === readTries
      try {
        const answer = await once(request, isReading, options, act)
        if (isLast || !passing.has(answer.status)) return answer
        const waitMs = answer.retryAfterMs ?? 250 * 2 ** attempt
        if (waitMs > longestWaitMs) return answer
        discard(answer)
        tell('retried', { work: 'tool_request' })
        await sleep(waitMs, undefined, { signal })
      } catch (error) {
        if (isLast || signal.aborted || !isNetworkError(error)) throw error
        tell('retried', { work: 'tool_request' })
        await sleep(250 * 2 ** attempt, undefined, { signal })
      }
    }
  }
  return {
    guard: outbound.guard,
    close: () => outbound.close(),
    request: (url, options) =>
      ask(
        url,
        options,
        async (release, onStart) => {
          const answer = await outbound.request(url, fenced(options, fence, onStart))
          release()
          return answer
        },
        () => {},
      ),
    // The turn lasts until the last byte, or until the caller drops the stream.
    stream: (url, options) =>
      ask(
        url,
        options,
        async (release, onStart) => {
          const answer = await outbound.stream(url, fenced(options, fence, onStart))
          answer.body.once('close', release)
          return answer
        },
        ({ body }) => body.on('error', () => {}).destroy(),
      ),
  }
}

const isOnlyReading = ({ method = 'GET', body }: Pick<OutboundRequest, 'method' | 'body'>) =>
  method === 'GET' && body === undefined

/** Adds a check of the fence after the connection is open, and reports the start of the request. */
function fenced<O extends OutboundRequest>(options: O, fence: WriteFence | undefined, onStart: () => void): O {
  if (!fence || isOnlyReading(options)) return { ...options, beforeStart: onStart }
  const { body } = options
  return {
    ...options,
    beforeStart: () => {
      fence.check()
      onStart()
    },
    ...(body instanceof Readable && { body: tapBytes(body, { onPiece: () => fence.confirm() }) }),
  }
}

/** True for a broken or refused connection, but not for a forbidden address or our own time limit. */
function isNetworkError(error: unknown): boolean {
  const code = (error as { code?: unknown }).code
  return typeof code === 'string' && /^(ECONN|EPIPE|UND_ERR_SOCKET|UND_ERR_CONNECT)/.test(code)
}
