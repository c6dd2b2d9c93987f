import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { limitCalls } from '../../../service/src/connectors/kit/limit-calls.ts'
import { loadConnector } from '../../../service/src/connectors/load-connectors.ts'
import { homeOf } from '../../../service/src/connectors/locate-connector.ts'
import { describeConnector } from '../connector-contract.ts'
import type { Twin } from '../twin-contract.ts'

const folder = String(process.env.WHERRY_CHECKED_CONNECTOR)
const connector = limitCalls(await loadConnector(folder), { home: homeOf(folder) })
const { startTwin } = (await import(pathToFileURL(join(folder, 'twin.ts')).href)) as { startTwin(): Promise<Twin> }

const twin = await startTwin()
const { source, destination, skips } = twin

describeConnector(connector, connector.label, {
  start: async () => twin,
  // A new connector neither reads nor writes yet.
  reads: source !== undefined && source.entities.length > 0,
  writes: destination !== undefined,
  ...(skips && { skips }),
})
