import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFernhill } from '../../demo/fernhill/fernhill.ts'
import { fernhill } from '../../service/src/connectors/helpdesk/fernhill/index.ts'
import { openFernhill } from '../../service/src/connectors/helpdesk/fernhill/reader.ts'
import { AccountRefusedError, ObstacleError, RetryableError } from '../../service/src/errors.ts'
import { createLoopbackOutbound, deskAccount, deskEntities, deskKey } from './desk-account.ts'
import { sendJson, sendTruncated, startFaultServer } from './fault-server.ts'
import { readAll } from './reader-contract.ts'

const outbound = createLoopbackOutbound()
const accountAt = (url: string, token?: string) => deskAccount(outbound, url, token)
let desk: Awaited<ReturnType<typeof startFernhill>>

beforeAll(async () => {
  desk = await startFernhill({ port: 0, dataFile: ':memory:', apiKey: deskKey, requestsPerSecond: 0 })
})
afterAll(async () => {
  await desk.close()
  await outbound.close()
})

describe('when the desk answers with errors', () => {
  const api = '/api/v1'
  const read = (url: string, entity = 'contacts') => openFernhill(accountAt(url)).read(entity, null, {})

  test('a refused key is an obstacle for the customer, and refuses the account', async () => {
    const account = accountAt(desk.url, 'wrong')
    await expect(openFernhill(account).read('tickets', null, {})).rejects.toMatchObject({
      name: ObstacleError.name,
      code: 'authorization_lost',
      mustAct: 'customer',
    })
    const file = { entity: 'attachments', sourceId: '1', fields: {} }
    await expect(openFernhill(account).openFile(file)).rejects.toMatchObject({ code: 'authorization_lost' })
    await expect(fernhill.source?.checkAccount(account)).rejects.toThrow(AccountRefusedError)
    expect(await fernhill.source?.checkAccount(accountAt(`${desk.url}/`))).toEqual({
      name: 'Fernhill Garden Supplies',
      id: 'fernhill',
    })
  })

  test('too many requests are retried after the time that the desk names', async () => {
    const slow = await startFernhill({ port: 0, dataFile: ':memory:', apiKey: deskKey, requestsPerSecond: 1 })
    try {
      // Enough parallel requests that several fall into the same second.
      const reads = await Promise.allSettled(Array.from({ length: 20 }, () => read(slow.url)))
      const refused = reads.filter(({ status }) => status === 'rejected')
      expect(refused[0]).toMatchObject({ reason: { name: RetryableError.name, retryAfterMs: 1000 } })
    } finally {
      await slow.close()
    }
  })

  test.each([
    ['no JSON', (response: ServerResponse) => response.end('<html>maintenance</html>')],
    ['a truncated answer', sendTruncated('{"data":[{"id":1,')],
    ['an empty answer', (response: ServerResponse) => response.end()],
    ['another shape', sendJson({ data: { id: 1 }, next: null })],
    ['a record without id', sendJson({ data: [{ name: 'x' }], next: null })],
    ['a cursor that is neither text nor number', sendJson({ data: [], next: { page: 7 } })],
    ['a fault', (response: ServerResponse) => response.writeHead(500).end('{}')],
    ['a redirect', (response: ServerResponse) => response.writeHead(302, { location: '/' }).end()],
  ])('%s is retried', async (_what, answer) => {
    await using server = await startFaultServer({ [`${api}/contacts`]: answer })
    await expect(read(server.url)).rejects.toThrow(RetryableError)
  })

  test('a file that breaks off is retried', async () => {
    await using server = await startFaultServer({ [`${api}/attachments/1/content`]: sendTruncated('half of it') })
    const { body } = await openFernhill(accountAt(server.url)).openFile({
      entity: 'attachments',
      sourceId: '1',
      fields: {},
    })
    await expect(body.toArray()).rejects.toThrow(RetryableError)
  })

  test('a field of the wrong type is left out alone, and is reported', async () => {
    const contact = { id: 7, name: 'Ada', emails: 'ada@post.example', created_at: 'yesterday', organization_id: null }
    await using server = await startFaultServer({ [`${api}/contacts`]: sendJson({ data: [contact], next: null }) })
    const page = await read(server.url)
    expect(page.items).toEqual([{ entity: 'contacts', sourceId: '7', fields: { name: 'Ada', organization: null } }])
    expect(page.warnings.map(({ code, message }) => [code, message.split('"')[1]])).toEqual([
      ['field_unreadable', 'created_at'],
      ['field_unreadable', 'emails'],
    ])
  })

  test('an empty account is read to its end', async () => {
    const empty = sendJson({ data: [], next: null })
    const paths = [...deskEntities, 'agents', 'ticket_fields'].map((name) => [`${api}/${name}`, empty])
    await using server = await startFaultServer(Object.fromEntries(paths))
    for (const entity of deskEntities)
      expect(await read(server.url, entity)).toEqual({ items: [], warnings: [], next: null })
    expect(await openFernhill(accountAt(server.url)).users(null)).toEqual({ items: [], next: null })
  })

  test('agents who left are found although the list omits them', async () => {
    const agent = (id: number, deleted: boolean) => ({ id, name: `A${id}`, email: null, group_ids: [], deleted })
    await using server = await startFaultServer({
      [`${api}/agents`]: sendJson({ data: [agent(2, false)], next: null }),
      [`${api}/agents/7`]: sendJson(agent(7, true)),
      [`${api}/agents/11`]: sendJson(agent(11, true)),
    })
    const reader = openFernhill(accountAt(server.url))
    const users = await readAll((cursor) => reader.users(cursor))
    expect(users.map(({ id, isActive }) => [id, isActive])).toEqual([
      ['2', true],
      ['7', false],
      ['11', false],
    ])
  })
})
