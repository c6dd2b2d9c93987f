import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Fault, SeenRequest } from '../../../../demo/harbour/faults.ts'
import { type Harbour, startHarbour } from '../../../../demo/harbour/harbour.ts'
import { readConfig } from '../../config.ts'
import { ObstacleError, RetryableError } from '../../errors.ts'
import { createOutbound, type Outbound } from '../../outbound/outbound.ts'
import type { OutgoingContent, OutgoingRecord, SoughtRecord, Writer } from '../contract/contract.ts'
import { open } from './index.ts'
import { openDestination } from './writer.ts'

const MIB = 1024 * 1024
let outbound: Outbound
let harbour: Harbour
let writer: Writer
/** Each record created here gets a higher revision than the one before. */
let sendings = 0
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

const connect = (token: string, signal = AbortSignal.timeout(3_600_000)) =>
  openDestination({ access: { instanceUrl: `${harbour.baseUrl}/`, username: null, token }, outbound, signal })
const ticket = (key: string, fields: object = {}): OutgoingRecord => ({
  key,
  revision: ++sendings,
  destinationId: null,
  createdBy: null,
  fields: { subject: 'Rake arrived bent', ...fields },
  customFields: {},
  createdAt: '2026-03-01T09:30:00.000Z',
  updatedAt: null,
})
const sought = (...keys: string[]): SoughtRecord[] => keys.map((key) => ({ key, destinationId: null, parent: null }))
const effectsOf = async (key: string) => {
  const response = await fetch(`${harbour.url}/effects?external_id=${encodeURIComponent(key)}`, {
    headers: { authorization: 'Bearer admin' },
  })
  return ((await response.json()) as { data: { action: string }[] }).data.map(({ action }) => action)
}

test('describes what the account accepts', async () => {
  const description = await writer.describe()
  expect(description).toMatchObject({
    account: { name: 'Fernhill at Harbour', id: expect.any(String) },
    textFormat: 'html',
    maxFileBytes: 3 * MIB,
    capabilities: {
      deliveryClass: 'A',
      delete: true,
      silentCreate: true,
      backdate: true,
      batchSize: 100,
      keepsRevisions: true,
    },
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

test('a written record is found as it was sent, and a refused record is an outcome', async () => {
  await writer.write('groups', [{ ...ticket('w/group'), fields: { name: 'Returns' } }])
  const customFields: OutgoingContent['customFields'] = {
    order_number: { label: 'Order number', type: 'text', value: 'A-1' },
  }
  const group = { entity: 'groups', key: 'w/group', destinationId: '1' }
  const sent = { ...ticket('w/1', { tags: ['b', 'a'], assignee: 'u1', group }), customFields }
  const outcomes = await writer.write('tickets', [sent, ticket('w/2', { subject: '' }), ticket('w/3')])
  expect(outcomes).toMatchObject([
    { key: 'w/1', result: 'written', url: expect.stringContaining('/tickets/') },
    { key: 'w/2', result: 'refused', code: 'blank', message: "Subject can't be blank" },
    { key: 'w/3', result: 'written' },
  ])
  const found = await writer.find('tickets', sought('w/1', 'w/2', 'w/4'))
  expect(found).toMatchObject([
    {
      key: 'w/1',
      fields: { ...sent.fields, group: 'w/group' },
      customFields: { order_number: 'A-1' },
      createdAt: sent.createdAt,
    },
  ])
  const { updatedAt: _unsent, ...stored } = await writer.asStored('tickets', sent)
  expect(found[0]).toMatchObject(stored)
  expect(outcomes[0]).toMatchObject({ version: found[0]?.version, destinationId: found[0]?.destinationId })
})

test.each<Fault>(['commit_then_drop', 'commit_then_500'])('%s, then a retry: the record exists once', async (after) => {
  fault = () => after
  await expect(writer.write('tickets', [ticket(`once/${String(after)}`)])).rejects.toThrow(RetryableError)
  fault = () => 'ok'
  expect(await writer.write('tickets', [ticket(`once/${String(after)}`)])).toMatchObject([{ result: 'written' }])
  expect(await effectsOf(`once/${String(after)}`)).toEqual(['create', 'repeat'])
})

test('removes unchanged records, keeps edited ones, and reports missing ones as gone', async () => {
  const outcomes = await writer.write('tickets', [ticket('r/1'), ticket('r/2'), ticket('r/3')])
  const records = outcomes.map((outcome) => {
    if (outcome.result !== 'written') throw new Error('refused')
    return { key: outcome.key, destinationId: outcome.destinationId, version: outcome.version, parent: null }
  })
  await writer.write('tickets', [ticket('r/2', { subject: 'Edited' })])
  const all = [...records, { key: 'r/none', destinationId: '0', version: null, parent: null }]
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

test('an outdated revision never counts as written: the record is retried with a higher revision', async () => {
  const newer = ticket('revision/1', { subject: 'Newer' })
  await writer.write('tickets', [newer])
  const older = { ...ticket('revision/1'), revision: newer.revision - 1 }
  const [neighbour, outcome] = await writer.write('tickets', [ticket('revision/2'), older])
  expect(neighbour).toMatchObject({ key: 'revision/2', result: 'written' })
  expect(outcome).toMatchObject({
    key: 'revision/1',
    result: 'failed',
    isSent: true,
    error: expect.any(RetryableError),
  })
  expect(String(outcome?.result === 'failed' && outcome.error)).toContain(
    `has revision ${newer.revision} of a record of which we sent revision ${older.revision}`,
  )
  expect(await writer.find('tickets', sought('revision/1'))).toMatchObject([{ fields: { subject: 'Newer' } }])
  expect(await writer.write('tickets', [ticket('revision/1')])).toMatchObject([{ result: 'written' }])
})

test('after a removal, no write up to its revision has an effect', async () => {
  const record = ticket('revision/3')
  const removal = { key: record.key, destinationId: '', version: null, parent: null, revision: record.revision }
  expect(await writer.remove('tickets', [removal])).toMatchObject([{ result: 'missing' }])
  expect(await writer.write('tickets', [record])).toMatchObject([{ result: 'failed', isSent: true }])
  expect(await writer.find('tickets', sought(record.key))).toEqual([])
  expect(await writer.write('tickets', [ticket(record.key)])).toMatchObject([{ result: 'written' }])
  expect(await writer.remove('tickets', [removal])).toMatchObject([{ result: 'kept' }])
})

test('rate limits, lost access and failures each give the error that says what happens next', async () => {
  const looking = () => writer.find('tickets', sought('a'))
  fault = () => ({ status: 429, headers: { 'retry-after': '7' } })
  await expect(looking()).rejects.toMatchObject({ name: 'RetryableError', retryAfterMs: 7000, obstacle: null })
  fault = () => ({ status: 503 })
  await expect(looking()).rejects.toMatchObject({ name: 'RetryableError', obstacle: null })
  fault = () => 'drop'
  await expect(looking()).rejects.toMatchObject({ name: 'RetryableError', obstacle: null })
  fault = () => ({ status: 308, headers: { location: '/elsewhere' } })
  await expect(looking()).rejects.toMatchObject({ code: 'redirected', mustAct: 'customer' })
  fault = () => 'ok'
  await expect(connect('wrong').users(null)).rejects.toMatchObject({ code: 'authorization_lost', mustAct: 'customer' })
  const broken = writer.write('tickets', [ticket('not allowed!')])
  await expect(broken).rejects.toThrow(ObstacleError)
  await expect(broken).rejects.toMatchObject({ code: 'protocol_broken' })
})

test('a 404 is retried; if it persists, the missing thing decides who must act', async () => {
  await expect(writer.find('unheard_of', sought('a'))).rejects.toMatchObject({
    name: 'RetryableError',
    obstacle: { code: 'protocol_broken', mustAct: 'operator', message: expect.stringContaining('/records/unheard_of') },
  })
  fault = () => ({ status: 404 })
  await expect(writer.describe()).rejects.toMatchObject({
    name: 'RetryableError',
    obstacle: { code: 'address_wrong', mustAct: 'customer' },
  })
})

test('a customer who connects a destination that redirects is told the address to use', async () => {
  fault = () => ({ status: 302, headers: { location: 'https://new.example/wherry/describe' } })
  const access = { instanceUrl: harbour.baseUrl, username: null, token: 'token' }
  const checking = open.destination?.checkAccount({ access, outbound, signal: AbortSignal.timeout(3_600_000) })
  await expect(checking).rejects.toMatchObject({ code: 'redirected', mustAct: 'customer' })
  await expect(checking).rejects.toThrow('sends us on to https://new.example/wherry/describe')
})

test('a stopped request is reported as stopped, not as a failure', async () => {
  const stop = new AbortController()
  fault = () => {
    stop.abort(new Error('stopped'))
    return 'drop'
  }
  await expect(connect('token', stop.signal).find('tickets', sought('a'))).rejects.toThrow('stopped')
})

test('a batch that is too large is halved, and a single record that is too large is refused', async () => {
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

test('the accepted half of a batch keeps its outcomes when the other half fails', async () => {
  let batches = 0
  fault = ({ method }) => {
    if (method !== 'PUT') return 'ok'
    batches++
    return batches === 1 ? { status: 413 } : batches === 3 ? { status: 500 } : 'ok'
  }
  const keys = [1, 2, 3, 4].map((number) => `half/${number}`)
  const outcomes = await writer.write(
    'tickets',
    keys.map((key) => ticket(key)),
  )
  expect(outcomes.map(({ key }) => key)).toEqual(keys)
  expect(outcomes.map(({ result }) => result)).toEqual(['written', 'written', 'failed', 'failed'])
  expect(outcomes[3]).toMatchObject({ isSent: true, error: expect.any(RetryableError) })
})
