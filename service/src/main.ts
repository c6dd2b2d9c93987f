import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { startSealing } from './audit-chain.ts'
import { type AllowedNetwork, type Config, checkoutDir, type ListenAddress } from './config.ts'
import type { Connector } from './connectors/contract/contract.ts'
import type { LoadedConnectors } from './connectors/load-connectors.ts'
import { connectors as registry } from './connectors/registry.ts'
import { watchDatabase } from './db/database-watch.ts'
import { type Db, openDatabase } from './db/open-database.ts'
import { openPresence } from './db/presence.ts'
import { reachDatabase } from './db/reach-database.ts'
import { createRunQueue, createRunStarter } from './engine/run-queue.ts'
import { admitChanged, holdBack } from './engine/set-aside.ts'
import { watchLoops } from './engine/watch-loops.ts'
import { OperatorError } from './errors.ts'
import { type Installation, loadInstallation } from './installation.ts'
import { openJobs } from './jobs.ts'
import type { KeyRing } from './key-ring.ts'
import { loadKeyRing } from './load-key-ring.ts'
import { createMailTransport } from './mail/smtp.ts'
import type { MetricsParts, ServedMetrics } from './metrics/serve-metrics.ts'
import { createOutbound } from './outbound/outbound.ts'
import { createProviders } from './payments/create-providers.ts'
import { hasIssuer, invoicesNotice } from './payments/offered-providers.ts'
import { createStripe } from './payments/stripe/create-stripe.ts'
import { createPulse } from './pulse.ts'
import { serviceVersion } from './service-version.ts'
import { endIdleThreads } from './threads/run-in-thread.ts'
import { createUploadEnqueue, createUploadQueue } from './uploads/upload-queue.ts'

/** Time between two looks of a process without workers for lines of the audit log to seal. */
const sealingMs = 2_000

export type Role = 'api' | 'worker' | 'all'

export interface RunningService {
  /** The listening address; null without the role that listens. */
  origin: string | null
  /** For people: where the data is. */
  database: string
  /** Address of this process' metrics for Prometheus; null when it serves none. */
  metrics: string | null
  /** Lets work under way finish, then releases everything. */
  stop(): Promise<void>
}

export interface ServiceOptions {
  role: Role
  /** Refuse to run beside another service of this checkout. */
  onePerFolder: boolean
  onNotice: (line: string) => void
  /** Target of the log, if not stderr. */
  logStream?: NodeJS.WritableStream
  /** Instead of those of the registry. */
  connectors?: readonly Connector[]
  /** Those of them that are from outside. */
  outside?: LoadedConnectors['outside']
  /** Those from outside that could not be loaded. */
  leftOut?: LoadedConnectors['leftOut']
  /** Called once the database is open: further networks that may be reached. */
  moreNetworks?: (parts: { db: Db; keyRing: KeyRing }) => Promise<readonly AllowedNetwork[]>
}

/** Builds the service and starts the requested roles. After a failure, started parts are stopped again. */
export async function startService(config: Config, options: ServiceOptions): Promise<RunningService> {
  const { role, onNotice, connectors: loaded = registry, outside = [] } = options
  const keyRing = loadKeyRing(config)
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(endIdleThreads)

  const reached = await reachDatabase(config, onNotice)
  cleanup.defer(() => reached.close())
  if (outside.length > 0) watchLoops({ outside, databaseUrl: reached.url })
  const watch = await watchDatabase({
    url: reached.directUrl,
    folder: options.onePerFolder ? checkoutDir : null,
    address: config.origin ?? `http://localhost:${config.port}`,
    restore: () => reached.ensureRunning(),
    onNotice,
  })
  cleanup.defer(() => watch.stop())
  const database = openDatabase(reached.url, { poolSize: config.databasePoolSize })
  cleanup.defer(() => database.close())
  const connectors = holdBack(database.db, loaded, outside)
  for (const line of await admitChanged(database.db, outside)) onNotice(line)
  const installation = await loadInstallation(database.db, keyRing)
  const pools = new Map([['requests', database.pool]])
  const metrics =
    config.metrics && (await openMetrics(config.metrics, { role, connectors, pools, pool: database.pool }))
  cleanup.defer(() => metrics?.stop())
  const moreNetworks = (await options.moreNetworks?.({ db: database.db, keyRing })) ?? []
  // Before the app is built, because the app checks whether tracing is on.
  const tracing = config.traces ? await openTracing(config.traces) : null
  cleanup.defer(() => tracing?.stop())
  const outbound = createOutbound([...config.allowedNetworks, ...moreNetworks])
  cleanup.defer(() => outbound.close())

  const app = await buildApp({
    config,
    database,
    keyRing,
    installation,
    connectors,
    leftOut: options.leftOut ?? [],
    outbound,
    // The queue is opened with the app's log, before the app listens.
    starter: createRunStarter(() => boss),
    enqueueUpload: createUploadEnqueue(() => boss),
    logStream: options.logStream ?? process.stderr,
    hasDocs: role !== 'worker',
  })
  cleanup.defer(() => app.close())
  const presence = role === 'api' ? null : await openPresence(reached.directUrl)
  cleanup.defer(() => presence?.stop())
  const pulse = createPulse()
  const boss = await openJobs(reached.url, app.log, role !== 'api', { pulse, directUrl: reached.directUrl })
  const stopping = new AbortController()
  // Runs stop after their page; the next worker continues from there.
  cleanup.defer(async () => {
    stopping.abort()
    await boss.stop({ graceful: true, timeout: 10_000 })
  })
  const untilUnsealed = (signal: AbortSignal) =>
    presence ? pulse.until('audit lines', signal) : sleep(sealingMs, undefined, { signal }).catch(() => {})
  const sealing = startSealing(database.db, app.log, untilUnsealed)
  cleanup.defer(() => sealing.stop())
  await createRunQueue(boss)
  await createUploadQueue(boss)
  if (presence) {
    // Loaded only here: a process that only answers requests stays smaller without it.
    const { startWorker } = await import('./worker.ts')
    const { startDelivering } = await import('./webhooks/deliver-webhooks.ts')
    const { startPaymentWork } = await import('./payments/work-payments.ts')
    const { db } = database
    const { uploadLimitBytes } = config
    const { signal } = stopping
    const mail = openMail(config, installation)
    await startWorker(boss, {
      db,
      keyRing,
      connectors,
      outbound,
      uploadLimitBytes,
      signal,
      mail,
      presence,
      pulse,
      log: app.log,
    })
    // A few connections of its own: a burst of deliveries must not make requests wait for theirs.
    const forDeliveries = openDatabase(reached.url, { poolSize: 4 })
    cleanup.defer(() => forDeliveries.close())
    pools.set('deliveries', forDeliveries.pool)
    const { links } = installation
    const isBehind = () => forDeliveries.pool.waitingCount > 0
    const delivering = await startDelivering(boss, {
      db: forDeliveries.db,
      keyRing,
      links,
      outbound,
      log: app.log,
      isBehind,
      until: (ended) => pulse.until('webhooks', ended),
    })
    cleanup.defer(() => delivering.stop())
    const stripe = config.stripe && (await createStripe(config.stripe, outbound))
    const providers = createProviders(config, { connectors, stripe, origin: () => config.origin ?? '' })
    const paying = startPaymentWork({
      db,
      providers,
      log: app.log,
      starter: createRunStarter(() => boss),
      until: (ended) => pulse.until('payments', ended),
    })
    cleanup.defer(() => paying.stop())
  }
  if (role !== 'worker' && config.invoices && !(await hasIssuer(database.db))) onNotice(invoicesNotice)
  const origin = role === 'worker' ? null : await listen(app, config)
  // First when stopping: requests under way still need the queue.
  cleanup.defer(() => app.close())

  const running = cleanup.move()
  return { origin, database: reached.place, metrics: metrics?.url ?? null, stop: () => running.disposeAsync() }
}

/** Loaded only if it is configured. */
async function openMetrics(
  address: ListenAddress,
  {
    role,
    connectors,
    ...pools
  }: { role: Role; connectors: readonly Connector[] } & Pick<MetricsParts, 'pools' | 'pool'>,
): Promise<ServedMetrics> {
  const { serveMetrics } = await import('./metrics/serve-metrics.ts')
  return serveMetrics(address, { role, version: serviceVersion, tools: connectors.map(({ tool }) => tool), ...pools })
}

async function openTracing(endpoint: string): Promise<{ stop(): Promise<void> }> {
  const { startTracing } = await import('./tracing/start-tracing.ts')
  return startTracing({ endpoint, version: serviceVersion })
}

/** A worker's parts for sending mails; null without a mail server. */
function openMail({ smtpUrl, mailFrom, origin }: Config, { links }: Installation) {
  if (!smtpUrl || !mailFrom || !origin) return null
  const transport = createMailTransport({ url: smtpUrl, from: mailFrom })
  return { links, origin: () => origin, transport, messageDomain: mailFrom.address.split('@')[1] ?? 'localhost' }
}

async function listen(app: FastifyInstance, config: Config): Promise<string> {
  const { level } = app.log
  try {
    // Fastify would log the address at the level "info"; `serve` prints it.
    if (level === 'info') app.log.level = 'warn'
    await app.listen({ host: config.host, port: config.port })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new OperatorError(
      `Port ${config.port} is in use by another program. Stop it, or choose another port: PORT=${config.port + 1} npm start`,
    )
  } finally {
    app.log.level = level
  }
  return config.origin ?? `http://localhost:${(app.server.address() as AddressInfo).port}`
}
