import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { Agent, request } from 'undici'

export interface PassedRequest {
  method: string
  /** The path below the tool's address, without parameters. */
  path: string
  query: URLSearchParams
  body: Buffer
}

export interface PassedAnswer {
  status: number
  headers: Record<string, string>
  body: Buffer | string
  /** A false length that replaces the real one; the connection is closed after the body. */
  contentLength?: number
}

/**
 * Decides the result of a request. `pass` sends the request, or another body in its place, to the tool; `drop` breaks
 * the connection.
 */
export type Tamper = (
  request: PassedRequest,
  pass: (body?: Buffer | string) => Promise<PassedAnswer>,
) => Promise<PassedAnswer | 'drop'>

/** A proxy between us and a tool, over real HTTP, that changes requests and answers. */
export async function startProxy(targetUrl: string, tamper: Tamper) {
  const agent = new Agent()
  const { origin, pathname } = new URL(targetUrl)
  const base = pathname.replace(/\/+$/, '')
  const pass = async (message: IncomingMessage, body: Buffer | string): Promise<PassedAnswer> => {
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...headers } = message.headers
    const hasBody = message.method !== 'GET'
    const answer = await request(`${origin}${message.url}`, {
      method: message.method as 'GET',
      headers,
      dispatcher: agent,
      ...(hasBody && { body }),
    })
    return {
      status: answer.statusCode,
      headers: { 'content-type': String(answer.headers['content-type']), ...kept(answer.headers) },
      body: Buffer.from(await answer.body.arrayBuffer()),
    }
  }
  const server = createServer((message, response) => {
    const handle = async () => {
      const body = await buffer(message)
      const { pathname: path, searchParams: query } = new URL(String(message.url), origin)
      const seen = { method: String(message.method), path: path.slice(base.length), query, body }
      const answer = await tamper(seen, (other) => pass(message, other ?? body))
      if (answer === 'drop') return message.socket.destroy()
      const { status, headers, contentLength } = answer
      response.writeHead(status, { ...headers, 'content-length': contentLength ?? Buffer.byteLength(answer.body) })
      if (contentLength === undefined) return response.end(answer.body)
      return response.write(answer.body, () => message.socket.destroy())
    }
    // The caller may have left by now, and so may the tool.
    handle().catch(() => message.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${base}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await agent.destroy()
    },
  }
}

/** The headers that our connectors read, besides those that a test replaces. */
function kept(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const names = ['retry-after', 'resource-id']
  return Object.fromEntries(names.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])))
}
