import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

/** One real answer, with the request that it was given to. `{{site}}` stands for the address of the site. */
export interface Recording {
  tool: string
  recordedOn: string
  request: { method: string; query: Record<string, string>; body: unknown }
  response: { status: number; contentType: string; body: unknown }
}

export type Fault = (response: ServerResponse) => void

export interface FakeWordpress extends AsyncDisposable {
  url: string
  /** Every request that came, for a test to look at. */
  seen: string[]
  /** Answers for a route, instead of what was recorded. */
  faults: Map<string, Fault>
}

const folder = join(import.meta.dirname, 'recordings')

/** When it was asked cannot be the same twice. */
const changing = new Set(['before'])

export function readRecordings(): Recording[] {
  return readdirSync(folder)
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Recording)
}

/** Answers what WordPress answered to the same request; anything else is 501, which no test expects. */
export async function startFakeWordpress(): Promise<FakeWordpress> {
  const recordings = readRecordings()
  const seen: string[] = []
  const faults = new Map<string, Fault>()
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { method, query, body } = await readRequest(request)
    const route = `${method} ${query.rest_route}`
    seen.push(route)
    const fault = faults.get(route)
    if (fault) return fault(response)
    const found = recordings.find(
      ({ request: known }) =>
        known.method === method && isDeepStrictEqual(known.query, query) && isDeepStrictEqual(known.body, body),
    )
    if (!found) return response.writeHead(501).end(JSON.stringify({ unexpected: route, query, body }))
    const { status, contentType } = found.response
    response.writeHead(status, { 'content-type': contentType })
    return response.end(JSON.stringify(found.response.body).replaceAll('{{site}}', urlOf()))
  }
  const server = createServer((request, response) => void answer(request, response))
  const urlOf = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: urlOf(),
    seen,
    faults,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A request in the form in which recordings are compared. Of a file only that there was one. */
export async function readRequest(request: IncomingMessage): Promise<Recording['request'] & { raw: Buffer }> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const raw = Buffer.concat(chunks)
  const query = Object.fromEntries(new URL(request.url ?? '/', 'http://x').searchParams)
  for (const name of changing) if (name in query) query[name] = '…'
  const isForm = request.headers['content-type']?.startsWith('multipart/') === true
  const body = raw.length === 0 ? null : isForm ? 'a form' : (JSON.parse(raw.toString()) as unknown)
  return { method: request.method ?? '', query, body, raw }
}
