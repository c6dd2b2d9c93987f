import { Writable } from 'node:stream'
import { buildApp } from '../../service/src/app.ts'
import { type Config, readConfig } from '../../service/src/config.ts'
import type { Connector } from '../../service/src/connectors/contract/contract.ts'
import { connectors as allConnectors } from '../../service/src/connectors/registry.ts'
import { openDatabase } from '../../service/src/db/open-database.ts'
import { planStages } from '../../service/src/engine/plan-stages.ts'
import type { RunStarter } from '../../service/src/imports/start-run.ts'
import { loadInstallation } from '../../service/src/installation.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { createOutbound } from '../../service/src/outbound/outbound.ts'
import { createPartner, type NewPartner } from '../../service/src/partners/create-partner.ts'
import { type ApiAnswer, createApiCaller } from './api-caller.ts'
import { createTestDatabase } from './database.ts'

export const testKeys = `k1:${Buffer.alloc(32, 7).toString('base64')}`

export interface TestServiceOptions {
  config?: Partial<Config>
  connectors?: readonly Connector[]
  leftOut?: { place: string; reason: string }[]
  /** The database of another service, to run several services on one database. */
  databaseUrl?: string
  webDist?: string
  /** The worker that takes over runs; by default there is none. */
  starter?: RunStarter
}

const idleStarter: RunStarter = { plan: planStages, enqueue: async () => {} }

/** The real app on a real port with its own database. Every answer is compared with the API's description. */
export async function startTestService(options: TestServiceOptions = {}) {
  const { connectors = allConnectors } = options
  await using cleanup = new AsyncDisposableStack()
  const own = options.databaseUrl === undefined ? await createTestDatabase() : null
  if (own) cleanup.defer(() => own.drop())
  const databaseUrl = options.databaseUrl ?? String(own?.url)
  const config: Config = { ...readConfig({}), port: 0, ...options.config, databaseUrl }
  const database = openDatabase(databaseUrl, { poolSize: 10 })
  cleanup.defer(() => database.close())
  const keyRing = parseKeyRing(testKeys)
  const outbound = createOutbound(config.allowedNetworks)
  cleanup.defer(() => outbound.close())
  const log: string[] = []
  const logStream = new Writable({
    write: (chunk, _encoding, done) => {
      log.push(String(chunk))
      done()
    },
  })
  const installation = await loadInstallation(database.db, keyRing)
  const app = await buildApp({
    config,
    database,
    keyRing,
    installation,
    connectors,
    leftOut: options.leftOut ?? [],
    outbound,
    starter: options.starter ?? idleStarter,
    // No worker reads uploads here.
    enqueueUpload: async () => {},
    logStream,
    ...(options.webDist === undefined ? {} : { webDist: options.webDist }),
  })
  cleanup.defer(() => app.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  const call = createApiCaller(`http://127.0.0.1:${port}`, () => app.swagger())
  const running = cleanup.move()
  return {
    app,
    port,
    origin: `http://127.0.0.1:${port}`,
    databaseUrl,
    ...database,
    keyRing,
    links: installation.links,
    /** Every line logged so far. */
    log,
    call,
    async createPartner(input: Partial<NewPartner> = {}) {
      const created = await createPartner(
        database.db,
        { connectors, keyRing },
        { name: 'Acme', destination: 'open', families: ['helpdesk'], ...input },
      )
      const asPartner = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
        call(method, path, { token: created.api_token, headers, ...(body === undefined ? {} : { body }) })
      return { ...created, call: asPartner }
    },
    close: () => running.disposeAsync(),
  }
}

export type TestService = Awaited<ReturnType<typeof startTestService>>
export type TestPartner = Awaited<ReturnType<TestService['createPartner']>>
export type { ApiAnswer }
