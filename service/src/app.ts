import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import type { QueryConfig } from 'pg'
import { registerCertificateKeys } from './certificates/certificate-keys.routes.ts'
import { type Config, checkoutDir } from './config.ts'
import type { Connector } from './connectors/contract/contract.ts'
import type { LoadedConnectors } from './connectors/load-connectors.ts'
import { operatorConsole } from './console/console.ts'
import type { OpenDatabase } from './db/open-database.ts'
import { createTitleRecords } from './engine/title-records.ts'
import { createViewExamples } from './engine/view-examples.ts'
import { createRecordViews } from './engine/view-record.ts'
import { RequestError } from './errors.ts'
import { answerClientError, answerError, watchUnanswered } from './http-errors.ts'
import { escapeMalformedUrl, guardRequests } from './http-guards.ts'
import { logAnswers, logOptions } from './http-log.ts'
import { traceRequests } from './http-traces.ts'
import { takeTurns } from './http-turns.ts'
import type { RunStarter } from './imports/start-run.ts'
import type { Installation } from './installation.ts'
import type { KeyRing } from './key-ring.ts'
import { limitFailures } from './limit-failures.ts'
import type { Outbound } from './outbound/outbound.ts'
import { createAuthenticator } from './partner-api/authenticate.ts'
import { createLiveBackend } from './partner-api/backend.ts'
import { registerDocs } from './partner-api/docs-page.ts'
import { createFailedAuthLimiter } from './partner-api/failed-auth-limiter.ts'
import { describeApi, liveApiPrefix, sandboxPrefix } from './partner-api/openapi.ts'
import { partnerApi } from './partner-api/partner-api.ts'
import { createSandboxBackend } from './partner-api/sandbox/sandbox-backend.ts'
import { createProviders } from './payments/create-providers.ts'
import { createStripe } from './payments/stripe/create-stripe.ts'
import { stripeEvents } from './payments/stripe/stripe-events.routes.ts'
import { portal } from './portal/portal.ts'
import type { UploadEnqueue } from './uploads/finish-upload.ts'

export interface AppParts {
  config: Config
  database: OpenDatabase
  keyRing: KeyRing
  installation: Installation
  connectors: readonly Connector[]
  /** Connectors from outside that could not be loaded; the console names them. */
  leftOut?: LoadedConnectors['leftOut']
  outbound: Outbound
  starter: RunStarter
  enqueueUpload: UploadEnqueue
  logStream: NodeJS.WritableStream
  /** False for a process that only works in the background. */
  hasDocs?: boolean
  /** Folder of the built web part, if not the checkout's own. */
  webDist?: string
}

/** Builds the HTTP app; never listens. Each surface is a plugin with its own authentication. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { config, database, connectors, outbound, installation } = parts
  const app = Fastify({
    logger: logOptions(config.logLevel, parts.logStream),
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    genReqId: () => `req_${randomUUID().replaceAll('-', '')}`,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // A slow sender is cut off; node:http would wait for ever.
    requestTimeout: 15_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000, requireHostHeader: false },
    clientErrorHandler: answerClientError,
    rewriteUrl: escapeMalformedUrl,
    // The router answers longer parameters by itself; node:http bounds the whole address anyway.
    routerOptions: { maxParamLength: 65_536 },
  })
  app.setErrorHandler(answerError)
  // Never reached: the guard answers unknown paths before. Fastify's own handler would answer in another shape.
  app.setNotFoundHandler(() => {
    throw new RequestError('not_found', 'There is nothing here.')
  })
  watchUnanswered(app.server)
  if (config.origin?.startsWith('https:')) requireHttps(app)
  takeTurns(app)
  guardRequests(app, [liveApiPrefix, sandboxPrefix])
  logAnswers(app)
  traceRequests(app)
  await describeApi(app)
  registerHealth(app, database)
  registerCertificateKeys(app, database.db)

  const failedAuthLimiter = createFailedAuthLimiter(config.failedAuthLimit)
  const authenticatorWith = (rateLimit: number) =>
    createAuthenticator({ pool: database.pool, rateLimit, failedAuthLimiter })
  const origin = () => config.origin ?? listeningOrigin(app)
  const webDist = parts.webDist ?? resolve(checkoutDir, 'web/dist')
  const stripe = config.stripe && (await createStripe(config.stripe, outbound))
  await app.register(partnerApi, {
    prefix: liveApiPrefix,
    authenticate: authenticatorWith(config.rateLimit),
    backend: createLiveBackend({ db: database.db, keyRing: parts.keyRing, installation, connectors }),
    connectors,
    outbound,
    origin,
  })
  await app.register(partnerApi, {
    prefix: sandboxPrefix,
    authenticate: authenticatorWith(0),
    backend: createSandboxBackend(connectors),
    connectors,
    outbound,
    origin,
  })
  await app.register(portal, {
    db: database.db,
    pool: database.pool,
    links: installation.links,
    connectors,
    keyRing: parts.keyRing,
    outbound,
    starter: parts.starter,
    ...createRecordViews({ db: database.db, keyRing: parts.keyRing, connectors, outbound }),
    viewExamples: createViewExamples({ db: database.db, keyRing: parts.keyRing, connectors, outbound }),
    titleRecords: createTitleRecords({ db: database.db, keyRing: parts.keyRing, connectors, outbound }),
    enqueueUpload: parts.enqueueUpload,
    uploadLimitBytes: config.uploadLimitBytes,
    providers: createProviders(config, { connectors, stripe, origin }),
    sendsMail: config.smtpUrl !== null,
    origin,
    failedSessions: limitFailures(config.failedAuthLimit),
    webDist,
  })
  await app.register(operatorConsole, {
    db: database.db,
    keyRing: parts.keyRing,
    connectors,
    outbound,
    starter: parts.starter,
    // Money of an invoice can go back even if invoices are no longer offered.
    providers: createProviders({ invoices: true }, { connectors, stripe, origin }),
    leftOut: parts.leftOut ?? [],
    links: installation.links,
    config,
    origin,
    webDist,
  })
  if (stripe && config.stripe) {
    await app.register(stripeEvents, { db: database.db, stripe, webhookSecret: config.stripe.webhookSecret })
  }
  if (parts.hasDocs !== false) registerDocs(app)
  return app
}

/** From then on browsers use https for every link. */
function requireHttps(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('Strict-Transport-Security', 'max-age=31536000')
  })
}

function registerHealth(app: FastifyInstance, { pool }: OpenDatabase): void {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))
  // Probes may come often, so the database is asked at most once a second. The query gives up sooner than any other: a
  // probe needs its answer now.
  let asked: { at: number; answer: Promise<unknown> } | null = null
  app.get('/readyz', { schema: { hide: true } }, async () => {
    if (asked === null || performance.now() - asked.at > readyForMs) {
      const answer = pool.query({ text: 'select 1', query_timeout: 2_000 } as QueryConfig)
      // Callers that wait get the failure.
      answer.catch(() => {})
      asked = { at: performance.now(), answer }
    }
    await asked.answer
    return { status: 'ready' }
  })
}

const readyForMs = 1_000

function listeningOrigin(app: FastifyInstance): string {
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return `http://localhost:${port}`
}
