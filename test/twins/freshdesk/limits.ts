import type { TwinAnswer, TwinRequest } from '../answers.ts'
import { minuteMs } from '../clock.ts'
import type { Limit, LimitState } from '../limits.ts'

export type Plan = 'trial' | 'growth' | 'pro' | 'enterprise'

/** Requests per minute: of the whole account, and of requests with a separate limit. */
const plans: Record<Plan, { all: number; write: number; list: number }> = {
  trial: { all: 50, write: 50, list: 50 },
  growth: { all: 200, write: 80, list: 20 },
  pro: { all: 400, write: 160, list: 100 },
  enterprise: { all: 700, write: 280, list: 200 },
}

const endpoints: [name: string, kind: 'write' | 'list', isIt: (method: string, path: string) => boolean][] = [
  ['create tickets', 'write', (method, path) => method === 'POST' && path === 'tickets'],
  ['update tickets', 'write', (method, path) => method === 'PUT' && /^tickets\/\d+$/.test(path)],
  ['list tickets', 'list', (method, path) => method === 'GET' && path === 'tickets'],
  ['list contacts', 'list', (method, path) => method === 'GET' && path === 'contacts'],
]

const pathOf = ({ url }: TwinRequest) => (url.pathname.startsWith('/api/v2/') ? url.pathname.slice(8) : null)

/** Every embedded part counts: 2 requests in lists, 1 in a single ticket, and 2 for its conversations. */
function costOf(request: TwinRequest): number {
  const path = pathOf(request)
  if (path === null) return 0
  const included = (request.query.get('include') ?? '').split(',').filter(Boolean)
  const isList = path === 'tickets'
  return included.reduce((sum, name) => sum + (isList || name === 'conversations' ? 2 : 1), 1)
}

const headers = ({ limit, remaining, cost }: LimitState) => ({
  'x-ratelimit-total': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-used-currentrequest': String(cost),
  'x-freshdesk-api-version': 'latest=v2; requested=v2',
})

const spent = ({ resetMs }: LimitState): TwinAnswer => ({
  status: 429,
  headers: { 'retry-after': String(Math.max(1, Math.ceil(resetMs / 1000))) },
  json: { message: 'You have exceeded the limit of requests per minute' },
})

/** Without a plan nothing is ever refused. The headers show the narrowest limit that a request counts against. */
export function freshdeskLimits(plan: Plan | null): Limit[] {
  const few = plan === null ? { all: 1_000_000, write: 900_000, list: 800_000 } : plans[plan]
  return [
    { name: 'account', perMs: minuteMs, limit: few.all, cost: costOf, headers, spent },
    ...endpoints.map(([name, kind, isIt]) => ({
      name,
      perMs: minuteMs,
      limit: few[kind],
      cost: (request: TwinRequest) => (isIt(request.method, pathOf(request) ?? '') ? costOf(request) : 0),
      headers,
      spent,
    })),
  ]
}
