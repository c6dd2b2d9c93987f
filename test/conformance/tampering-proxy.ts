import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Exchange {
  method: string
  /** The path below the base URL, without parameters. */
  path: string
  query: string
  headers: Record<string, string>
  body: Buffer
  /** True if the connection broke before the body was complete. */
  isCut: boolean
}

export interface Answer {
  status: number
  body: string
}

/** Handles a request in any way. `forward` returns the answer of the healthy program. */
export type Tamper = (exchange: Exchange, forward: (changed?: Partial<Exchange>) => Promise<Answer>) => Promise<Answer>

/** A proxy that breaks a healthy destination. */
export async function startProxy(baseUrl: string, tamper: Tamper): Promise<{ url: string; close(): Promise<void> }> {
  const underWay = new Set<Promise<void>>()
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const earlier = [...underWay]
    const { body, isCut } = await readAll(request)
    // A read waits for earlier requests, also on a machine that notices their end late.
    if (request.url?.split('?')[0]?.endsWith('/find')) await Promise.allSettled(earlier)
    const [path = '', query = ''] = (request.url ?? '').split('?')
    const headers = {
      ...(request.headers.authorization && { authorization: request.headers.authorization }),
      ...(request.headers['content-type'] && { 'content-type': request.headers['content-type'] }),
    }
    const exchange: Exchange = { method: request.method ?? '', path, query, headers, body, isCut }
    const forward = async (changed: Partial<Exchange> = {}): Promise<Answer> => {
      const sent = { ...exchange, ...changed }
      const answer = await fetch(`${baseUrl}${sent.path}?${sent.query}`, {
        method: sent.method,
        headers: sent.headers,
        ...(sent.method !== 'GET' && { body: new Uint8Array(sent.body) }),
      })
      return { status: answer.status, body: await answer.text() }
    }
    // A healthy proxy does not pass on half a request.
    const healthy = (changed?: Partial<Exchange>) =>
      isCut && !changed ? Promise.resolve({ status: 400, body: '{}' }) : forward(changed)
    const { status, body: text } = await tamper(exchange, healthy)
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  }
  const server = createServer((request, response) => {
    const handling = handle(request, response).finally(() => underWay.delete(handling))
    underWay.add(handling)
  }).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

async function readAll(request: IncomingMessage): Promise<{ body: Buffer; isCut: boolean }> {
  const parts: Buffer[] = []
  try {
    for await (const part of request) parts.push(part as Buffer)
    return { body: Buffer.concat(parts), isCut: false }
  } catch {
    return { body: Buffer.concat(parts), isCut: true }
  }
}
