import { afterAll, expect, test } from 'vitest'
import type { Source } from '../../service/src/connectors/contract/contract.ts'
import { connectors } from '../../service/src/connectors/registry.ts'
import type { Family } from '../../service/src/families/index.ts'
import type { FamilyRecord } from '../../service/src/families/record.ts'
import type { Outbound } from '../../service/src/outbound/outbound.ts'
import { startTwin as startFreshdesk } from '../twins/freshdesk/twin.ts'
import { startTwin as startHelpscout } from '../twins/helpscout/twin.ts'
import { startTwin as startHubspot } from '../twins/hubspot/twin.ts'
import { startTwin as startIntercom } from '../twins/intercom/twin.ts'
import { startTwin as startPipedrive } from '../twins/pipedrive/twin.ts'
import { startTwin as startZendesk } from '../twins/zendesk/twin.ts'
import { createLoopbackOutbound } from './desk-account.ts'
import { readAll } from './reader-contract.ts'

// A success without content, as a proxy in between sends it: no reader may take it for an empty list.

const twins = {
  zendesk: startZendesk,
  freshdesk: startFreshdesk,
  helpscout: startHelpscout,
  hubspot: startHubspot,
  intercom: startIntercom,
  pipedrive: startPipedrive,
}
const outbound = createLoopbackOutbound()
afterAll(() => outbound.close())

/** The path of a request without ids. */
const shapeOf = (address: string) => new URL(address).pathname.replace(/[0-9a-f]{24}|\d+/g, '1')

/** Empties the answers to requests of one shape, and collects all shapes. */
const emptied = (shape: string | null, seen: Set<string>): Outbound => ({
  ...outbound,
  async request(address, options) {
    const answer = await outbound.request(address, options)
    seen.add(shapeOf(address))
    return shapeOf(address) === shape && answer.status === 200 ? { ...answer, body: '', pieces: [] } : answer
  },
})

test.each(Object.entries(twins))('an empty answer of %s is an error, or makes no difference', async (tool, start) => {
  const twin = await start()
  const source = connectors.find((one) => one.tool === tool)?.source as Source
  const family = twin.source?.family as Family
  const read = async (entity: string, shape: string | null, seen = new Set<string>()): Promise<string[]> => {
    const access = { username: null, token: null, instanceUrl: null, ...twin.access }
    const reader = await source.open(
      { access, outbound: emptied(shape, seen), signal: AbortSignal.timeout(3_600_000) },
      family,
    )
    const items: FamilyRecord[] = await readAll((cursor) => reader.read(entity, cursor, {}))
    return items.map((item) => JSON.stringify(item)).sort()
  }
  const taken: string[] = []
  for (const entity of twin.source?.entities ?? []) {
    const shapes = new Set<string>()
    const whole = await read(entity, null, shapes)
    for (const shape of shapes) {
      const found = await read(entity, shape).catch((error: unknown) => {
        if (error instanceof TypeError) taken.push(`${entity} ${shape}: ${error.message}`)
        return null
      })
      if (found && JSON.stringify(found) !== JSON.stringify(whole)) {
        taken.push(`${entity} ${shape}: ${whole.length} became ${found.length}`)
      }
    }
  }
  await twin.close()
  expect(taken).toEqual([])
})
