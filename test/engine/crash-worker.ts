// A separate worker process, which ends or freezes itself at a named point. The crash tests run it.
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../service/src/config.ts'
import { connectors as registry } from '../../service/src/connectors/registry.ts'
import { openDatabase } from '../../service/src/db/open-database.ts'
import { openRun } from '../../service/src/engine/open-run.ts'
import { planStages } from '../../service/src/engine/plan-stages.ts'
import { workSlice } from '../../service/src/engine/work-slice.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { createOutbound } from '../../service/src/outbound/outbound.ts'
import { hostedConnectors } from '../twins/hosted/connectors.ts'
import { noisy } from './noisy-connector.ts'
import { plainConnectors } from './plain-connectors.ts'

const connectors = [...registry, ...plainConnectors, noisy([]), ...hostedConnectors]

const [databaseUrl = '', runId = '', keys = '', point = '', nth = '1', signalName = 'SIGKILL'] = process.argv.slice(2)
const { db } = openDatabase(databaseUrl, { poolSize: 4 })
const outbound = createOutbound(readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' }).allowedNetworks)
const { signal } = new AbortController()
let met = 0

const crashPoint = async (name: string) => {
  if (name === point) met++
  if (name === point && met === Number(nth)) process.kill(process.pid, signalName)
}

for (;;) {
  const result = await workSlice(
    {
      db,
      openContext: (run) => openRun({ db, keyRing: parseKeyRing(keys), connectors, outbound, signal, crashPoint }, run),
      starter: { plan: planStages, enqueue: async () => {} },
      onError: () => {},
      signal,
    },
    runId,
    (ms) => ms >= 60_000,
  )
  if (result.next === 'nothing') break
  await sleep(Math.min(result.afterMs, 200))
}
// The process gets here only if it did not reach the point often enough.
process.exit(7)
