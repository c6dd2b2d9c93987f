import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { findAccess } from '../../service/src/accounts/sealed-access.ts'
import { readConfig } from '../../service/src/config.ts'
import { startTestService, type TestPartner, type TestService } from '../support/service.ts'

let service: TestService
let partner: TestPartner
let destination: Server
let answer: (request: IncomingMessage, response: ServerResponse) => void
let requests: { url: string | undefined; authorization: string | undefined }[] = []

beforeAll(async () => {
  destination = createServer((request, response) => {
    requests.push({ url: request.url, authorization: request.headers.authorization })
    answer(request, response)
  }).listen(0, '127.0.0.1')
  const { allowedNetworks } = readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' })
  service = await startTestService({ config: { rateLimit: 0, allowedNetworks } })
  partner = await service.createPartner()
})
beforeEach(() => {
  requests = []
})
afterAll(async () => {
  await service.close()
  destination.closeAllConnections()
  await new Promise((done) => destination.close(done))
})

const url = () => `http://127.0.0.1:${(destination.address() as AddressInfo).port}/wherry`
const create = (body: object = {}, base = '/api/v2.1') =>
  partner.call('POST', `${base}/imports`, {
    source_tool: 'fernhill',
    destination_instance_url: url(),
    destination_token: 'secret-token',
    ...body,
  })
const checkedAt = async (id: string) =>
  service.db.selectFrom('authorizations').selectAll().where('import_id', '=', id).executeTakeFirst()

test('an account that accepts the token is recorded as checked, and the token is sealed', async () => {
  const description = { protocol: 1, account: { name: 'Maeve at Harbour' }, families: ['helpdesk'] }
  answer = (_request, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(description))
  const { status, json } = await create()
  expect(status).toBe(201)
  expect(requests).toEqual([{ url: '/wherry/describe', authorization: 'Bearer secret-token' }])
  const row = await checkedAt(json.id)
  expect(row?.checked_at).toBeInstanceOf(Date)
  expect(row?.sealed_credentials.includes('secret-token')).toBe(false)
  expect(await findAccess(service.db, service.keyRing, json.id, 'destination')).toEqual({
    instanceUrl: url(),
    username: null,
    token: 'secret-token',
  })
})

test('an account that refuses the token is a 422 under destination, live and in the sandbox', async () => {
  for (const [status, text] of [
    [401, '401 Unauthorized'],
    [403, '403 Forbidden'],
    [404, '404 Not Found'],
  ] as const) {
    answer = (_request, response) => response.writeHead(status).end()
    for (const base of ['/api/v2.1', '/api/sandbox']) {
      const refused = await create({}, base)
      expect([refused.status, refused.json]).toEqual([422, { destination: [`could not be reached: ${text}`] }])
    }
  }
})

test('a tool that is down, broken or redirects does not prevent the import', async () => {
  const behaviours: (typeof answer)[] = [
    (_request, response) => response.writeHead(503).end('<html>down</html>'),
    (_request, response) => response.writeHead(429, { 'retry-after': '10' }).end(),
    (request) => request.socket.destroy(),
    (_request, response) => response.end('<html>hello</html>'),
    (_request, response) => response.end('{}'),
    (_request, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  ]
  for (const behaviour of behaviours) {
    answer = behaviour
    const { status, json } = await create()
    expect(status).toBe(201)
    expect((await checkedAt(json.id))?.checked_at).toBeNull()
  }
  const closed = await create({ destination_instance_url: 'http://127.0.0.1:9/' })
  expect(closed.status).toBe(201)
})

test('the portal refuses a destination with wrong answers, and names the mistake', async () => {
  const description = { protocol: 1, account: { name: 'Maeve at Harbour' }, families: ['helpdesk'] }
  const { json: imp } = await create({ destination_instance_url: null, destination_token: null })
  const { headers } = await service.call('POST', '/portal/session', { body: { id: imp.id, token: imp.token } })
  const connect = (body: string) => {
    answer = (_request, response) => response.end(body)
    return service.call('PUT', `/portal/imports/${imp.id}/accounts/destination`, {
      body: { instance_url: url(), token: 'secret-token' },
      headers: { cookie: String(headers['set-cookie']).split(';')[0] ?? '' },
    })
  }
  const others = ['<html>hello</html>', '{}', 'null', '[]', '{"protocol":2}', '{"protocol":1}', 'x'.repeat(70_000)]
  for (const body of [...others, JSON.stringify({ ...description, families: [] })]) {
    const { status, json } = await connect(body)
    expect([status, json], body.slice(0, 40)).toEqual([
      422,
      { destination: ['answered, but not as a destination of Wherry does. Please check the address.'] },
    ])
  }
  expect((await connect(JSON.stringify({ ...description, families: ['blog'] }))).json).toEqual({
    destination: ['takes blog data, and this import brings helpdesk data. Please check the address.'],
  })
  const long = { ...description, entities: { tickets: { fields: { note: 'x'.repeat(70_000) } } } }
  expect((await connect(JSON.stringify(long))).json).toEqual({ account: { name: new URL(url()).host } })
  expect((await connect(JSON.stringify(description))).json).toEqual({ account: { name: 'Maeve at Harbour' } })
})

test('a tool that never answers delays the request by five seconds at most', async () => {
  answer = () => {}
  const start = performance.now()
  expect((await create()).status).toBe(201)
  // The limit, plus time for a busy machine. Without the limit, the request would take minutes.
  expect(performance.now() - start).toBeLessThan(60_000)
})

test('an endless answer is not read to its end', async () => {
  answer = (_request, response) => {
    const timer = setInterval(() => response.write('x'.repeat(100_000)), 1)
    response.on('close', () => clearInterval(timer))
  }
  expect((await create()).status).toBe(201)
})

test('the sandbox asks a host at most twice at once and thirty times a minute; its own requests stay unlimited', async () => {
  const held: ServerResponse[] = []
  answer = (_request, response) => held.push(response)
  const waiting = Array.from({ length: 5 }, () => create({}, '/api/sandbox'))
  // Three requests get an answer without asking the tool, because two requests to it are still open.
  const first = await Promise.race(waiting)
  expect(first.status).toBe(201)
  await expect.poll(() => held.length, { timeout: 300_000 }).toBe(2)
  for (const response of held) response.writeHead(401).end('{}')
  const statuses = (await Promise.all(waiting)).map(({ status }) => status).sort()
  expect(statuses).toEqual([201, 201, 201, 422, 422])
  answer = (_request, response) => response.writeHead(401).end('{}')
  const later: number[] = []
  for (let index = 0; index < 40; index++) later.push((await create({}, '/api/sandbox')).status)
  expect(later.filter((status) => status === 422).length).toBeLessThanOrEqual(28)
  expect(later.at(-1)).toBe(201)
  expect((await create()).status).toBe(422)
})

test('a blank address, user name and token count as not given', async () => {
  const blank = { destination_instance_url: ' ', destination_username: '', destination_token: '  ', family: '' }
  expect((await create(blank)).status).toBe(201)
  expect((await create({ destination_instance_url: '' })).status).toBe(201)
  expect((await create({ source_tool: ' ' })).json).toEqual({ source_tool: ["can't be blank"] })
  expect(requests).toEqual([])
})

test('a request without a token, or with another mistake, sends nothing to the tool', async () => {
  await create({ destination_token: null })
  await create({ destination_instance_url: null })
  await create({ source_tool: 'nothing' })
  expect(requests).toEqual([])
})

test('a name that resolves to a forbidden address is refused', async () => {
  const strict = await startTestService({ config: { rateLimit: 0 } })
  try {
    const other = await strict.createPartner()
    const { status, json } = await other.call('POST', '/api/v2.1/imports', {
      source_tool: 'fernhill',
      destination_instance_url: `http://127.0.0.1.:${(destination.address() as AddressInfo).port}/`,
      destination_token: 'x',
    })
    expect([status, Object.keys(json)]).toEqual([422, ['destination_instance_url']])
    expect(requests).toEqual([])
  } finally {
    await strict.close()
  }
})
