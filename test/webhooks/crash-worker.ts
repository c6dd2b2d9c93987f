// A worker process that delivers until it is killed. The crash tests run it; the first argument chooses its task.
import { readConfig } from '../../service/src/config.ts'
import { openDatabase } from '../../service/src/db/open-database.ts'
import { moveImport } from '../../service/src/imports/move-import.ts'
import { loadInstallation } from '../../service/src/installation.ts'
import { openJobs } from '../../service/src/jobs.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { createOutbound } from '../../service/src/outbound/outbound.ts'
import { createPulse } from '../../service/src/pulse.ts'
import { startDelivering } from '../../service/src/webhooks/deliver-webhooks.ts'

const [act = '', databaseUrl = '', keys = '', importId = ''] = process.argv.slice(2)
const { db } = openDatabase(databaseUrl, { poolSize: 4 })

if (act === 'move and die') {
  await db.transaction().execute((tx) => moveImport(tx, importId, 'both accounts authorized'))
  process.kill(process.pid, 'SIGKILL')
}
if (act === 'die before the commit') {
  await db.transaction().execute(async (tx) => {
    await moveImport(tx, importId, 'both accounts authorized')
    process.kill(process.pid, 'SIGKILL')
    await new Promise(() => {})
  })
}
if (act === 'deliver') {
  const keyRing = parseKeyRing(keys)
  const { links } = await loadInstallation(db, keyRing)
  const outbound = createOutbound(readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' }).allowedNetworks)
  const log = { info() {}, warn() {} }
  const pulse = createPulse()
  const boss = await openJobs(databaseUrl, log, true, { pulse })
  const until = (ended: AbortSignal) => pulse.until('webhooks', ended)
  await startDelivering(boss, { db, keyRing, links, outbound, log, until })
}
