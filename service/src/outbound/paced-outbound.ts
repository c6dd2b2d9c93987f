import { setTimeout as sleep } from 'node:timers/promises'
import type { Outbound, OutboundRequest } from './outbound.ts'
import { readRetryAfter } from './retry-after.ts'

/** How one account is talked to: as much at once as it bears. */
export interface Pace {
  /** Waits for a turn; what it answers ends the turn. Throws when the account wants to be left alone for long. */
  takeTurn(): Promise<() => void>
  /** What came of a request: how long it took, and whether the account found it too much. */
  learn(result: { ms: number; isTooMuch: boolean; retryAfterMs: number | null }): void
}

/** Reading again costs nothing, so it is tried again here; what writes is tried again by those who know what it did. */
const readTries = 3
const longestWaitMs = 3_000
const passing = new Set([429, 502, 503, 504])

/** The same client, for one account, at its pace. */
export function paceOutbound(outbound: Outbound, pace: Pace): Outbound {
  const once = async <A extends { status: number; headers: Record<string, string | string[] | undefined> }>(
    ask: (release: () => void) => Promise<A>,
  ): Promise<A & { retryAfterMs: number | null }> => {
    const release = await pace.takeTurn()
    const start = performance.now()
    try {
      const answer = await ask(release)
      const { status } = answer
      const retryAfterMs = readRetryAfter(answer.headers['retry-after'], Date.now())
      const isTooMuch = status === 429 || (status === 503 && retryAfterMs !== null)
      pace.learn({ ms: performance.now() - start, isTooMuch, retryAfterMs })
      return { ...answer, retryAfterMs }
    } catch (error) {
      release()
      throw error
    }
  }
  const ask = async <A extends { status: number; headers: Record<string, string | string[] | undefined> }>(
    { method = 'GET', body, signal }: OutboundRequest,
    act: (release: () => void) => Promise<A>,
    discard: (answer: A) => void,
  ): Promise<A> => {
    const isReading = method === 'GET' && body === undefined
    for (let attempt = 1; ; attempt++) {
      const isLast = !isReading || attempt === readTries
      try {
        const answer = await once(act)
        if (isLast || !passing.has(answer.status)) return answer
        const waitMs = answer.retryAfterMs ?? 250 * 2 ** attempt
        if (waitMs > longestWaitMs) return answer
        discard(answer)
        await sleep(waitMs, undefined, { signal })
      } catch (error) {
        if (isLast || signal.aborted || !isNetworkError(error)) throw error
        await sleep(250 * 2 ** attempt, undefined, { signal })
      }
    }
  }
  return {
    guard: outbound.guard,
    close: () => outbound.close(),
    request: (url, options) =>
      ask(
        options,
        async (release) => {
          const answer = await outbound.request(url, options)
          release()
          return answer
        },
        () => {},
      ),
    // The turn lasts until the last byte, or until nobody wants them any more.
    stream: (url, options) =>
      ask(
        options,
        async (release) => {
          const answer = await outbound.stream(url, options)
          answer.body.once('close', release)
          return answer
        },
        ({ body }) => body.on('error', () => {}).destroy(),
      ),
  }
}

/** A broken or refused connection; not an address that we may not talk to, nor our own time limit. */
function isNetworkError(error: unknown): boolean {
  const code = (error as { code?: unknown }).code
  return typeof code === 'string' && /^(ECONN|EPIPE|UND_ERR_SOCKET|UND_ERR_CONNECT)/.test(code)
}
