import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '../config.ts'
import { FileMissingError, RetryableError } from '../errors.ts'
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
  // Only these two ports are allowed, so no answer can make us reach another port.
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

test('headers are kept within the host, and are not sent again when a redirect leads back', async () => {
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

test('five hops are followed, and the sixth is an error', async () => {
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

test('a file that no longer exists is missing, also behind a redirect', async () => {
  handleTool = redirect(`${store.url}/gone`)
  handleStore = (_request, response) => response.writeHead(404).end()
  await expect(download()).rejects.toThrow(FileMissingError)
})

/** Breaks the connection after a part of the answer, the given number of times. */
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
