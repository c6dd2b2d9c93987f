import { randomUUID } from 'node:crypto'
import { answer, refuse, type TwinRequest } from '../answers.ts'
import { type Clock, minuteMs } from '../clock.ts'
import type { Operation } from '../tool-twin.ts'
import { errorOf } from './account.ts'
import { shapes } from './shapes.ts'

export const oauthClient = { id: '0d1e2f3a-client', secret: '4b5c6d7e-secret' }

const tokenMs = 30 * minuteMs
const codeMs = minuteMs

/** From this date on, the first version of the sign-in answers with errors. The vendor's own client still uses it. */
export const firstVersionEnds = '2027-02-16T00:00:00.000Z'

const grantRefusals = /^(BAD_REFRESH_TOKEN|BAD_AUTH_CODE|EXPIRED_AUTH_CODE|MISMATCH_REDIRECT_URI_AUTH_CODE)$/
const errorFor = (status: string) =>
  grantRefusals.test(status)
    ? 'invalid_grant'
    : status === 'BAD_GRANT_TYPE'
      ? 'unsupported_grant_type'
      : 'invalid_client'

/** Refuses with the standard's fields and HubSpot's own. */
const refuseSignIn = (status: string, message: string): never =>
  refuse(400, { error: errorFor(status), error_description: message, status, message })

/**
 * Sign-ins by OAuth 2. Access tokens are valid for 30 minutes; a refresh token stays the same until the app is removed.
 */
export function createOAuth(clock: Clock) {
  const codes = new Map<string, { redirectUri: string; expiresAt: number }>()
  const expiries = new Map<string, number>()
  const refreshTokens = new Set<string>()
  let renewals = 0

  const issue = (refreshToken: string) => {
    const token = `CK${randomUUID().replaceAll('-', '')}`
    expiries.set(token, clock.now() + tokenMs)
    return { token_type: 'bearer', refresh_token: refreshToken, access_token: token, expires_in: tokenMs / 1000 }
  }
  const install = () => {
    const refreshToken = randomUUID()
    refreshTokens.add(refreshToken)
    return issue(refreshToken)
  }
  const takeSignIn = ({ form }: TwinRequest) => {
    const given = (name: string) => String(form?.get(name) ?? '')
    if (given('client_id') !== oauthClient.id) refuseSignIn('BAD_CLIENT_ID', 'missing or unknown client id')
    if (given('client_secret') !== oauthClient.secret)
      refuseSignIn('BAD_CLIENT_SECRET', 'missing or invalid client secret')
    if (given('grant_type') === 'refresh_token') {
      const refreshToken = given('refresh_token')
      if (!refreshTokens.has(refreshToken)) refuseSignIn('BAD_REFRESH_TOKEN', 'missing or invalid refresh token')
      renewals += 1
      return answer(200, issue(refreshToken))
    }
    if (given('grant_type') !== 'authorization_code') refuseSignIn('BAD_GRANT_TYPE', 'missing or unknown grant type')
    const code = codes.get(given('code'))
    codes.delete(given('code'))
    if (!code) return refuseSignIn('BAD_AUTH_CODE', 'missing or unknown auth code')
    if (code.redirectUri !== given('redirect_uri'))
      refuseSignIn('MISMATCH_REDIRECT_URI_AUTH_CODE', 'missing or invalid redirect uri')
    if (code.expiresAt <= clock.now()) refuseSignIn('EXPIRED_AUTH_CODE', 'auth code is expired')
    return answer(200, install())
  }
  const operations: Operation[] = [
    {
      // Opening this address counts as consent; the page for people is left out.
      ...shapes.authorize,
      act({ query }) {
        const redirectUri = query.get('redirect_uri') ?? ''
        if (query.get('client_id') !== oauthClient.id || !URL.canParse(redirectUri)) refuse(400, { status: 'error' })
        const code = randomUUID()
        codes.set(code, { redirectUri, expiresAt: clock.now() + codeMs })
        const location = new URL(redirectUri)
        location.searchParams.set('code', code)
        const state = query.get('state')
        if (state !== null) location.searchParams.set('state', state)
        return { status: 302, headers: { location: location.href } }
      },
    },
    { ...shapes.token, act: takeSignIn },
    {
      ...shapes.firstToken,
      act: (request) =>
        clock.now() < Date.parse(firstVersionEnds)
          ? takeSignIn(request)
          : refuse(410, { status: 'error', message: 'This version of the API has ended.' }),
    },
  ]
  return {
    operations,
    /** Installs the app as a customer would, and returns its first tokens. */
    install,
    /** Removes the app as a customer would: all tokens are refused. */
    uninstall() {
      refreshTokens.clear()
      expiries.clear()
    },
    renewals: () => renewals,
    isOpen: ({ url }: TwinRequest) => url.pathname.startsWith('/oauth/'),
    /** The refusal of a token; null for a valid one. */
    refusalOf(token: string) {
      const expiry = expiries.get(token)
      if (expiry === undefined)
        return answer(401, errorOf('INVALID_AUTHENTICATION', 'Authentication credentials not found or not valid.'))
      if (expiry > clock.now()) return null
      const minutes = Math.floor((clock.now() - expiry) / minuteMs)
      const message = `The OAuth token used to make this call expired ${minutes} minute(s) ago.`
      return answer(401, errorOf('EXPIRED_AUTHENTICATION', message))
    },
  }
}
