import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from './clock.ts'

interface HostedFile {
  bytes: Buffer
  contentType: string
  until: number
  /** The number of redirects left before the bytes. */
  hops: number
}

const secretHeaders = ['authorization', 'cookie', 'x-api-key', 'x-api-token', 'api-key']

/**
 * The second host on which tools keep their files. An address on it opens one file for a while. A request with
 * credentials is refused, as file stores do, and counts as a violation: credentials must never go to another host.
 */
export async function startFileHost(clock: Clock, violations: string[]) {
  const files = new Map<string, HostedFile>()
  const uploads = new Map<string, (bytes: Buffer) => void>()
  let count = 0
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://files.invalid')
    const told = secretHeaders.filter((name) => request.headers[name] !== undefined)
    if (told.length > 0) {
      violations.push(`GET ${url.pathname}: ${told.join(', ')} was told to the host of the files`)
      return void response.writeHead(400).end('Only one auth mechanism allowed')
    }
    if (request.method === 'PUT') {
      const keep = uploads.get(url.pathname)
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(piece as Buffer)
      keep?.(Buffer.concat(pieces))
      return void response.writeHead(keep ? 200 : 403).end()
    }
    const file = files.get(url.pathname)
    if (!file || clock.now() >= file.until) return void response.writeHead(403).end('Request has expired')
    const hop = Number(url.searchParams.get('hop') ?? 0)
    if (hop < file.hops) return void response.writeHead(302, { location: `${url.pathname}?hop=${hop + 1}` }).end()
    const [, from] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? []
    const start = Number(from ?? 0)
    const range = { 'content-range': `bytes ${start}-${file.bytes.length - 1}/${file.bytes.length}` }
    response.writeHead(from === undefined ? 200 : 206, {
      'content-type': file.contentType,
      'content-length': file.bytes.length - start,
      'accept-ranges': 'bytes',
      ...(from !== undefined && range),
    })
    return void response.end(file.bytes.subarray(start))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    /** An address that opens the bytes for this time, after this number of redirects. */
    sign(bytes: Buffer, contentType: string, { forMs = 300_000, hops = 0 } = {}): string {
      const path = `/signed/${++count}`
      files.set(path, { bytes, contentType, until: clock.now() + forMs, hops })
      return `${origin}${path}`
    },
    /** An address that takes bytes by PUT. */
    receive(keep: (bytes: Buffer) => void): string {
      const path = `/upload/${++count}`
      uploads.set(path, keep)
      return `${origin}${path}`
    },
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

export type FileHost = Awaited<ReturnType<typeof startFileHost>>
