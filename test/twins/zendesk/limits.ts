import type { TwinAnswer, TwinRequest } from '../answers.ts'
import { minuteMs } from '../clock.ts'
import type { Limit, LimitState } from '../limits.ts'

/** Requests per minute for each plan, according to the price list. */
export const plans = { team: 200, growth: 400, professional: 400, enterprise: 700, plus: 2_500 } as const
export type Plan = keyof typeof plans

const isGuide = ({ url }: TwinRequest) => url.pathname.startsWith('/api/v2/help_center/')
const isApi = ({ url }: TwinRequest) => url.pathname.startsWith('/api/v2/')
const seconds = ({ resetMs }: LimitState) => String(Math.max(1, Math.ceil(resetMs / 1000)))

const standard = (state: LimitState) => ({
  'x-rate-limit': String(state.limit),
  'x-rate-limit-remaining': String(state.remaining),
  'ratelimit-limit': String(state.limit),
  'ratelimit-remaining': String(state.remaining),
  'ratelimit-reset': seconds(state),
})

const refusal = (state: LimitState): TwinAnswer => ({
  status: 429,
  headers: { 'retry-after': seconds(state) },
  json: { error: 'APIRateLimitExceeded', description: 'Number of allowed API requests per minute exceeded' },
})

/** Some refusals are not JSON. */
const plainRefusal =
  (words: string) =>
  (state: LimitState): TwinAnswer => ({
    status: 429,
    headers: { 'retry-after': seconds(state), 'content-type': 'text/plain; charset=utf-8' },
    body: words,
  })

const listed = ({ limit, remaining, resetMs }: LimitState) =>
  `total=${limit}; remaining=${remaining}; resets=${Math.max(1, Math.ceil(resetMs / 1000))}`

/** Without a plan, nothing is refused, and answers still report the remaining requests. */
export function zendeskLimits(plan: Plan | null): Limit[] {
  const most = 1_000_000
  const perMs = minuteMs
  const limit = plan === null ? most : plans[plan]
  const isPlus = plan === 'plus'
  const own = (few: number) => (plan === null ? most : few)
  return [
    {
      name: 'account',
      perMs,
      limit,
      cost: (request) => (isApi(request) && !isGuide(request) ? 1 : 0),
      headers: standard,
      spent: refusal,
    },
    // Requests to Help Center are counted separately.
    { name: 'guide', perMs, limit, cost: (request) => (isGuide(request) ? 1 : 0), headers: standard, spent: refusal },
    {
      name: 'incremental',
      perMs,
      limit: own(isPlus ? 30 : 10),
      cost: ({ url }) => (url.pathname.startsWith('/api/v2/incremental/') ? 1 : 0),
      // Exports by cursor, the only ones here, tell their number under this name.
      headers: (state) => ({ 'zendesk-ratelimit-incremental-exports-cursor': listed(state) }),
      spent: plainRefusal('Number of allowed incremental export API requests per minute exceeded'),
    },
    {
      name: 'deleted tickets',
      perMs,
      limit: own(10),
      cost: ({ url, method }) => (method === 'GET' && url.pathname === '/api/v2/deleted_tickets' ? 1 : 0),
      headers: (state) => ({ 'zendesk-ratelimit-deleted-tickets-index': listed(state) }),
      spent: plainRefusal('Too many requests for deleted tickets'),
    },
    {
      name: 'ticket updates',
      perMs,
      limit: own(isPlus ? 300 : 100),
      cost: ({ url, method }) => (method === 'PUT' && url.pathname.startsWith('/api/v2/tickets/') ? 1 : 0),
      spent: plainRefusal('Too many tickets updated in one minute'),
    },
    {
      name: 'user updates',
      perMs: 1_000,
      limit: own(1),
      cost: ({ url, method }) =>
        (method === 'PUT' && /^\/api\/v2\/users\/\d+$/.test(url.pathname)) ||
        (method === 'POST' && url.pathname === '/api/v2/users/create_or_update')
          ? 1
          : 0,
      spent: plainRefusal('Too many users updated in one second'),
    },
    {
      name: 'deletions',
      perMs,
      limit: own(400),
      cost: ({ url, method }) => (method === 'DELETE' && url.pathname.startsWith('/api/v2/tickets/') ? 1 : 0),
      spent: plainRefusal('Too many tickets deleted in one minute'),
    },
  ]
}
