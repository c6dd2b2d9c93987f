import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  headers: IncomingHttpHeaders
  /** The body as received. */
  raw: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages freely
  json: any
}

/** Decides about one request: it returns a status, or answers itself. */
export type Answering = (received: Received, response: ServerResponse) => number | undefined

/** A partner's endpoint: a real server that keeps everything it receives. */
export async function startReceiver(answer: Answering = () => 204, host = '127.0.0.1') {
  const received: Received[] = []
  let answering = answer
  let connections = 0
  let underWay = 0
  let mostUnderWay = 0
  const server = createServer(async (request, response) => {
    underWay += 1
    mostUnderWay = Math.max(mostUnderWay, underWay)
    response.on('close', () => {
      underWay -= 1
    })
    let raw = ''
    request.setEncoding('utf8')
    try {
      for await (const chunk of request) raw += chunk
    } catch {
      return
    }
    const message: Received = { headers: request.headers, raw, json: raw === '' ? null : JSON.parse(raw) }
    received.push(message)
    const status = answering(message, response)
    if (status !== undefined) response.writeHead(status).end()
  })
  server.on('connection', () => {
    connections += 1
  })
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host}:${port}/hook`,
    port,
    received,
    connections: () => connections,
    /** The most requests that were open at the same time. */
    mostUnderWay: () => mostUnderWay,
    answerWith(next: Answering) {
      answering = next
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>
