import { afterAll, beforeAll, expect, test } from 'vitest'
import { openIntercom } from '../../../service/src/connectors/helpdesk/intercom/reader.ts'
import type { Outbound } from '../../../service/src/outbound/outbound.ts'
import { startTwin } from '../../twins/intercom/twin.ts'
import { createLoopbackOutbound } from '../desk-account.ts'
import { readAll } from '../reader-contract.ts'
import type { Twin } from '../twin-contract.ts'

// A plan lacks one part of the API: all other records are still read.

const real = createLoopbackOutbound()
let twin: Twin
beforeAll(async () => {
  twin = await startTwin()
})
afterAll(async () => {
  await twin.close()
  await real.close()
})

const without = (path: string, code: string): Outbound => ({
  ...real,
  async request(address, options) {
    if (new URL(address).pathname !== path) return real.request(address, options)
    const body = JSON.stringify({ type: 'error.list', errors: [{ code, message: 'Active subscription needed.' }] })
    const pieces = [new Uint8Array(Buffer.from(body))]
    return { status: 403, statusText: 'Forbidden', headers: {}, isCut: false, body, pieces }
  },
})
const read = (entity: string, outbound: Outbound) => {
  const access = { username: null, token: null, instanceUrl: null, ...twin.access }
  const reader = openIntercom({ access, outbound, signal: AbortSignal.timeout(3_600_000) })
  return readAll((cursor) => reader.read(entity, cursor, {}))
}
const parts = [
  ...['/conversations/attributes', '/ticket_types', '/ticket_states', '/tickets/search'],
  ...['/help_center/collections', '/articles', '/internal_articles'],
]
const endOf = (entity: string, outbound: Outbound) =>
  read(entity, outbound).then(
    () => null,
    (error: { code?: unknown; message: string }) => error,
  )

test.each(parts)('a plan without %s loses no other record', async (path) => {
  for (const entity of twin.source?.entities ?? []) {
    await expect(read(entity, without(path, 'api_plan_restricted')), entity).resolves.toBeDefined()
  }
})

test.each([
  ['organizations', '/companies/scroll'],
  ['contacts', '/contacts'],
  ['groups', '/teams'],
])("%s that the plan withholds stop the run in Intercom's words", async (entity, path) => {
  const error = await endOf(entity, without(path, 'api_plan_restricted'))
  expect(error).toMatchObject({ code: 'authorization_lost' })
  expect(error?.message).toContain('Intercom no longer lets us in (Active subscription needed.)')
})

test('articles that are forbidden for any other reason mean lost access', async () => {
  expect(await endOf('articles', without('/articles', 'forbidden'))).toMatchObject({ code: 'authorization_lost' })
})
