import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Fault, SeenRequest } from '../../../../demo/harbour/faults.ts'
import { type Harbour, startHarbour } from '../../../../demo/harbour/harbour.ts'
import { readConfig } from '../../config.ts'
import { ObstacleError, RetryableError } from '../../errors.ts'
import { createOutbound, type Outbound } from '../../outbound/outbound.ts'
import type { OutgoingFile, Writer } from '../contract/contract.ts'
import { openDestination } from './writer.ts'

const MIB = 1024 * 1024
const parent = { entity: 'tickets', key: 'ticket', destinationId: '1' }
let outbound: Outbound
let harbour: Harbour
let writer: Writer
/** Each record created here gets a higher revision than the one before. */
let sendings = 0
let fault: (request: SeenRequest) => Fault | Promise<Fault>
const seen: SeenRequest[] = []

beforeAll(async () => {
  fault = () => 'ok'
  outbound = createOutbound(readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' }).allowedNetworks)
  harbour = await startHarbour({
    port: 0,
    dataFile: ':memory:',
    token: 'token',
    maxFileBytes: 3 * MIB,
    onRequest: (request) => {
      seen.push(request)
      return fault(request)
    },
  })
  const access = { instanceUrl: harbour.baseUrl, username: null, token: 'token' }
  writer = openDestination({ access, outbound, signal: AbortSignal.timeout(3_600_000) })
  const { size: _size, contentType: _type, body: _body, ...rest } = file('ticket', bytesOf('none'))
  await writer.write('tickets', [{ ...rest, fields: { subject: 'With files' } }])
})
beforeEach(() => {
  fault = () => 'ok'
  seen.length = 0
})
afterAll(async () => {
  await outbound.close()
  await harbour.close()
})

const bytesOf = (text: string) => Readable.from([Buffer.from(text)], { objectMode: false })
const file = (key: string, body: Readable, more: Partial<OutgoingFile> = {}): OutgoingFile => ({
  key,
  revision: ++sendings,
  destinationId: null,
  createdBy: null,
  fields: { parent, file_name: 'a.bin', is_inline: false },
  customFields: {},
  createdAt: null,
  updatedAt: null,
  size: null,
  contentType: null,
  body,
  ...more,
})
const picture = (key: string, fields: object, more: Partial<OutgoingFile> = {}) =>
  file(key, bytesOf('GIF89a'), { fields: { file_name: 'a.gif', ...fields }, ...more })
const find = (entity: string, key: string) => writer.find(entity, [{ key, destinationId: null, parent: null }])
const post = async (path: string, body: object) => {
  const headers = { authorization: 'Bearer token', 'content-type': 'application/json' }
  return (await fetch(`${harbour.baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()
}
/** The destination's whole record of a file, which has more than the writer compares. */
const rawFile = async (key: string) => {
  const { records } = (await post('/records/attachments/find', { external_ids: [key] })) as {
    records: { fields: object }[]
  }
  return records[0]?.fields
}
const requests = () => seen.map(({ method, path }) => `${method} ${path}`)

test('files of any size and name arrive complete', async () => {
  for (const [key, bytes, known] of [
    ['f/empty', Buffer.alloc(0), true],
    ['f/empty-chunked', Buffer.alloc(0), false],
    ['f/large', randomBytes(2.5 * MIB), true],
    ['f/chunked', randomBytes(1.5 * MIB), false],
  ] as const) {
    const fields = { parent, file_name: '../ä &“?"#%+\n.html', is_inline: true, is_private: true, uploaded_by: 'u2' }
    const body = Readable.from(split(bytes), { objectMode: false })
    const sent = file(key, body, {
      size: known ? bytes.length : null,
      contentType: 'text/html; charset=utf-8',
      fields,
      createdAt: '2001-02-03T04:05:06.000Z',
      updatedAt: '2002-02-03T04:05:06.000Z',
    })
    expect(await writer.writeFile('attachments', sent)).toMatchObject({ key, result: 'written' })
    expect(await rawFile(key)).toEqual({
      ...fields,
      parent: 'ticket',
      content_type: 'text/html; charset=utf-8',
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })
    const [found] = await find('attachments', key)
    expect(found).toMatchObject(await writer.asStored('attachments', sent))
    expect(found?.fields).toEqual({ ...fields, parent: 'ticket' })
  }
})

test('the file type from the source has priority over the type in its download', async () => {
  const fields = { parent, file_name: 'a', content_type: 'image/png' }
  await writer.writeFile('attachments', file('t/1', bytesOf('a'), { fields, contentType: 'text/plain' }))
  expect(await rawFile('t/1')).toMatchObject({ content_type: 'image/png' })
  await writer.writeFile('attachments', file('t/2', bytesOf('a'), { fields: { ...fields, content_type: 'no\ntype' } }))
  expect(await rawFile('t/2')).toMatchObject({ content_type: 'application/octet-stream' })
})

test('a file without a parent is one request, and its other fields follow in a second request', async () => {
  await writer.writeFile('media', picture('m/1', {}, { revision: 7 }))
  expect(requests()).toEqual(['PUT /files'])
  expect(seen[0]?.query).toEqual({ external_id: 'm/1', entity: 'media', file_name: 'a.gif', revision: '14' })
  seen.length = 0
  const sent = picture('m/2', { alt: 'A rake', caption: 'Bent', title: 'Rake', original_url: 'https://x.example/' })
  const outcome = await writer.writeFile('media', sent)
  expect(requests()).toEqual(['PUT /files', 'PUT /records/media'])
  const [found] = await find('media', 'm/2')
  expect(found?.fields).toEqual((await writer.asStored('media', sent)).fields)
  expect(outcome).toMatchObject({ result: 'written', version: found?.version, url: found?.url })
})

test('a file that is sent again equals the file sent before', async () => {
  await writer.writeFile('media', picture('again/1', { alt: 'A rake' }))
  const [before] = await find('media', 'again/1')
  const changed = picture('again/1', { title: 'Rake' }, { destinationId: before?.destinationId ?? '' })
  expect(await writer.writeFile('media', changed)).toMatchObject({ destinationId: before?.destinationId })
  expect((await find('media', 'again/1'))[0]?.fields).toEqual({ file_name: 'a.gif', title: 'Rake' })
})

test('bytes that arrive again, or after a removal, change nothing', async () => {
  const sent = picture('late/1', { alt: 'A rake' })
  await writer.writeFile('media', sent)
  const late = () => writer.writeFile('media', { ...sent, body: bytesOf('GIF89b') })
  await expect(late()).rejects.toThrow(`we sent revision ${2 * sent.revision}`)
  const [found] = await find('media', 'late/1')
  expect(found?.fields).toMatchObject({ alt: 'A rake' })
  const removal = { key: sent.key, destinationId: '', version: null, parent: null, revision: sent.revision }
  expect(await writer.remove('media', [removal])).toMatchObject([{ result: 'removed' }])
  await expect(late()).rejects.toThrow(RetryableError)
  expect(await find('media', 'late/1')).toEqual([])
  expect(await writer.writeFile('media', picture('late/1', {}))).toMatchObject({ result: 'written' })
})

test('a crash between the two requests leaves the file to be sent again, not two files', async () => {
  fault = ({ path }) => (path === '/records/media' ? 'drop' : 'ok')
  await expect(writer.writeFile('media', picture('c/1', { alt: 'A rake' }))).rejects.toThrow(RetryableError)
  fault = () => 'ok'
  await writer.writeFile('media', picture('c/1', { alt: 'A rake' }))
  expect(await find('media', 'c/1')).toMatchObject([{ fields: { alt: 'A rake' } }])
})

test('a new file is removed if its fields are refused; an existing file stays', async () => {
  const long = { alt: 'x'.repeat(2_000) }
  const refused = { result: 'refused', code: 'too_long', message: expect.stringContaining('Alt') }
  expect(await writer.writeFile('media', picture('r/1', long))).toMatchObject(refused)
  expect(await find('media', 'r/1')).toEqual([])
  const first = await writer.writeFile('media', picture('r/2', { alt: 'A rake' }))
  if (first.result !== 'written') throw new Error('refused')
  const again = picture('r/2', long, { destinationId: first.destinationId })
  expect(await writer.writeFile('media', again)).toMatchObject(refused)
  expect(await find('media', 'r/2')).toHaveLength(1)
})

test('a file that disappears before its fields arrive is sent again', async () => {
  fault = async ({ path }): Promise<Fault> => {
    if (path === '/records/media') await post('/records/media/delete', { records: [{ external_id: 'g/1' }] })
    return 'ok'
  }
  const sending = writer.writeFile('media', picture('g/1', { alt: 'A rake' }))
  await expect(sending).rejects.toThrow(RetryableError)
  await expect(sending).rejects.toThrow('gone')
})

test('a file without a name or a parent is refused without being read', async () => {
  for (const fields of [{ parent }, { file_name: 'a' }]) {
    const sent = file('n/1', bytesOf('a'), { fields })
    expect(await writer.writeFile('attachments', sent)).toMatchObject({ result: 'refused', code: 'blank' })
    expect(sent.body.destroyed).toBe(true)
  }
  expect(seen).toEqual([])
})

test('an uploader unknown to the destination is refused', async () => {
  const fields = { parent, file_name: 'a', uploaded_by: 'nobody' }
  const outcome = await writer.writeFile('attachments', file('u/1', bytesOf('a'), { fields }))
  expect(outcome).toMatchObject({ result: 'refused', code: 'unknown_user' })
  expect(await find('attachments', 'u/1')).toEqual([])
})

test('a file that is too large is refused, with and without a known size', async () => {
  for (const size of [4 * MIB, null]) {
    const body = Readable.from(split(Buffer.alloc(4 * MIB)), { objectMode: false })
    const outcome = await writer.writeFile('attachments', file('l/1', body, { size }))
    expect(outcome).toMatchObject({ key: 'l/1', result: 'refused', code: 'too_large' })
    expect(body.destroyed).toBe(true)
  }
  expect(await find('attachments', 'l/1')).toEqual([])
})

test('a source that breaks off is the reported error, and nothing stays in the destination', async () => {
  const gone = new ObstacleError('authorization_lost', 'customer', 'The source is gone.')
  const body = Readable.from(breakOff(gone), { objectMode: false })
  await expect(writer.writeFile('attachments', file('b/1', body, { size: 2 * MIB }))).rejects.toBe(gone)
  expect(await find('attachments', 'b/1')).toEqual([])
})

test('a source that is shorter than announced is retried', async () => {
  const sending = writer.writeFile('attachments', file('s/1', bytesOf('short'), { size: 50 }))
  await expect(sending).rejects.toThrow(RetryableError)
  expect(await find('attachments', 's/1')).toEqual([])
})

function* split(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += 64 * 1024) yield bytes.subarray(start, start + 64 * 1024)
}

async function* breakOff(error: Error): AsyncGenerator<Buffer> {
  yield Buffer.alloc(64 * 1024)
  throw error
}
