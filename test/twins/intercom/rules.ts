import { Type } from 'typebox'
import { answer, type TwinRequest } from '../answers.ts'
import { type Clock, secondMs } from '../clock.ts'
import type { Limit } from '../limits.ts'
import type { Operation, ToolRules } from '../tool-twin.ts'
import { closed, createAccount, errorOf, optional, type Settings } from './account.ts'
import { articleOperations } from './articles.ts'
import { attributeOperations } from './attributes.ts'
import { collectionOperations } from './collections.ts'
import { archiveCompanies, companyOperations } from './companies.ts'
import { contactOperations } from './contacts.ts'
import { conversationOperations } from './conversations.ts'
import { internalArticleOperations } from './internal-articles.ts'
import { peopleOperations } from './people.ts'
import { ticketTypeOperations } from './ticket-types.ts'
import { ticketOperations } from './tickets.ts'

export interface IntercomRules extends Partial<Settings> {
  token: string
  /** The limit in windows of ten seconds; 10,000 requests per minute by default. */
  perTenSeconds?: number
}

/** The code that an OAuth sign-in exchanges for a token. */
export const oauthCode = 'code-of-a-grant'

const oauthOperation = (token: string): Operation => {
  const names = ['code', 'client_id', 'client_secret', 'grant_type', 'redirect_uri']
  return {
    method: 'POST',
    path: '/auth/eagle/token',
    form: names,
    json: closed(Object.fromEntries(names.map((name) => [name, optional(Type.String())]))),
    act({ form, json }) {
      const code = form?.get('code') ?? json?.code
      if (code !== oauthCode) return answer(401, errorOf('unauthorized', 'The code is not valid'))
      // The token never expires, and nothing renews it.
      return answer(200, { token_type: 'Bearer', token, access_token: token })
    },
  }
}

const isSignIn = ({ url }: TwinRequest) => url.pathname === '/auth/eagle/token'

export function intercomRules(clock: Clock, { token, perTenSeconds = 1667, ...settings }: IntercomRules) {
  const account = createAccount(clock, settings)
  const isKnown = ({ headers }: TwinRequest) => headers.authorization === `Bearer ${token}`
  const limit: Limit = {
    name: 'ten seconds',
    perMs: 10 * secondMs,
    limit: perTenSeconds,
    isAligned: true,
    // Answers without authentication have no headers about limits.
    cost: (request) => (isKnown(request) ? 1 : 0),
    headers: ({ limit: most, remaining, resetAt }) => ({
      'x-ratelimit-limit': String(most),
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(Math.ceil(resetAt / secondMs)),
    }),
    spent: ({ limit: most }) =>
      answer(429, errorOf('rate_limit_exceeded', `Exceeded rate limit of ${most} in 10_seconds`)),
  }
  const rules: ToolRules = {
    operations: [
      ...peopleOperations(account),
      ...attributeOperations(account),
      ...companyOperations(account),
      ...contactOperations(account),
      ...conversationOperations(account),
      ...ticketTypeOperations(account),
      ...ticketOperations(account),
      ...collectionOperations(account),
      ...articleOperations(account),
      ...internalArticleOperations(account),
      oauthOperation(token),
    ],
    admit(request) {
      if (isSignIn(request)) return null
      if (!isKnown(request)) return answer(401, errorOf('unauthorized', 'Access Token Invalid'))
      // Without this header, the version chosen for the app would apply.
      const version = String(request.headers['intercom-version'] ?? '')
      if (/^(2\.\d{1,2}|Unstable|Preview)$/.test(version)) return null
      return answer(400, errorOf('intercom_version_invalid', 'The requested version could not be found'))
    },
    limits: [limit],
    settle: () => archiveCompanies(account),
    keyOf: ({ json }) => keyIn(json),
  }
  return { rules, account }
}

/** Our key is in a special field of contacts and companies. */
function keyIn(json: { external_id?: unknown; company_id?: unknown } | undefined): string | undefined {
  const key = json?.external_id ?? json?.company_id
  return typeof key === 'string' ? key : undefined
}
