import { Writable } from 'node:stream'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { connectors } from '../src/connectors/registry.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { planStages } from '../src/engine/plan-stages.ts'
import { loadInstallation } from '../src/installation.ts'
import { parseKeyRing } from '../src/key-ring.ts'
import { createOutbound } from '../src/outbound/outbound.ts'
import { answerParent } from './run-child.ts'

export interface ServeApp {
  databaseUrl: string
  keys: string
  rateLimit: number
}

answerParent(async ({ databaseUrl, keys, rateLimit }: ServeApp, cleanup) => {
  // Everything else as in production, the log included; only its lines go nowhere.
  const config = { ...readConfig({}), databaseUrl, rateLimit }
  const logStream = new Writable({ write: (_chunk, _encoding, done) => done() })
  const database = openDatabase(databaseUrl, { poolSize: config.databasePoolSize })
  cleanup.defer(() => database.close())
  const outbound = createOutbound(config.allowedNetworks)
  cleanup.defer(() => outbound.close())
  const keyRing = parseKeyRing(keys)
  const installation = await loadInstallation(database.db, keyRing)
  const starter = { plan: planStages, enqueue: async () => {} }
  const parts = { config, database, keyRing, installation, connectors, outbound, starter, logStream }
  const app = await buildApp({ ...parts, enqueueUpload: async () => {} })
  cleanup.defer(() => app.close())
  return await app.listen({ host: '127.0.0.1', port: 0 })
})
