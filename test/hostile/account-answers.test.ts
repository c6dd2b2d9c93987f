import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../../service/src/config.ts'
import { startTestService, type TestPartner, type TestService } from '../support/service.ts'

const limitBytes = 64 * 1024
/** The buffers between two programs of one machine hold some megabytes. */
const underWayBytes = 16 * 1024 * 1024

let service: TestService
let partner: TestPartner
/** A partner whose customers migrate to Redmine, which is asked in another way than the open protocol. */
let other: TestPartner
let answer: (response: ServerResponse) => void
const tool = createServer((_request, response) => answer(response.setHeader('content-type', 'application/json')))

beforeAll(async () => {
  tool.listen(0, '127.0.0.1')
  const { allowedNetworks } = readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' })
  service = await startTestService({ config: { rateLimit: 0, allowedNetworks } })
  partner = await service.createPartner()
  other = await service.createPartner({ destination: 'redmine' })
})
beforeEach(() => {
  answer = (response) => response.end('{}')
})
afterAll(async () => {
  await service.close()
  tool.closeAllConnections()
  await new Promise((done) => tool.close(done))
})

const url = () => `http://127.0.0.1:${(tool.address() as AddressInfo).port}`
const create = (base: string, body: object = {}, who = partner) =>
  who.call('POST', `${base}/imports`, { source_tool: 'fernhill', ...body })
const createAt = (base: string, who: TestPartner) =>
  create(base, { destination_instance_url: url(), destination_token: 'x', start_full: false }, who)

/** Connects an account as the customer does in the portal. */
async function connect(role: 'source' | 'destination') {
  const { json: imp } = await create('/api/v2.1')
  const { headers } = await service.call('POST', '/portal/session', { body: { id: imp.id, token: imp.token } })
  const cookie = String(headers['set-cookie']).split(';')[0] ?? ''
  const body = { instance_url: url(), token: 'x' }
  const answer = await service.call('PUT', `/portal/imports/${imp.id}/accounts/${role}`, { body, headers: { cookie } })
  return { ...answer, importId: String(imp.id) }
}

const checks: Record<string, () => Promise<{ status: number }>> = {
  'POST /imports': () => createAt('/api/v2.1', partner),
  'POST /imports, for Redmine': () => createAt('/api/v2.1', other),
  'POST /imports of the sandbox': () => createAt('/api/sandbox', partner),
  'POST /imports of the sandbox, for Redmine': () => createAt('/api/sandbox', other),
  'the portal, for a destination': () => connect('destination'),
  'the portal, for a source': () => connect('source'),
}

test.each(Object.entries(checks))('%s reads no more than the beginning of an endless answer', async (_name, check) => {
  let written = 0
  let isClosed = false
  const piece = `"${'x'.repeat(60_000)}",`
  answer = (response) => {
    const write = (): void => {
      while (!isClosed && written < 2 * underWayBytes) {
        written += piece.length
        if (!response.write(piece)) return void response.once('drain', write)
      }
    }
    response.on('close', () => {
      isClosed = true
    })
    response.write('[')
    write()
  }
  const { status } = await check()
  expect(status).toBeLessThan(500)
  // We close the connection, even if the tool has more to send.
  await expect.poll(() => isClosed, { timeout: 300_000 }).toBe(true)
  expect(written).toBeLessThan(underWayBytes)
})

/** The description of an account, with its name at the end, so that the whole answer must be read. */
const described = (bytes: number) => {
  const end = `","account":{"name":"Read whole"}}`
  const start = '{"protocol":1,"families":["helpdesk"],"padding":"'
  return start + 'x'.repeat(bytes - start.length - end.length) + end
}
const nameOf = async (importId: string) =>
  (await service.db.selectFrom('authorizations').selectAll().where('import_id', '=', importId).executeTakeFirst())
    ?.account_name

test("the portal reads a destination's description up to 64 kB", async () => {
  answer = (response) => response.end(described(limitBytes))
  expect(await nameOf((await connect('destination')).importId)).toBe('Read whole')
  answer = (response) => response.end(described(limitBytes + 1))
  expect(await nameOf((await connect('destination')).importId)).toBe(new URL(url()).host)
})

test('the portal connects a source whose account answer has 64 kB, and explains what is wrong with a longer one', async () => {
  const desk = (bytes: number) => {
    const start = '{"name":"Desk","subdomain":"desk","counts":{},"padding":"'
    return `${start}${'x'.repeat(bytes - start.length - 2)}"}`
  }
  answer = (response) => response.end(desk(limitBytes))
  expect((await connect('source')).status).toBeLessThan(300)
  answer = (response) => response.end(desk(limitBytes + 1))
  const refused = await connect('source')
  expect(refused.status).toBe(422)
  expect(Object.keys(refused.json)).toEqual(['source'])
})
