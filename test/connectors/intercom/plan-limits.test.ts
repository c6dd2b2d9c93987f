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
  // Each test reads everything, on a quick machine within one window of the limit.
  twin = await startTwin({ perTenSeconds: 1_000_000 })
})
afterAll(async () => {
  await twin.close()
  await real.close()
})

const without = (path: string | ((address: string) => boolean), code: string, status = 403): Outbound => ({
  ...real,
  async request(address, options) {
    const isClosed = typeof path === 'string' ? new URL(address).pathname === path : path(address)
    if (!isClosed) return real.request(address, options)
    const body = JSON.stringify({ type: 'error.list', errors: [{ code, message: 'Active subscription needed.' }] })
    const pieces = [new Uint8Array(Buffer.from(body))]
    return { status, statusText: '', headers: {}, isCut: false, body, pieces }
  },
})
const readerWith = (outbound: Outbound) => {
  const access = { username: null, token: null, instanceUrl: null, ...twin.access }
  return openIntercom({ access, outbound, signal: AbortSignal.timeout(3_600_000) })
}
const read = (entity: string, outbound: Outbound) => {
  const reader = readerWith(outbound)
  return readAll((cursor) => reader.read(entity, cursor, {}))
}
const parts = [
  ...['/companies/scroll', '/contacts', '/teams', '/conversations', '/data_attributes'],
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
  ['groups', '/teams'],
  ['organizations', '/companies/list'],
  ['contacts', '/contacts'],
  ['tickets', '/conversations'],
  ['tickets', '/tickets/search'],
  ['categories', '/help_center/collections'],
  ['articles', '/articles'],
  ['articles', '/internal_articles'],
])('%s whose list %s is closed are reported, whether the plan or a missing page closes it', async (entity, path) => {
  expect(await readerWith(without(path, 'api_plan_restricted')).countWithheld?.()).toEqual({ [entity]: null })
  expect(await readerWith(without(path, 'not_found', 404)).countWithheld?.()).toEqual({ [entity]: null })
  await expect(readerWith(without(path, 'forbidden')).countWithheld?.()).rejects.toMatchObject({
    code: 'authorization_lost',
  })
})

test('requesters of tickets are not called deleted when the plan withholds all contacts', async () => {
  const closed = (address: string) => /^\/contacts\b/.test(new URL(address).pathname)
  const tickets = await read('tickets', without(closed, 'api_plan_restricted'))
  expect(tickets.some(({ fields }) => fields.requester)).toBe(true)
})

test('articles that are forbidden for any other reason mean lost access', async () => {
  expect(await endOf('articles', without('/articles', 'forbidden'))).toMatchObject({ code: 'authorization_lost' })
})
