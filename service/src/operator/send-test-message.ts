import type { Config } from '../config.ts'
import type { Db } from '../db/open-database.ts'
import { loadInstallation } from '../installation.ts'
import { loadKeyRing } from '../load-key-ring.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { sendTest } from '../webhooks/send-test.ts'

/** Sends a test message from this process. So the answer can be shown at once, and no worker is needed. */
export async function sendTestMessage(db: Db, config: Config, partnerId: string) {
  const keyRing = loadKeyRing(config)
  const { links } = await loadInstallation(db, keyRing)
  await using cleanup = new AsyncDisposableStack()
  const outbound = createOutbound(config.allowedNetworks)
  cleanup.defer(() => outbound.close())
  return await sendTest({ db, keyRing, links, outbound, log: { info() {}, warn() {} } }, partnerId)
}
