import { answer } from '../answers.ts'
import { type Clock, minuteMs, secondMs } from '../clock.ts'
import type { Limit } from '../limits.ts'
import type { ToolRules } from '../tool-twin.ts'
import { createAccount, type HelpScoutOptions } from './account.ts'
import { type App, createAuth } from './auth.ts'
import { conversationOperations } from './conversations.ts'
import { customerOperations, settleCustomers } from './customers.ts'
import { directoryOperations } from './directory.ts'
import { organizationOperations } from './organizations.ts'
import { propertyOperations } from './properties.ts'
import { threadOperations } from './threads.ts'

export interface HelpScoutRules extends HelpScoutOptions {
  app: App
  /** Requests per minute, according to the plan; without a number nothing is ever refused. */
  perMinute?: number | null
  /** The most write requests in five seconds; the page about limits does not mention it. */
  writesPerFiveSeconds?: number | null
}

/** All people and apps of an account share one limit. A write counts as two requests. */
function limitsOf(perMinute: number | null, writes: number | null): Limit[] {
  const costOf = (method: string, pathname: string) => (pathname === '/v2/oauth2/token' ? 0 : method === 'GET' ? 1 : 2)
  // The header has a special name; there is no Retry-After.
  const spent: Limit['spent'] = ({ resetMs }) =>
    answer(
      429,
      { message: 'API rate limit exceeded' },
      { 'x-ratelimit-retry-after': String(Math.max(1, Math.ceil(resetMs / 1000))) },
    )
  return [
    {
      name: 'minute',
      perMs: minuteMs,
      limit: perMinute ?? 1_000_000_000,
      cost: ({ method, url }) => costOf(method, url.pathname),
      headers: ({ limit, remaining }) => ({
        'x-ratelimit-limit-minute': String(limit),
        'x-ratelimit-remaining-minute': String(remaining),
      }),
      spent,
    },
    {
      name: 'burst',
      perMs: 5 * secondMs,
      limit: writes ?? 1_000_000_000,
      cost: ({ method, url }) => (costOf(method, url.pathname) === 2 ? 1 : 0),
      spent,
    },
  ]
}

export function helpScoutRules(clock: Clock, { app, ...options }: HelpScoutRules) {
  const account = createAccount(clock, options)
  const auth = createAuth(account, app)
  const rules: ToolRules = {
    operations: [
      ...auth.operations,
      ...directoryOperations(account, auth),
      ...organizationOperations(account),
      ...propertyOperations(account),
      ...customerOperations(account),
      ...conversationOperations(account, auth),
      ...threadOperations(account, auth),
    ],
    admit: auth.admit,
    limits: limitsOf(options.perMinute ?? null, options.writesPerFiveSeconds ?? null),
    keyOf: ({ json }) => (typeof json?.subject === 'string' ? json.subject : undefined),
    settle: () => settleCustomers(account),
  }
  return { rules, account, auth }
}
