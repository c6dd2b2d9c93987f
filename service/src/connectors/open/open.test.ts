import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Fault, SeenRequest } from '../../../../demo/harbour/faults.ts'
import { type Harbour, startHarbour } from '../../../../demo/harbour/harbour.ts'
import { readConfig } from '../../config.ts'
import { ObstacleError, RetryableError } from '../../errors.ts'
import { createOutbound, type Outbound } from '../../outbound/outbound.ts'
import type { OutgoingFile, OutgoingRecord, Writer } from '../contract.ts'
import { openDestination } from './writer.ts'

const MIB = 1024 * 1024
let outbound: Outbound
let harbour: Harbour
let writer: Writer
let fault: (request: SeenRequest) => Fault

beforeAll(async () => {
  outbound = createOutbound(readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' }).allowedNetworks)
  harbour = await startHarbour({
    port: 0,
    dataFile: ':memory:',
    token: 'token',
    adminKey: 'admin',
    maxFileBytes: 3 * MIB,
    onRequest: (request) => fault(request),
  })
  writer = connect('token')
})
beforeEach(() => {
  fault = () => 'ok'
})
afterAll(async () => {
  await outbound.close()
  await harbour.close()
})

const connect = (token: string, signal = AbortSignal.timeout(60_000)) =>
  openDestination({ access: { instanceUrl: `${harbour.baseUrl}/`, username: null, token }, outbound, signal })
const ticket = (key: string, fields: object = {}): OutgoingRecord => ({
  key,
  fields: { subject: 'Rake arrived bent', ...fields },
  customFields: {},
  createdAt: '2026-03-01T09:30:00.000Z',
  updatedAt: null,
})
const file = (key: string, parent: string, body: Readable, more: Partial<OutgoingFile> = {}): OutgoingFile => ({
  key,
  fields: { parent, parent_entity: 'tickets', file_name: 'a.bin', is_inline: false },
  customFields: {},
  createdAt: null,
  updatedAt: null,
  size: null,
  contentType: null,
  body,
  ...more,
})
const effectsOf = async (key: string) => {
  const response = await fetch(`${harbour.url}/effects?external_id=${encodeURIComponent(key)}`, {
    headers: { authorization: 'Bearer admin' },
  })
  return ((await response.json()) as { data: { action: string }[] }).data.map(({ action }) => action)
}

test('describes what the account can take', async () => {
  const description = await writer.describe()
  expect(description).toMatchObject({
    account: { name: 'Fernhill at Harbour' },
    textFormat: 'html',
    maxFileBytes: 3 * MIB,
    capabilities: { deliveryClass: 'A', delete: true, silentCreate: true, backdate: true, batchSize: 100 },
  })
  expect(description.entities.tickets?.fields.subject).toEqual({
    type: 'text',
    many: false,
    required: true,
    maxLength: 1000,
    options: [],
  })
  expect(description.entities.tickets?.customFields).toBe('any')
})

test('reads the users', async () => {
  const { items, next } = await writer.users(null)
  expect(next).toBeNull()
  expect(items[0]).toEqual({ id: 'u1', name: 'Maeve Thornley', email: 'maeve@fernhill.example', isActive: true })
  expect(items.find(({ name }) => name === 'Front desk')?.email).toBeNull()
})

test('what is written is found as it was sent, and a refused record is an outcome', async () => {
  const custom = { order_number: { label: 'Order number', type: 'text', value: 'A-1' } }
  const sent = { ...ticket('w/1', { tags: ['a', 'b'], assignee: 'u1' }), customFields: custom }
  const outcomes = await writer.write('tickets', [sent, ticket('w/2', { subject: '' }), ticket('w/3')])
  expect(outcomes).toMatchObject([
    { key: 'w/1', result: 'written', url: expect.stringContaining('/tickets/') },
    { key: 'w/2', result: 'refused', code: 'blank', message: "Subject can't be blank" },
    { key: 'w/3', result: 'written' },
  ])
  const found = await writer.find('tickets', ['w/1', 'w/2', 'w/4'])
  expect(found).toMatchObject([{ key: 'w/1', fields: sent.fields, customFields: custom, createdAt: sent.createdAt }])
  expect(outcomes[0]).toMatchObject({ version: found[0]?.version, destinationId: found[0]?.destinationId })
})

test.each<Fault>(['commit_then_drop', 'commit_then_500'])('%s, and again: the record is there once', async (after) => {
  fault = () => after
  await expect(writer.write('tickets', [ticket(`once/${String(after)}`)])).rejects.toThrow(RetryableError)
  fault = () => 'ok'
  expect(await writer.write('tickets', [ticket(`once/${String(after)}`)])).toMatchObject([{ result: 'written' }])
  expect(await effectsOf(`once/${String(after)}`)).toEqual(['create', 'repeat'])
})

test('removes what is unchanged, keeps what was edited, and takes what is gone for gone', async () => {
  const outcomes = await writer.write('tickets', [ticket('r/1'), ticket('r/2'), ticket('r/3')])
  const records = outcomes.map((outcome) => {
    if (outcome.result !== 'written') throw new Error('refused')
    return { key: outcome.key, destinationId: outcome.destinationId, version: outcome.version }
  })
  await writer.write('tickets', [ticket('r/2', { subject: 'Edited' })])
  const all = [...records, { key: 'r/none', destinationId: '0', version: null }]
  expect((await writer.remove('tickets', all)).map(({ key, result }) => `${key} ${result}`)).toEqual([
    'r/1 removed',
    'r/2 kept',
    'r/3 removed',
    'r/none missing',
  ])
  const forced = records.map((record) => ({ ...record, version: null }))
  expect((await writer.remove('tickets', forced)).map(({ result }) => result)).toEqual([
    'missing',
    'removed',
    'missing',
  ])
})

test('too fast, no longer welcome, broken: each is the error that says what happens next', async () => {
  fault = () => ({ status: 429, headers: { 'retry-after': '7' } })
  await expect(writer.find('tickets', ['a'])).rejects.toMatchObject({ name: 'RetryableError', retryAfterMs: 7000 })
  fault = () => ({ status: 503 })
  await expect(writer.find('tickets', ['a'])).rejects.toThrow(RetryableError)
  fault = () => 'drop'
  await expect(writer.find('tickets', ['a'])).rejects.toThrow(RetryableError)
  fault = () => ({ status: 302, headers: { location: '/elsewhere' } })
  await expect(writer.find('tickets', ['a'])).rejects.toThrow(RetryableError)
  await expect(writer.find('unheard_of', ['a'])).rejects.toThrow(RetryableError)
  fault = () => 'ok'
  await expect(connect('wrong').users(null)).rejects.toMatchObject({ code: 'authorization_lost', mustAct: 'customer' })
  const broken = writer.write('tickets', [ticket('not allowed!')])
  await expect(broken).rejects.toThrow(ObstacleError)
  await expect(broken).rejects.toMatchObject({ code: 'protocol_broken' })
})

test('a request that is stopped says so, and is not taken for a failure', async () => {
  const stop = new AbortController()
  fault = () => {
    stop.abort(new Error('stopped'))
    return 'drop'
  }
  await expect(connect('token', stop.signal).find('tickets', ['a'])).rejects.toThrow('stopped')
})

test('a batch that is too large goes in halves, and one record that is too large is refused', async () => {
  const sizes: number[] = []
  fault = ({ body }) => {
    const { records } = body as { records: { external_id: string }[] }
    sizes.push(records.length)
    const isTooLarge = records.length > 1 || records[0]?.external_id === 'h/2'
    return isTooLarge ? { status: 413 } : 'ok'
  }
  const outcomes = await writer.write('tickets', [ticket('h/1'), ticket('h/2'), ticket('h/3')])
  expect(outcomes.map(({ key, result }) => `${key} ${result}`)).toEqual(['h/1 written', 'h/2 refused', 'h/3 written'])
  expect(sizes).toEqual([3, 2, 1, 1, 1])
})

test('files arrive whole, whatever their size and name', async () => {
  await writer.write('tickets', [ticket('f/ticket')])
  for (const [key, bytes, known] of [
    ['f/empty', Buffer.alloc(0), true],
    ['f/empty-chunked', Buffer.alloc(0), false],
    ['f/large', randomBytes(2.5 * MIB), true],
    ['f/chunked', randomBytes(1.5 * MIB), false],
  ] as const) {
    const fields = { parent: 'f/ticket', parent_entity: 'tickets', file_name: '../ä &“?"#%\n.html', is_inline: true }
    const body = Readable.from(split(bytes), { objectMode: false })
    const more = { size: known ? bytes.length : null, contentType: 'text/html; charset=utf-8', fields }
    expect(await writer.writeFile(file(key, 'f/ticket', body, more))).toMatchObject({ key, result: 'written' })
    const [found] = await writer.find('attachments', [key])
    expect(found?.fields).toEqual({
      parent: 'f/ticket',
      file_name: fields.file_name,
      content_type: more.contentType,
      is_inline: true,
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })
  }
})

test('a file that is too large is refused, with and without a known size', async () => {
  await writer.write('tickets', [ticket('l/ticket')])
  for (const size of [4 * MIB, null]) {
    const body = Readable.from(split(Buffer.alloc(4 * MIB)), { objectMode: false })
    const outcome = await writer.writeFile(file('l/1', 'l/ticket', body, { size }))
    expect(outcome).toMatchObject({ key: 'l/1', result: 'refused', code: 'too_large' })
    expect(body.destroyed).toBe(true)
  }
  expect(await writer.find('attachments', ['l/1'])).toEqual([])
})

test('a source that breaks off is what is reported, and nothing is left in the destination', async () => {
  await writer.write('tickets', [ticket('b/ticket')])
  const gone = new ObstacleError('authorization_lost', 'customer', 'The source is gone.')
  const body = Readable.from(breakOff(gone), { objectMode: false })
  await expect(writer.writeFile(file('b/1', 'b/ticket', body, { size: 2 * MIB }))).rejects.toBe(gone)
  expect(await writer.find('attachments', ['b/1'])).toEqual([])
})

test('a source that is shorter than it said is tried again', async () => {
  await writer.write('tickets', [ticket('s/ticket')])
  const body = Readable.from([Buffer.from('short')], { objectMode: false })
  await expect(writer.writeFile(file('s/1', 's/ticket', body, { size: 50 }))).rejects.toThrow(RetryableError)
  expect(await writer.find('attachments', ['s/1'])).toEqual([])
})

function* split(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += 64 * 1024) yield bytes.subarray(start, start + 64 * 1024)
}

async function* breakOff(error: Error): AsyncGenerator<Buffer> {
  yield Buffer.alloc(64 * 1024)
  throw error
}
