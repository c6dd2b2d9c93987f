import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '../config.ts'
import { FileMissingError, ObstacleError, RetryableError } from '../errors.ts'
import { downloadFile } from './download-file.ts'
import { createOutbound, type Outbound } from './outbound.ts'

const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 251))
const headers = { authorization: 'Bearer secret', 'x-api-key': 'secret' }
const signal = AbortSignal.timeout(3_600_000)

interface Place {
  url: string
  server: Server
  seen: IncomingMessage[]
}
let outbound: Outbound
let tool: Place
let store: Place
type Handle = (request: IncomingMessage, response: ServerResponse) => void
let handleTool: Handle
let handleStore: Handle

async function listen(handle: () => Handle): Promise<Place> {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    handle()(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, seen }
}

beforeEach(async () => {
  tool = await listen(() => handleTool)
  store = await listen(() => handleStore)
  // Only these two ports are allowed, so an answer cannot make us reach any other.
  const ports = [tool, store].map(({ url }) => `127.0.0.1:${new URL(url).port}`).join(',')
  outbound = createOutbound(readConfig({ WHERRY_ALLOWED_NETWORKS: ports }).allowedNetworks)
})
afterEach(async () => {
  await outbound.close()
  for (const { server } of [tool, store]) {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
})

const redirect =
  (location: string, status = 302): Handle =>
  (_request, response) =>
    response.writeHead(status, { location }).end()
const download = async (url = `${tool.url}/files/1`) => {
  const { body } = await downloadFile(outbound, url, { headers, signal })
  return buffer(body)
}

test('a redirect to another host is followed without our headers', async () => {
  handleTool = redirect(`${store.url}/signed?key=1`)
  handleStore = (_request, response) => response.end(bytes)
  expect((await download()).equals(bytes)).toBe(true)
  expect(tool.seen[0]?.headers).toMatchObject(headers)
  expect(store.seen[0]?.headers).not.toHaveProperty('authorization')
  expect(store.seen[0]?.headers).not.toHaveProperty('x-api-key')
})

test('headers stay within the host, and after leaving the host they are never sent again', async () => {
  handleTool = ({ url }, response) => {
    const next: Record<string, string> = { '/files/1': '/files/2', '/files/2': `${store.url}/away` }
    const location = next[String(url)]
    if (location === undefined) response.end(bytes)
    else response.writeHead(307, { location }).end()
  }
  handleStore = redirect(`${tool.url}/files/3`)
  expect((await download()).equals(bytes)).toBe(true)
  const keys = tool.seen.map(({ url, headers }) => `${url} ${headers['x-api-key']}`)
  expect(keys).toEqual(['/files/1 secret', '/files/2 secret', '/files/3 undefined'])
})

test('five redirects are followed, and the sixth is an error', async () => {
  let hops = 0
  handleTool = (_request, response) =>
    ++hops > 5 ? response.end(bytes) : response.writeHead(302, { location: `/hop/${hops}` }).end()
  expect((await download()).equals(bytes)).toBe(true)
  handleTool = redirect('/again')
  tool.seen.length = 0
  await expect(download()).rejects.toThrow('more than 5 times')
  expect(tool.seen).toHaveLength(6)
})

test.each([
  ['a network that must not be reached', 'http://127.0.0.1:9/metadata'],
  ['another protocol', 'file:///etc/passwd'],
  ['an address with a password', 'http://user:secret@127.0.0.1/'],
  ['nothing', ''],
])('a redirect to %s is not followed', async (_name, location) => {
  handleTool = (_request, response) => response.writeHead(302, location === '' ? {} : { location }).end()
  await expect(download()).rejects.toThrow(RetryableError)
  expect(store.seen).toHaveLength(0)
})

test('a deleted file is missing, also behind a redirect', async () => {
  handleTool = redirect(`${store.url}/gone`)
  handleStore = (_request, response) => response.writeHead(404).end()
  await expect(download()).rejects.toThrow(FileMissingError)
})

/** Breaks the connection after a part of the answer, this number of times. */
const breaking =
  (times: number, answered: Record<string, string>): Handle =>
  ({ headers }, response) => {
    const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0)
    const isRange = headers.range !== undefined && answered['accept-ranges'] === 'bytes'
    const range = { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }
    response.writeHead(isRange ? 206 : 200, { ...answered, ...(isRange && range) })
    const rest = isRange ? bytes.subarray(from) : bytes
    if (times-- <= 0) return response.end(rest)
    return response.write(rest.subarray(0, 70_000), () => setTimeout(() => response.destroy(), 50))
  }

test('a download that breaks off continues where it stopped, if the server supports ranges', async () => {
  const digest = createHash('sha256').update(bytes).digest('base64')
  handleTool = breaking(2, { etag: '"v1"', 'accept-ranges': 'bytes', 'repr-digest': `sha-256=:${digest}:` })
  expect((await download()).equals(bytes)).toBe(true)
  expect(tool.seen).toHaveLength(3)
  expect(tool.seen[2]?.headers).toMatchObject({ 'if-range': '"v1"', ...headers })
})

test.each([
  ['no ranges are taken', { etag: '"v1"' }],
  ['nobody says that the bytes are the same', { 'accept-ranges': 'bytes' }],
])('a download that breaks off is an error where %s', async (_name, answered) => {
  handleTool = breaking(1, answered)
  await expect(download()).rejects.toThrow()
  expect(tool.seen).toHaveLength(1)
})

test.each([
  ['repr-digest', (value: string) => `md5=:AAAA:, sha-256=:${value}:`, 'sha256'],
  ['digest', (value: string) => `SHA-512=${value}`, 'sha512'],
  ['content-md5', (value: string) => value, 'md5'],
] as const)('bytes that are not those of %s end in an error', async (name, write, algorithm) => {
  const digest = (content: Buffer) => write(createHash(algorithm).update(content).digest('base64'))
  handleTool = (_request, response) => response.writeHead(200, { [name]: digest(bytes) }).end(bytes)
  expect((await download()).equals(bytes)).toBe(true)
  handleTool = (_request, response) => response.writeHead(200, { [name]: digest(Buffer.from('other')) }).end(bytes)
  await expect(download()).rejects.toThrow('checksum')
})

const digestOf = (content: Buffer) => createHash('sha256').update(content).digest('base64')

test.each([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
  ['gzip, br', (content: Buffer) => brotliCompressSync(gzipSync(content))],
])('a file that its server compresses (%s) arrives as it was', async (encoding, compress) => {
  const packed = compress(bytes)
  // RFC 9530: Repr-Digest is the checksum of the compressed form.
  const answered = { 'content-encoding': encoding, 'repr-digest': `sha-256=:${digestOf(packed)}:` }
  handleTool = (_request, response) => response.writeHead(200, answered).end(packed)
  expect((await download()).equals(bytes)).toBe(true)
  handleTool = (_request, response) => response.writeHead(200, answered).end(packed.subarray(0, -20))
  await expect(download()).rejects.toThrow()
})

test.each([
  ['aws-chunked', 'text/plain'],
  ['utf-8', 'text/plain'],
  ['identity', 'text/plain'],
  ['gzip', 'application/gzip'],
  ['gzip', 'application/x-gzip; charset=binary'],
])('the encoding %s of the type %s leaves the bytes unchanged', async (encoding, type) => {
  const content = gzipSync(bytes)
  handleTool = (_request, response) =>
    response.writeHead(200, { 'content-encoding': encoding, 'content-type': type }).end(content)
  expect((await download()).equals(content)).toBe(true)
})

test.each([{}, { 'content-encoding': 'gzip' }, { 'content-encoding': 'br', 'transfer-encoding': 'chunked' }])(
  'an empty file with the headers %j is empty',
  async (answered) => {
    handleTool = (_request, response) => response.writeHead(200, answered).end()
    expect(await download()).toHaveLength(0)
  },
)

test.each([
  ['a length', { 'content-length': String(bytes.length) }],
  ['chunks', { 'transfer-encoding': 'chunked' }],
  ['a compressed form', { 'content-encoding': 'gzip' }],
])('a file that is announced with %s and cut off is an error', async (_name, answered) => {
  handleTool = (_request, response) => {
    const content = 'content-encoding' in answered ? gzipSync(bytes) : bytes
    response.writeHead(200, answered).write(content.subarray(0, 1_000), () => response.destroy())
  }
  await expect(download()).rejects.toThrow()
})

test('a text in another charset arrives byte for byte', async () => {
  const text = Buffer.from('caf\xe9 \x80', 'latin1')
  handleTool = (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/plain; charset=windows-1252' }).end(text)
  expect((await download()).equals(text)).toBe(true)
})

test.each([401, 402, 403])(
  'another host that refuses a file (%i) does not mean that the account is lost',
  async (status) => {
    handleTool = redirect(`${store.url}/signed`)
    handleStore = (_request, response) => response.writeHead(status).end('<Code>AccessDenied</Code>')
    await expect(download()).rejects.toThrow(FileMissingError)
    // An address that the tool has signed is requested without our credentials from the start.
    await expect(downloadFile(outbound, `${store.url}/signed`, { headers: {}, signal })).rejects.toThrow(
      FileMissingError,
    )
    handleTool = (_request, response) => response.writeHead(status).end()
    await expect(download()).rejects.toThrow(ObstacleError)
  },
)

test('a download that nobody reads closes its connection', async () => {
  let isClosed = false
  handleTool = (_request, response) => {
    response.once('close', () => {
      isClosed = true
    })
    response.write(bytes)
  }
  const { body } = await downloadFile(outbound, `${tool.url}/files/1`, { headers, signal })
  body.destroy()
  await vi.waitFor(() => expect(isClosed).toBe(true), { timeout: 300_000 })
})
