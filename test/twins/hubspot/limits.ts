import { randomUUID } from 'node:crypto'
import type { TwinAnswer, TwinRequest } from '../answers.ts'
import { dayMs, secondMs } from '../clock.ts'
import type { Limit, LimitState } from '../limits.ts'

export interface HubspotPlan {
  perTenSeconds: number
  perDay: number
  searchesPerSecond: number
}

export const plans = {
  starter: { perTenSeconds: 100, perDay: 250_000, searchesPerSecond: 4 },
  professional: { perTenSeconds: 190, perDay: 650_000, searchesPerSecond: 4 },
  enterprise: { perTenSeconds: 190, perDay: 1_000_000, searchesPerSecond: 4 },
} as const satisfies Record<string, HubspotPlan>

const isSearch = ({ method, url }: TwinRequest) => method === 'POST' && url.pathname.endsWith('/search')

const refusal =
  (policyName: string, message: string, hasRetry: boolean) =>
  (state: LimitState): TwinAnswer => ({
    status: 429,
    ...(hasRetry && { headers: { 'retry-after': String(Math.max(1, Math.ceil(state.resetMs / 1000))) } }),
    json: { status: 'error', message, errorType: 'RATE_LIMIT', correlationId: randomUUID(), policyName },
  })

/** Without a plan, nothing is ever refused. Answers to searches have no headers about limits. */
export function hubspotLimits(plan: HubspotPlan | null): Limit[] {
  const most = 1_000_000_000
  return [
    {
      name: 'burst',
      perMs: 10 * secondMs,
      limit: plan?.perTenSeconds ?? most,
      cost: (request) => (isSearch(request) ? 0 : 1),
      headers: ({ limit, remaining }) => ({
        'x-hubspot-ratelimit-max': String(limit),
        'x-hubspot-ratelimit-remaining': String(remaining),
        'x-hubspot-ratelimit-interval-milliseconds': '10000',
      }),
      spent: refusal('TEN_SECONDLY_ROLLING', 'You have reached your ten_secondly_rolling limit.', true),
    },
    {
      name: 'search',
      perMs: secondMs,
      limit: plan?.searchesPerSecond ?? most,
      cost: (request) => (isSearch(request) ? 1 : 0),
      spent: refusal('SECONDLY', 'You have reached your secondly limit.', false),
    },
    {
      name: 'day',
      perMs: dayMs,
      isAligned: true,
      limit: plan?.perDay ?? most,
      cost: (request) => (isSearch(request) ? 0 : 1),
      headers: ({ limit, remaining }) => ({
        'x-hubspot-ratelimit-daily': String(limit),
        'x-hubspot-ratelimit-daily-remaining': String(remaining),
      }),
      spent: refusal('DAILY', 'You have reached your daily limit.', false),
    },
  ]
}
