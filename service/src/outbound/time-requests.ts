import { tell } from '../signals/signals.ts'
import type { Outbound } from './outbound.ts'

/** A client that reports the duration and the status of each request. */
export function timeRequests(outbound: Outbound, tool: string): Outbound {
  const timed = async <A extends { status: number }>(ask: () => Promise<A>): Promise<A> => {
    const start = performance.now()
    const told = (status: number | null) =>
      tell('tool asked', { tool, status, seconds: (performance.now() - start) / 1000 })
    try {
      const answer = await ask()
      told(answer.status)
      return answer
    } catch (error) {
      told(null)
      throw error
    }
  }
  return {
    guard: outbound.guard,
    close: () => outbound.close(),
    request: (url, options) => timed(() => outbound.request(url, options)),
    stream: (url, options) => timed(() => outbound.stream(url, options)),
  }
}
