import { readConfig } from '../src/config.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { loadInstallation } from '../src/installation.ts'
import { openJobs } from '../src/jobs.ts'
import { parseKeyRing } from '../src/key-ring.ts'
import { createOutbound } from '../src/outbound/outbound.ts'
import { createPulse } from '../src/pulse.ts'
import { startDelivering } from '../src/webhooks/deliver-webhooks.ts'
import { answerParent } from './run-child.ts'

export interface ServeDeliveries {
  databaseUrl: string
  keys: string
}

/** A worker with production settings that only delivers webhooks. */
answerParent(async ({ databaseUrl, keys }: ServeDeliveries, cleanup) => {
  const { db, pool, close } = openDatabase(databaseUrl, { poolSize: 4 })
  cleanup.defer(close)
  const keyRing = parseKeyRing(keys)
  const { links } = await loadInstallation(db, keyRing)
  const outbound = createOutbound(readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' }).allowedNetworks)
  cleanup.defer(() => outbound.close())
  const log = { info() {}, warn() {} }
  const pulse = createPulse()
  const boss = await openJobs(databaseUrl, log, true, { pulse })
  cleanup.defer(() => boss.stop({ graceful: false }))
  const delivering = await startDelivering(boss, {
    db,
    keyRing,
    links,
    outbound,
    log,
    isBehind: () => pool.waitingCount > 0,
    until: (ended) => pulse.until('webhooks', ended),
  })
  cleanup.defer(() => delivering.stop())
})
