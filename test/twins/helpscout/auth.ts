import { randomUUID } from 'node:crypto'
import { answer, refuse, type TwinAnswer, type TwinRequest } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, errorOf, found, type User } from './account.ts'
import { bodies } from './shapes.ts'

export interface App {
  id: string
  secret: string
  /** The address to which people return after consent. */
  redirectUrl: string
}

interface Token {
  userId: string
  until: number
}

/** Two days, in seconds, as in the answer. */
const lifeS = 172_800

/** An app's secret gives a token; so does the consent of a person, and only that token can be renewed. */
export function createAuth(account: Account, app: App) {
  const { clock, users } = account
  const tokens = new Map<string, Token>()
  const codes = new Map<string, string>()
  const refreshes = new Map<string, string>()
  const owner = () => found(users.list(({ role }) => role === 'owner')[0])
  const issue = (userId: string) => {
    const access_token = randomUUID().replaceAll('-', '')
    tokens.set(access_token, { userId, until: clock.now() + lifeS * 1000 })
    return { token_type: 'bearer', access_token, expires_in: lifeS }
  }
  const renewable = (userId: string) => {
    const refresh_token = randomUUID().replaceAll('-', '')
    refreshes.set(refresh_token, userId)
    return { refresh_token, ...issue(userId) }
  }
  const fail = (status: number, error: string): never =>
    refuse(status, { error, error_description: 'The given grant or client is not valid' })
  /** Uses up a code or a refresh token, which works only once. */
  const spend = (from: Map<string, string>, key: unknown): string => {
    const userId = from.get(String(key)) ?? (fail(400, 'invalid_grant') as never)
    from.delete(String(key))
    return userId
  }

  const operations: Operation[] = [
    {
      method: 'POST',
      path: '/v2/oauth2/token',
      query: { grant_type: true, client_id: true, client_secret: true, code: true, refresh_token: true },
      json: bodies.token,
      form: ['grant_type', 'client_id', 'client_secret', 'code', 'refresh_token'],
      act({ json, form, query }) {
        const asked: Record<string, unknown> = json ?? Object.fromEntries(form ?? query)
        if (asked.client_id !== app.id || asked.client_secret !== app.secret) fail(401, 'invalid_client')
        if (asked.grant_type === 'client_credentials') return answer(200, issue(owner().id))
        if (asked.grant_type === 'authorization_code') return answer(200, renewable(spend(codes, asked.code)))
        if (asked.grant_type === 'refresh_token') return answer(200, renewable(spend(refreshes, asked.refresh_token)))
        return fail(400, 'unsupported_grant_type')
      },
    },
    {
      // The consent page at secure.helpscout.net; here, opening it counts as consent.
      method: 'GET',
      path: '/authentication/authorizeClientApplication',
      query: { client_id: true, state: true },
      act({ query }) {
        if (query.get('client_id') !== app.id) return answer(400, errorOf('Unknown application'))
        const code = randomUUID().replaceAll('-', '')
        codes.set(code, owner().id)
        const back = new URL(app.redirectUrl)
        back.searchParams.set('code', code)
        if (query.has('state')) back.searchParams.set('state', String(query.get('state')))
        return { status: 302, headers: { location: String(back) } }
      },
    },
  ]

  const whoIs = ({ headers }: Pick<TwinRequest, 'headers'>): User | undefined => {
    const [, text = ''] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? []
    const token = tokens.get(text)
    const user = token && clock.now() < token.until ? users.get(token.userId) : undefined
    return user?.isGone ? undefined : user
  }
  return {
    operations,
    issue: (userId: string) => issue(userId).access_token,
    /** Ends every token, as removing the app does. */
    revoke: () => tokens.clear(),
    meOf: (request: Pick<TwinRequest, 'headers'>): User => found(whoIs(request)),
    admit(request: TwinRequest): TwinAnswer | null {
      const { pathname } = request.url
      if (pathname === '/v2/oauth2/token' || pathname.startsWith('/authentication/')) return null
      if (!whoIs(request)) return answer(401, { ...errorOf('Unauthorized'), error: 'invalid_token' })
      if (request.bytes.length > account.maxRequestBytes) return answer(413, errorOf('Request entity too large'))
      return null
    },
  }
}

export type Auth = ReturnType<typeof createAuth>
