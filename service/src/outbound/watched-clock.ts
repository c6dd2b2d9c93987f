import type { Outbound } from './outbound.ts'

export interface WatchedClock {
  outbound: Outbound
  /** How far the tool's clock is behind ours, by the Date of its answers. 0 if it is not behind or sends no Date. */
  lagMs(): number
}

/** A client that compares the server's clock with ours. */
export function watchClock(outbound: Outbound): WatchedClock {
  let lagMs = 0
  const watch = <A extends { headers: Record<string, string | string[] | undefined> }>(answer: A): A => {
    const said = Date.parse(String(answer.headers.date ?? ''))
    if (!Number.isNaN(said)) lagMs = Math.max(lagMs, Date.now() - said)
    return answer
  }
  return {
    lagMs: () => lagMs,
    outbound: {
      guard: outbound.guard,
      close: () => outbound.close(),
      request: async (url, options) => watch(await outbound.request(url, options)),
      stream: async (url, options) => watch(await outbound.stream(url, options)),
    },
  }
}
