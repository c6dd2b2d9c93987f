import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

export interface SeenRequest {
  method: string
  path: string
  body: string
}

/** A recorded answer of a real server. {origin} replaces the server's address, {boundary} the boundaries of forms. */
export interface Recording extends SeenRequest {
  status: number
  headers: Record<string, string>
  answer: string
}

export interface Recordings {
  tool: string
  recordedOn: string
  recordings: Recording[]
}

/** Faults that a test can cause. */
export type Fault =
  | 'ok'
  | 'drop'
  | 'truncate'
  | { status: number; headers?: Record<string, string>; answer?: string }
  /** Sends the recorded answer after a change. */
  | { change(answer: string): string }

export interface FakeRt extends AsyncDisposable {
  url: string
  seen: SeenRequest[]
  /** Requests without a recording. A test that causes one has failed. */
  unexpected: SeenRequest[]
  fault: (request: SeenRequest) => Fault
}

const folder = join(import.meta.dirname, '../../../service/src/connectors/helpdesk/rt/recordings')

export const readRecordings = async (name: 'reading' | 'writing'): Promise<Recordings> =>
  JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8'))

/**
 * Answers each request with its recording. If a request has several recordings, they are used in turn, and the last one
 * is repeated.
 */
export async function startFakeRt({ recordings }: Recordings): Promise<FakeRt> {
  const answers = Map.groupBy(recordings, nameOf)
  const fake = { seen: [], unexpected: [], fault: () => 'ok' } as unknown as FakeRt
  const server = createServer(async (request, response) => {
    const seen = await readRequest(request, fake.url)
    fake.seen.push(seen)
    const fault = fake.fault(seen)
    if (fault === 'drop') {
      response.destroy()
      return
    }
    if (typeof fault === 'object' && 'status' in fault) {
      response.writeHead(fault.status, fault.headers).end(fault.answer ?? '')
      return
    }
    const recorded = answers.get(nameOf(seen))
    const recording = recorded && recorded.length > 1 ? recorded.shift() : recorded?.[0]
    if (!recording) {
      fake.unexpected.push(seen)
      response.writeHead(501).end()
      return
    }
    send(response, recording, fake.url, fault)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  fake[Symbol.asyncDispose] = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return fake
}

/** A request in one spelling: the encoding of an address and the order of parameters and fields have no meaning. */
function nameOf({ method, path, body }: SeenRequest): string {
  const [route, query] = path.split('?')
  const parameters = new URLSearchParams(query)
  parameters.sort()
  return `${method} ${route}?${parameters}\n${inOrder(body)}`
}

/** Sorts the fields of an object, because their order has no meaning. */
function inOrder(body: string): string {
  if (!body.startsWith('{"')) return body
  const sorted = (_name: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value
  return JSON.stringify(JSON.parse(body), sorted)
}

async function readRequest(request: IncomingMessage, origin: string): Promise<SeenRequest> {
  const body = withoutBoundary(await text(request), request.headers['content-type'])
  return { method: request.method ?? '', path: request.url ?? '', body: body.replaceAll(origin, '{origin}') }
}

export function withoutBoundary(body: string, contentType: string | undefined): string {
  const [, boundary] = /boundary=(\S+)/.exec(contentType ?? '') ?? []
  return boundary === undefined ? body : body.replaceAll(boundary, '{boundary}')
}

function send(response: ServerResponse, { status, headers, answer }: Recording, origin: string, fault: Fault): void {
  const real = answer.replaceAll('{origin}', origin)
  const body = typeof fault === 'object' && 'change' in fault ? fault.change(real) : real
  const sent = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replaceAll('{origin}', origin)]),
  )
  if (fault !== 'truncate') {
    response.writeHead(status, sent).end(body)
    return
  }
  // Announces more bytes than it sends, then closes the connection.
  response.writeHead(status, { ...sent, 'content-length': Buffer.byteLength(body) + 100 })
  response.write(body, () => response.destroy())
}
