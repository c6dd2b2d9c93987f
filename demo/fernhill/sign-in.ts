import { generateKeyPair, randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Provider, { type AdapterFactory, interactionPolicy } from 'oidc-provider'
import { keepGrants } from './keep-grants.ts'
import { html } from './ui/html.ts'
import { renderPage } from './ui/layout.ts'

export interface SignInOptions {
  clientId: string
  clientSecret: string
  /** The name of the program on the consent page. */
  clientName?: string
  redirectUris: string[]
  /** How long an access token is valid. */
  tokenSeconds?: number
}

/**
 * OAuth 2 with authorization codes, PKCE and rotating refresh tokens.
 */
export interface SignIn {
  isToken(token: string): Promise<boolean>
  /** Revokes all access. */
  withdrawAll(): void
  addRoutes(app: FastifyInstance): void
}

const HOUR = 3600
const DAY = 24 * HOUR
/** Only one person of the desk can give access. */
const OWNER = 'owner'

export function createSignIn(options: SignInOptions, db: DatabaseSync, publicUrl: () => string): SignIn {
  const grants = keepGrants(db)
  // The provider is created late, because the desk's address is known only once it listens.
  let started: Promise<Provider> | null = null
  const provider = () => {
    started ??= startProvider(options, `${publicUrl()}/oauth`, grants.adapter)
    return started
  }

  return {
    async isToken(token) {
      const found = await (await provider()).AccessToken.find(token)
      return found?.isValid ?? false
    },
    withdrawAll: () => grants.dropAll(),
    addRoutes(app) {
      void app.register(async (pages) => addQuestion(pages, provider, options))
      void app.register(async (rest) => passOn(rest, provider))
    },
  }
}

async function startProvider(options: SignInOptions, issuer: string, adapter: AdapterFactory): Promise<Provider> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const policy = interactionPolicy.base()
  policy.remove('consent')
  // The consent page appears every time; an earlier consent does not count.
  policy.get('login')?.checks.add(
    new interactionPolicy.Check('asked_every_time', 'people are asked every time', 'login_required', (ctx) => {
      const isAnswered = ctx.oidc.result?.login !== undefined
      return isAnswered ? interactionPolicy.Check.NO_NEED_TO_PROMPT : interactionPolicy.Check.REQUEST_PROMPT
    }),
  )
  const { tokenSeconds = HOUR } = options
  return new Provider(issuer, {
    adapter,
    clients: [
      {
        client_id: options.clientId,
        client_secret: options.clientSecret,
        redirect_uris: options.redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
    cookies: { keys: [randomBytes(24).toString('hex')] },
    scopes: ['read'],
    pkce: { required: () => true },
    issueRefreshToken: async () => true,
    rotateRefreshToken: () => true,
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      revocation: { enabled: true },
    },
    interactions: { policy, url: (_ctx, { uid }) => `/oauth/interaction/${uid}` },
    findAccount: (_ctx, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    ttl: {
      AccessToken: tokenSeconds,
      AuthorizationCode: 60,
      RefreshToken: 30 * DAY,
      Grant: 30 * DAY,
      Interaction: HOUR,
      Session: HOUR,
    },
    loadExistingGrant: async (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId)
    },
  })
}

/** Adds the consent page and the route for its form. */
function addQuestion(
  app: FastifyInstance,
  provider: () => Promise<Provider>,
  { clientId, clientName = clientId }: SignInOptions,
): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))))
  })
  app.get<{ Params: { uid: string } }>('/oauth/interaction/:uid', async ({ params }, reply) =>
    sendPage(
      reply,
      html`<h1>Let ${clientName} in?</h1>
<p>${clientName} asks to read everything in this help desk. It cannot change anything.</p>
<form class="answers" method="post" action="/oauth/interaction/${params.uid}">
<button name="answer" value="allow">Allow</button> <button name="answer" value="deny">Do not allow</button>
</form>`,
    ),
  )
  app.post<{ Params: { uid: string }; Body: { answer?: string } }>(
    '/oauth/interaction/:uid',
    async (request, reply) => {
      const { answer } = request.body
      const { Grant, interactionFinished } = await bind(provider)
      reply.hijack()
      if (answer !== 'allow') {
        const refusal = { error: 'access_denied', error_description: 'The owner of this desk did not allow it.' }
        return interactionFinished(request.raw, reply.raw, refusal)
      }
      const grant = new Grant({ accountId: OWNER, clientId })
      grant.addOIDCScope('read')
      const grantId = await grant.save()
      const result = { login: { accountId: OWNER }, consent: { grantId } }
      return interactionFinished(request.raw, reply.raw, result)
    },
  )
}

async function bind(provider: () => Promise<Provider>) {
  const started = await provider()
  return { Grant: started.Grant, interactionFinished: started.interactionFinished.bind(started) }
}

function sendPage(reply: FastifyReply, body: ReturnType<typeof html>): FastifyReply {
  return (
    reply
      .header('content-type', 'text/html; charset=utf-8')
      // `form-action` is missing on purpose, because the answer redirects to the program that asked.
      .header('content-security-policy', "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'")
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-store')
      .send(renderPage({ title: 'Sign in', section: '/', body }))
  )
}

/** Passes all other requests under /oauth to the library. */
function passOn(app: FastifyInstance, provider: () => Promise<Provider>): void {
  app.removeAllContentTypeParsers()
  // The library reads the body itself.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.all('/oauth/*', async (request: FastifyRequest, reply) => {
    const handle = (await provider()).callback()
    const { raw } = request
    // The library expects paths without the prefix.
    Object.assign(raw, { originalUrl: raw.url, url: raw.url?.slice('/oauth'.length) })
    reply.hijack()
    await handle(raw, reply.raw)
  })
}
