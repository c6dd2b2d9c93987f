import { startFernhill } from '../../../demo/fernhill/fernhill.ts'
import { fernhill } from '../../../service/src/connectors/helpdesk/fernhill/index.ts'
import { deskEntities, deskKey } from '../../connectors/desk-account.ts'
import type { Twin } from '../../connectors/twin-contract.ts'

/** Fernhill Desk itself: a tool of our demo that runs on this machine, so it needs no imitation. */
export async function startTwin(): Promise<Twin> {
  const desk = await startFernhill({
    port: 0,
    dataFile: ':memory:',
    apiKey: deskKey,
    tickets: 200,
    requestsPerSecond: 0,
  })
  return {
    access: { instanceUrl: desk.url, token: deskKey },
    source: {
      family: 'helpdesk',
      entities: deskEntities,
      missing: Object.fromEntries((fernhill.source?.tellsDeleted ?? []).map((entity) => [entity, '999999'])),
    },
    close: () => desk.close(),
  }
}
