import * as oauth from 'oauth4webapi'
import type { OAuthEndpoints, OAuthOffer } from '../connectors/contract/contract.ts'
import { AddressNotAllowedError, ObstacleError, RetryableError } from '../errors.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { readRetryAfter } from '../outbound/retry-after.ts'
import type { OAuthClient } from './oauth-clients.ts'

/** The tokens that the tool issued. */
export interface Tokens {
  accessToken: string
  /** Null if the tool issues none: then the customer signs in again when the access token has expired. */
  refreshToken: string | null
  /** The time to renew the access token, somewhat before it expires. Null if the tool does not say. */
  renewAt: string | null
  /** Further fields of the answer that the connector keeps. */
  more?: Record<string, string>
}

export interface ServerParts {
  offer: Pick<OAuthOffer, 'scopes' | 'sendsSecretInBody' | 'keeps' | 'isGrantLost'>
  endpoints: OAuthEndpoints
  client: OAuthClient
  outbound: Outbound
}

const longestToken = 8_192
const longestMore = 2_048
const earlierMs = 60_000
/** The longest lifetime. Some tools report more for a token that never expires. */
const longestLifeS = 10 * 365 * 24 * 3_600

/** The address for the customer's browser, with the state that it will bring back. */
export async function buildSignInUrl(
  { endpoints, client }: Pick<ServerParts, 'endpoints' | 'client'>,
  request: { state: string; codeVerifier: string; redirectUri: string; scopes: readonly string[] },
): Promise<string> {
  const url = new URL(endpoints.authorization)
  const parameters = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: request.redirectUri,
    state: request.state,
    ...(request.codeVerifier !== '' && {
      code_challenge: await oauth.calculatePKCECodeChallenge(request.codeVerifier),
      code_challenge_method: 'S256',
    }),
    ...(request.scopes.length > 0 && { scope: request.scopes.join(' ') }),
    ...endpoints.parameters,
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** Exchanges the code that the browser brought back for tokens. Throws the error that `judge` chooses for a refusal. */
export async function exchangeCode(
  parts: ServerParts,
  answer: { parameters: URLSearchParams; state: string; codeVerifier: string; redirectUri: string; limitMs: number },
): Promise<Tokens> {
  const { server, client, authentication, options } = speak(parts, answer.limitMs)
  try {
    const checked = oauth.validateAuthResponse(server, client, answer.parameters, answer.state)
    const { redirectUri, codeVerifier } = answer
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      checked,
      redirectUri,
      codeVerifier === '' ? oauth.nopkce : codeVerifier,
      options,
    )
    const told = await oauth.processAuthorizationCodeResponse(server, client, response)
    const missing = findMissing(parts.offer.scopes, told.scope)
    if (missing.length > 0) throw new ScopesLeftOutError(missing)
    return readTokens(told, parts.offer, null)
  } catch (error) {
    throw judge(error)
  }
}

/** Gets new tokens for a refresh token; the tool may replace the refresh token as well. */
export async function refreshTokens(
  parts: ServerParts,
  before: { refreshToken: string; more?: Record<string, string> | undefined },
  limitMs: number,
): Promise<Tokens> {
  const { server, client, authentication, options } = speak(parts, limitMs)
  try {
    const response = await oauth.refreshTokenGrantRequest(server, client, authentication, before.refreshToken, options)
    return readTokens(await oauth.processRefreshTokenResponse(server, client, response), parts.offer, before)
  } catch (error) {
    throw judge(error)
  }
}

/** Asks the tool to forget a token (RFC 7009). A token that the tool no longer knows counts as revoked, too. */
export async function revokeToken(
  parts: ServerParts,
  token: string,
  kind: 'access_token' | 'refresh_token',
  limitMs: number,
): Promise<void> {
  const { server, client, authentication, options } = speak(parts, limitMs)
  try {
    const additionalParameters = { token_type_hint: kind }
    const response = await oauth.revocationRequest(server, client, authentication, token, {
      ...options,
      additionalParameters,
    })
    await oauth.processRevocationResponse(response)
  } catch (error) {
    const judged = judge(error)
    if (!isLoss(judged)) throw judged
  }
}

function speak({ offer, endpoints, client, outbound }: ServerParts, limitMs: number) {
  const server: oauth.AuthorizationServer = {
    issuer: endpoints.issuer,
    authorization_endpoint: endpoints.authorization,
    token_endpoint: endpoints.token,
    ...(endpoints.revocation !== undefined && { revocation_endpoint: endpoints.revocation }),
    ...(endpoints.namesIssuer && { authorization_response_iss_parameter_supported: true }),
  }
  const { secret } = client
  const bySecret = offer.sendsSecretInBody ? oauth.ClientSecretPost : oauth.ClientSecretBasic
  const authentication = secret === null ? oauth.None() : bySecret(secret)
  const signal = AbortSignal.timeout(limitMs)
  const options = {
    signal,
    // Through the one client that checks addresses.
    [oauth.customFetch]: async (url: string, init: oauth.CustomFetchOptions<'POST', URLSearchParams>) => {
      const response = await fetchThrough(outbound, url, { headers: init.headers, body: String(init.body), signal })
      if (await isRefusal(response, offer)) throw grantLost()
      return tidy(response)
    },
    // Plain http is possible only where the operator has registered the client at such an address.
    [oauth.allowInsecureRequests]: endpoints.token.startsWith('http:'),
  }
  return { server, client: { client_id: client.clientId }, authentication, options }
}

/** True if the tool's own error says that the grant is lost. */
async function isRefusal(response: Response, { isGrantLost }: Pick<OAuthOffer, 'isGrantLost'>): Promise<boolean> {
  if (!isGrantLost || response.status < 400 || response.status >= 500) return false
  const json: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  return typeof json === 'object' && json !== null && isGrantLost(json as Record<string, unknown>)
}

async function fetchThrough(
  outbound: Outbound,
  url: string,
  { headers, body, signal }: { headers: Record<string, string>; body: string; signal: AbortSignal },
): Promise<Response> {
  const answer = await outbound.request(url, { method: 'POST', headers, body, signal })
  const contentType = answer.headers['content-type']
  if ([408, 429].includes(answer.status) || answer.status >= 500) {
    const retryAfterMs = readRetryAfter(answer.headers['retry-after'], Date.now()) ?? 0
    throw new RetryableError('a sign-in server is busy', { retryAfterMs })
  }
  // These statuses have no body, and no token endpoint answers with them.
  if ([101, 204, 205, 304].includes(answer.status)) throw new RetryableError('a sign-in server answered nothing')
  const kept = typeof contentType === 'string' ? { 'content-type': contentType } : undefined
  return new Response(answer.body, { status: answer.status, ...(kept && { headers: kept }) })
}

/**
 * Drops optional fields that are not of the standard's form. They must not cost us the tokens beside them: the code or
 * refresh token that we sent is used up.
 */
async function tidy(response: Response): Promise<Response> {
  const json: unknown = response.ok
    ? await response
        .clone()
        .json()
        .catch(() => null)
    : null
  if (typeof json !== 'object' || json === null) return response
  const { expires_in, refresh_token, token_type, scope, scopes, id_token: _, ...rest } = json as Record<string, unknown>
  const seconds = Math.min(Number(expires_in), longestLifeS)
  const granted = [scope, scopes].flat().filter((one) => typeof one === 'string')
  return Response.json({
    ...rest,
    token_type: token_type ?? 'bearer',
    ...(seconds > 0 && { expires_in: seconds }),
    ...(typeof refresh_token === 'string' && refresh_token !== '' && { refresh_token }),
    ...(granted.length > 0 && { scope: granted.join(' ') }),
  })
}

/** The scopes that were asked for and not granted. A tool that grants all of them need not name them. */
function findMissing(asked: readonly string[], told: string | undefined): string[] {
  const granted = told?.split(/[\s,]+/) ?? asked
  // The refresh token itself shows this one, and some tools do not name it.
  return asked.filter(
    (one) => one !== 'offline_access' && !granted.includes(one) && !granted.includes(one.replace(/:read$/, ':full')),
  )
}

function readTokens(
  answer: oauth.TokenEndpointResponse,
  { keeps }: Pick<OAuthOffer, 'keeps'>,
  before: { refreshToken: string; more?: Record<string, string> | undefined } | null,
): Tokens {
  const { access_token: accessToken, refresh_token: next, expires_in: seconds } = answer
  if (accessToken.length > longestToken || (next?.length ?? 0) > longestToken) {
    throw new RetryableError('a sign-in server answered with a token that is too long')
  }
  const lifeMs = seconds === undefined ? null : seconds * 1000
  return {
    accessToken,
    refreshToken: next ?? before?.refreshToken ?? null,
    renewAt: lifeMs === null ? null : new Date(Date.now() + lifeMs - Math.min(earlierMs, lifeMs / 5)).toISOString(),
    ...(keeps && { more: readMore(answer, keeps, before?.more ?? {}) }),
  }
}

/** A renewal need not repeat the fields of the first answer. Invalid fields must not cost us the new tokens. */
function readMore(answer: object, keeps: readonly string[], before: Record<string, string>): Record<string, string> {
  const told = answer as Record<string, unknown>
  return Object.fromEntries(
    keeps.map((name) => {
      const value = Object.hasOwn(told, name) ? told[name] : null
      const text = typeof value === 'number' ? String(value) : value
      if (typeof text === 'string' && text !== '' && text.length <= longestMore) return [name, text]
      if (Object.hasOwn(before, name)) return [name, String(before[name])]
      throw new RetryableError(`a sign-in server answered without ${name}`)
    }),
  )
}

/** The customer refused, or left. */
export class SignInDeniedError extends Error {
  override name = 'SignInDeniedError'
}

/** The tool let the customer in, with fewer permissions than were asked for. */
export class ScopesLeftOutError extends Error {
  override name = 'ScopesLeftOutError'
  readonly scopes: readonly string[]

  constructor(scopes: readonly string[]) {
    super(`a sign-in server did not grant ${scopes.join(' ')}`)
    this.scopes = scopes
  }
}

/**
 * Chooses the error for a refusal by the server's own codes. It quotes nothing of the answer, which may hold secrets.
 */
function judge(error: unknown): Error {
  if (error instanceof oauth.AuthorizationResponseError) {
    if (deniedCodes.has(error.error)) return new SignInDeniedError('the customer did not allow it')
    return passingCodes.has(error.error) ? new RetryableError('a sign-in server is busy') : clientRefused()
  }
  if (error instanceof oauth.ResponseBodyError) {
    return error.error === 'invalid_grant' ? grantLost() : clientRefused()
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError) return clientRefused()
  if (passedOn.some((kind) => error instanceof kind)) return error as Error
  // The library's own errors hold the answer.
  if (error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError) {
    return new RetryableError(`a sign-in server answered in an unknown form (${error.code})`)
  }
  return new RetryableError('a sign-in server could not be asked', { cause: error })
}

const passedOn = [AddressNotAllowedError, RetryableError, ObstacleError, ScopesLeftOutError]
/** The second is Pipedrive's. */
const deniedCodes = new Set(['access_denied', 'user_denied'])
const passingCodes = new Set(['server_error', 'temporarily_unavailable'])

export const isLoss = (error: unknown) => error instanceof ObstacleError && error.code === 'authorization_lost'

export const grantLost = () =>
  new ObstacleError(
    'authorization_lost',
    'customer',
    'The account no longer lets us in: the permission has run out or was withdrawn. Please sign in again.',
  )

const clientRefused = () =>
  new ObstacleError(
    'oauth_client_refused',
    'operator',
    'The tool does not know this installation, or not for what it asked. Its client id and secret must be put right.',
  )
