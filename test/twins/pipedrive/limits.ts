import type { TwinAnswer, TwinRequest } from '../answers.ts'
import { matchOperation } from '../check-request.ts'
import { type Clock, dayMs, minuteMs, secondMs } from '../clock.ts'
import type { Limit } from '../limits.ts'
import type { Priced } from './lists.ts'

export interface PipedrivePlan {
  /** Requests within two seconds with an API token; an app may send four times as many. */
  burst: number
  /** The daily tokens of the whole company: 30,000 × plan × seats. */
  tokensPerDay: number
  /** Number of refused requests within a minute that causes a block. */
  blockedAfter?: number
}

export const plans = {
  lite: { burst: 20, tokensPerDay: 30_000 },
  growth: { burst: 40, tokensPerDay: 60_000 },
  ultimate: { burst: 120, tokensPerDay: 210_000 },
} as const satisfies Record<string, PipedrivePlan>

const most = 1_000_000_000
const writesPerDay = 10_000

const isSearch = ({ url }: TwinRequest) => /\/(itemSearch|[a-z]+\/search)\b/.test(url.pathname)
const isByToken = ({ headers }: TwinRequest) => headers['x-api-token'] !== undefined

const tooMany = (): TwinAnswer => ({
  status: 429,
  json: { success: false, error: 'request over limit', error_info: 'Please wait', data: null, additional_data: null },
})

/** Without a plan, nothing is ever refused. Only the headers name the waiting time. */
export function pipedriveLimits(clock: Clock, operations: readonly Priced[], plan: PipedrivePlan | null) {
  const state = { tellsDay: true, blockedUntil: 0 }
  let isRefused = false
  const refusals: number[] = []
  let writes = { day: 0, count: 0 }
  let told: Record<string, string> = {}
  const { burst = most, tokensPerDay = most, blockedAfter = most } = plan ?? {}
  const spent = (): TwinAnswer => {
    const from = clock.now() - minuteMs
    refusals.push(clock.now())
    isRefused = true
    if (refusals.filter((at) => at >= from).length >= blockedAfter) state.blockedUntil = clock.now() + 5 * minuteMs
    return tooMany()
  }
  const tokensOf = ({ method, url }: TwinRequest) =>
    matchOperation(operations, method, url.pathname)?.operation.tokens ?? 0
  /** The remaining writes, as a header for clients that use an API token. */
  const countWrites = (request: TwinRequest) => {
    const day = Math.floor(clock.now() / dayMs)
    if (writes.day !== day) writes = { day, count: 0 }
    if (request.method === 'POST' || request.method === 'PUT') writes.count += 1
    told = isByToken(request) ? { 'x-daily-requests-left': String(Math.max(0, writesPerDay - writes.count)) } : {}
  }
  const window = (name: string, limit: number, cost: (request: TwinRequest) => number): Limit => ({
    name,
    perMs: 2 * secondMs,
    limit,
    cost,
    headers: ({ limit: all, remaining, resetMs }) => ({
      'x-ratelimit-limit': String(all),
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(Math.max(1, Math.ceil(resetMs / 1000))),
      ...told,
    }),
    spent,
  })
  const limits: Limit[] = [
    {
      name: 'block',
      perMs: 1,
      limit: 0,
      cost() {
        isRefused = clock.now() < state.blockedUntil
        return isRefused ? 1 : 0
      },
      // A client that keeps sending gets answers of another server, which are not JSON.
      spent: () => ({
        status: 403,
        headers: { 'content-type': 'text/html; charset=UTF-8', server: 'cloudflare' },
        body: '<!DOCTYPE html><title>Attention Required! | Cloudflare</title><h1>Sorry, you have been blocked</h1>',
      }),
    },
    window('burst', burst, (request) => {
      countWrites(request)
      return !isSearch(request) && isByToken(request) ? 1 : 0
    }),
    window('app burst', 4 * burst, (request) =>
      isSearch(request) || isByToken(request) || request.url.pathname.startsWith('/oauth') ? 0 : 1,
    ),
    window('search', plan ? 10 : most, (request) => (isSearch(request) ? 1 : 0)),
    {
      name: 'day',
      perMs: dayMs,
      isAligned: true,
      limit: tokensPerDay,
      // A request that another limit refuses does not count for the day.
      cost: (request) => (isRefused ? 0 : tokensOf(request)),
      headers: ({ limit, remaining }): Record<string, string> =>
        state.tellsDay
          ? {
              'x-daily-ratelimit-token-limit': String(limit),
              'x-daily-ratelimit-token-remaining': String(remaining),
            }
          : {},
      spent,
    },
  ]
  return { limits, state }
}
