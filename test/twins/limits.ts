import type { TwinAnswer, TwinRequest } from './answers.ts'
import type { Clock } from './clock.ts'

export interface LimitState {
  limit: number
  remaining: number
  /** The cost of the current request. */
  cost: number
  resetMs: number
  /** The end of the window, in milliseconds since 1970. */
  resetAt: number
}

/** One limit of a tool. Requests that are refused for another reason count, too. */
export interface Limit {
  name: string
  perMs: number
  limit: number
  /** 1 by default; 0 for a request that does not count. */
  cost?(request: TwinRequest): number
  /** True if windows begin at the full minute, hour or day. Otherwise they begin with the first request. */
  isAligned?: boolean
  /** The limit's headers in answers. Later limits overwrite headers of earlier ones, as sub-limits do. */
  headers?(state: LimitState): Record<string, string>
  /** The answer when the limit is used up: 429 with Retry-After by default. */
  spent?(state: LimitState): TwinAnswer
}

/** Counts requests against limits, as a tool does: for all accounts together, in windows of the twin's clock. */
export function createLimits(clock: Clock, limits: readonly Limit[]) {
  const windows = new Map<string, { from: number; used: number }>()
  const refusals = new Map<string, number>()
  const spent = new Map<string, number>()
  const windowOf = ({ name, perMs, isAligned = false }: Limit) => {
    const at = clock.now()
    const known = windows.get(name)
    if (known && at < known.from + perMs) return known
    const window = { from: isAligned ? Math.floor(at / perMs) * perMs : at, used: 0 }
    windows.set(name, window)
    return window
  }
  return {
    /** The number of requests that each limit has refused. */
    refusals,
    /** The cost of requests for each limit so far, without the refused ones. */
    spent,
    limits,
    /** Resets all counts, as a new day does. */
    reset: () => windows.clear(),
    /** Counts a request. Returns its headers, and the refusal if there is one. */
    count(request: TwinRequest): { headers: Record<string, string>; refusal: TwinAnswer | null } {
      const headers: Record<string, string> = {}
      let refusal: TwinAnswer | null = null
      for (const limit of limits) {
        const cost = limit.cost?.(request) ?? 1
        if (cost === 0) continue
        const window = windowOf(limit)
        const isSpent = window.used + cost > limit.limit
        if (!isSpent) {
          window.used += cost
          spent.set(limit.name, (spent.get(limit.name) ?? 0) + cost)
        }
        const resetAt = window.from + limit.perMs
        const remaining = limit.limit - window.used
        const state = { limit: limit.limit, remaining, cost, resetAt, resetMs: resetAt - clock.now() }
        Object.assign(headers, limit.headers?.(state))
        if (!isSpent) continue
        refusals.set(limit.name, (refusals.get(limit.name) ?? 0) + 1)
        const retryAfter = String(Math.ceil(state.resetMs / 1000))
        refusal ??= limit.spent?.(state) ?? { status: 429, headers: { 'retry-after': retryAfter } }
      }
      return { headers, refusal }
    },
  }
}
