import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Fault, SeenRequest } from '../../../../demo/harbour/faults.ts'
import { type Harbour, startHarbour } from '../../../../demo/harbour/harbour.ts'
import { readConfig } from '../../config.ts'
import { createOutbound, type Outbound } from '../../outbound/outbound.ts'
import type { OutgoingFile, OutgoingRecord, WriteOutcome, Writer } from '../contract/contract.ts'
import { openDestination } from './writer.ts'

let outbound: Outbound
let harbour: Harbour
let writer: Writer
/** Each record created here gets a higher revision than the one before. */
let sendings = 0
let onRequest: (request: SeenRequest) => Fault | Promise<Fault>

beforeAll(async () => {
  outbound = createOutbound(readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' }).allowedNetworks)
  harbour = await startHarbour({
    port: 0,
    dataFile: ':memory:',
    token: 'token',
    onRequest: (request) => onRequest(request),
  })
  const access = { instanceUrl: harbour.baseUrl, username: null, token: 'token' }
  writer = openDestination({ access, outbound, signal: AbortSignal.timeout(3_600_000) })
})
beforeEach(() => {
  onRequest = () => 'ok'
})
afterAll(async () => {
  await outbound.close()
  await harbour.close()
})

const ticket = (key: string, subject: string, version?: string | null): OutgoingRecord => ({
  key,
  revision: ++sendings,
  destinationId: null,
  createdBy: null,
  fields: { subject },
  customFields: {},
  createdAt: null,
  updatedAt: null,
  ...(version !== undefined && { version }),
})
const picture = (key: string, text: string, alt: string, version?: string | null): OutgoingFile => ({
  ...ticket(key, '', version),
  fields: { file_name: 'a.gif', alt },
  size: text.length,
  contentType: 'image/gif',
  body: Readable.from([Buffer.from(text)], { objectMode: false }),
})
const find = async (entity: string, key: string) =>
  (await writer.find(entity, [{ key, destinationId: null, parent: null }]))[0]
const versionOf = (outcome: WriteOutcome | undefined) => {
  expect(outcome).toMatchObject({ result: 'written', version: expect.any(String) })
  return outcome?.result === 'written' ? outcome.version : null
}

test('a record is written only while it has the expected version, and otherwise stays unchanged', async () => {
  expect((await writer.describe()).capabilities.conditionalWrites).toBe(true)
  const first = versionOf((await writer.write('tickets', [ticket('r', 'First')]))[0])
  const second = versionOf((await writer.write('tickets', [ticket('r', 'Second', first)]))[0])
  expect(second).not.toBe(first)
  const batch = [ticket('r', 'Third', first), ticket('r/none', 'Third', first), ticket('r/new', 'New', null)]
  expect(await writer.write('tickets', batch)).toMatchObject([
    { key: 'r', result: 'changed' },
    { key: 'r/none', result: 'missing' },
    { key: 'r/new', result: 'written' },
  ])
  expect(await find('tickets', 'r')).toMatchObject({ version: second, fields: { subject: 'Second' } })
  expect(await find('tickets', 'r/none')).toBeUndefined()
  // A write without a version is unconditional.
  versionOf((await writer.write('tickets', [ticket('r', 'Fourth')]))[0])
  expect(await find('tickets', 'r')).toMatchObject({ fields: { subject: 'Fourth' } })
})

test('a file and its fields are written only while the file has the expected version', async () => {
  const first = versionOf(await writer.writeFile('media', picture('m', 'GIF1', 'First')))
  const second = versionOf(await writer.writeFile('media', picture('m', 'GIF22', 'Second', first)))
  expect(await find('media', 'm')).toMatchObject({ version: second, fields: { alt: 'Second' } })
  expect(await writer.writeFile('media', picture('m', 'GIF333', 'Third', first))).toEqual({
    key: 'm',
    result: 'changed',
  })
  expect(await writer.writeFile('media', picture('m/none', 'GIF333', 'Third', first))).toEqual({
    key: 'm/none',
    result: 'missing',
  })
  expect(await find('media', 'm')).toMatchObject({ version: second, fields: { alt: 'Second' } })
  expect(await find('media', 'm/none')).toBeUndefined()
})

test('an edit between the bytes and the fields of a file stays', async () => {
  const before = versionOf(await writer.writeFile('media', picture('between', 'GIF1', 'First')))
  onRequest = async ({ method, path }): Promise<Fault> => {
    if (method !== 'PUT' || path !== '/records/media') return 'ok'
    onRequest = () => 'ok'
    const edited = { external_id: 'between', fields: { alt: 'Edited' } }
    const answer = await fetch(`${harbour.baseUrl}/records/media`, {
      method: 'PUT',
      headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
      body: JSON.stringify({ records: [edited] }),
    })
    expect(await answer.json()).toMatchObject({ results: [{ result: 'updated' }] })
    return 'ok'
  }
  const outcome = await writer.writeFile('media', picture('between', 'GIF22', 'Second', before))
  expect(outcome).toEqual({ key: 'between', result: 'changed' })
  expect(await find('media', 'between')).toMatchObject({ fields: { alt: 'Edited' } })
})
