import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { RetryableError } from '../../errors.ts'
import { createOutbound, type Outbound } from '../../outbound/outbound.ts'
import type { Writer } from '../contract/contract.ts'
import { openDestination } from './writer.ts'

let server: Server
let outbound: Outbound
let writer: Writer
let answer: (response: ServerResponse) => void

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on('end', () => answer(response))
  }).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  outbound = createOutbound(readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' }).allowedNetworks)
  const instanceUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/wherry`
  const access = { instanceUrl, username: null, token: 'token' }
  writer = openDestination({ access, outbound, signal: AbortSignal.timeout(3_600_000) })
})
afterAll(async () => {
  await outbound.close()
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})

const sends = (body: unknown) => {
  answer = (response) => response.end(typeof body === 'string' ? body : JSON.stringify(body))
}
const record = (key: string) => ({
  key,
  revision: 1,
  destinationId: null,
  createdBy: null,
  fields: {},
  customFields: {},
  createdAt: null,
  updatedAt: null,
})
const sought = (...keys: string[]) => keys.map((key) => ({ key, destinationId: null, parent: null }))
const written = (external_id: string) => ({ external_id, result: 'created', id: '1', version: '1' })
const found = (external_id: string) => ({ external_id, id: '1', version: '1', fields: {} })
const description = {
  protocol: 1,
  account: { name: 'A' },
  families: ['helpdesk'],
  text_format: 'html',
  limits: { batch: 10, concurrency: 1 },
  capabilities: { silent: true, backdate: true },
  entities: { tickets: { fields: { subject: { type: 'text' } }, custom_fields: [] } },
}

test('answers with additional properties are accepted', async () => {
  sends({ ...description, tomorrow: true })
  const { capabilities, maxFileBytes } = await writer.describe()
  expect(maxFileBytes).toBeNull()
  expect(capabilities).toMatchObject({ createField: false, keepsRevisions: false, conditionalWrites: false })
  expect(capabilities).not.toHaveProperty('lateMs')
  sends({ ...description, limits: { ...description.limits, late_ms: 1500 } })
  expect((await writer.describe()).capabilities).toMatchObject({ lateMs: 1500, keepsRevisions: false })
  sends({ results: [{ ...written('a'), tomorrow: true }] })
  expect(await writer.write('tickets', [record('a')])).toMatchObject([{ result: 'written', url: null, version: '1' }])
  sends({ records: [found('b')] })
  expect(await writer.find('tickets', sought('a', 'b'))).toMatchObject([{ key: 'b', customFields: {}, url: null }])
})

test.each<[string, unknown]>([
  ['no JSON', '<html>Welcome</html>'],
  ['nothing', ''],
  ['null', 'null'],
  ['a list', []],
  ['an empty object', {}],
  ['cut JSON', '{"records": [{"external_id": "a", "id"'],
])('%s is never accepted as an answer', async (_name, body) => {
  sends(body)
  await expect(writer.describe()).rejects.toThrow(RetryableError)
  await expect(writer.users(null)).rejects.toThrow(RetryableError)
  await expect(writer.find('tickets', sought('a'))).rejects.toThrow(RetryableError)
  await expect(writer.write('tickets', [record('a')])).rejects.toThrow(RetryableError)
  const remove = writer.remove('tickets', [{ key: 'a', destinationId: '1', version: null, parent: null }])
  await expect(remove).rejects.toThrow(RetryableError)
})

test.each<[string, object]>([
  ['another protocol', { ...description, protocol: 2 }],
  ['no batch', { ...description, limits: { batch: 0, concurrency: 1 } }],
  ['a type of its own', { ...description, entities: { tickets: { fields: { subject: { type: 'string' } } } } }],
  ['no account', { ...description, account: {} }],
])('a description with %s is rejected', async (_name, body) => {
  sends(body)
  const describing = writer.describe()
  await expect(describing).rejects.toThrow(/does not keep to the protocol: GET \/describe: \//)
  // If the destination keeps sending malformed answers, the operator sees this obstacle with the error.
  await expect(describing).rejects.toMatchObject({
    name: 'RetryableError',
    obstacle: { code: 'protocol_broken', mustAct: 'operator', message: expect.stringContaining('GET /describe: /') },
  })
})

test.each<[string, unknown[]]>([
  ['too few', [written('a')]],
  ['too many', [written('a'), written('b'), written('c')]],
  ['another order', [written('b'), written('a')]],
  ['no version', [written('a'), { external_id: 'b', result: 'created', id: '1' }]],
  ['a number as id', [written('a'), { ...written('b'), id: 1 }]],
  ['a result of its own', [written('a'), { ...written('b'), result: 'skipped' }]],
  ['changed, though no version was named', [written('a'), { external_id: 'b', result: 'changed' }]],
  ['missing, though no version was named', [written('a'), { external_id: 'b', result: 'missing' }]],
  ['a refusal without a code', [written('a'), { external_id: 'b', result: 'refused', message: 'No' }]],
])('results of writing: %s', async (_name, results) => {
  sends({ results })
  await expect(writer.write('tickets', [record('a'), record('b')])).rejects.toThrow(/does not keep to the protocol/)
})

test.each<[string, unknown]>([
  ['not asked for', [found('c')]],
  ['twice the same', [found('a'), found('a')]],
  ['without fields', [{ external_id: 'a', id: '1', version: '1' }]],
  ['with custom fields that have no value', [{ ...found('a'), custom_fields: { size: 'L' } }]],
  ['not a list', { a: found('a') }],
])('found records: %s', async (_name, records) => {
  sends({ records })
  await expect(writer.find('tickets', sought('a', 'b'))).rejects.toThrow(/does not keep to the protocol/)
})

test('a body that breaks off is not accepted', async () => {
  answer = (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"records":[]')
    setImmediate(() => response.destroy())
  }
  await expect(writer.find('tickets', sought('a'))).rejects.toThrow(RetryableError)
})

test('a file counts as written only if the destination stored exactly these bytes', async () => {
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  const send = () =>
    writer.writeFile('attachments', {
      ...record('f'),
      fields: { parent: { entity: 'tickets', key: 'a', destinationId: '1' }, file_name: 'a' },
      size: 3,
      contentType: 'kein\ntyp',
      body: Readable.from([Buffer.from('abc')], { objectMode: false }),
    })
  const sha256 = 'BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD'
  const stored = { result: 'created', id: '1', version: '1', size: 3, sha256 }
  sends(stored)
  expect(await send()).toMatchObject({ result: 'written' })
  sends({ ...stored, size: 2 })
  await expect(send()).rejects.toThrow(/other bytes/)
  sends({ ...stored, sha256: empty })
  await expect(send()).rejects.toThrow(/other bytes/)
  sends({ ...stored, sha256: undefined })
  await expect(send()).rejects.toThrow(/does not keep to the protocol/)
  sends({ result: 'changed' })
  await expect(send()).rejects.toThrow(/answered changed though we named no version/)
})

test("a destination's long texts about itself are cut", async () => {
  sends({ ...description, entities: { ['x'.repeat(100_000)]: { fields: 1 } } })
  const error = await writer.describe().catch((caught: RetryableError) => caught)
  expect((error as RetryableError).obstacle?.message.length).toBeLessThan(600)
})
