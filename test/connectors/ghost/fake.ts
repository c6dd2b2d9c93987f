import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

/** One real answer, with its request. `{{site}}` replaces the address of the site. */
export interface Recording {
  tool: string
  recordedOn: string
  request: { method: string; path: string; query: Record<string, string>; body: unknown }
  response: { status: number; contentType: string; body: unknown }
}

export type Fault = (response: ServerResponse) => void

export interface FakeGhost extends AsyncDisposable {
  url: string
  /** Every request so far, for tests to inspect. */
  seen: string[]
  /** The tokens of the requests. */
  tokens: string[]
  /** Answers for a route that replace the recorded ones. */
  faults: Map<string, Fault>
}

const folder = join(import.meta.dirname, '../../../service/src/connectors/blog/ghost/recordings')

export function readRecordings(): Recording[] {
  return readdirSync(folder)
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Recording)
}

/**
 * Gives Ghost's recorded answer to the same request, in the recorded order. Any other request gets 501, which no test
 * expects.
 */
export async function startFakeGhost(): Promise<FakeGhost> {
  const recordings = readRecordings()
  const seen: string[] = []
  const tokens: string[] = []
  const faults = new Map<string, Fault>()
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { method, path, query, body } = await readRequest(request, urlOf())
    const route = `${method} ${path}`
    seen.push(route)
    tokens.push(String(request.headers.authorization))
    const fault = faults.get(route)
    if (fault) return fault(response)
    const isSame = ({ request: known }: Recording) =>
      isDeepStrictEqual([known.method, known.path, known.query, known.body], [method, path, query, body])
    const at = recordings.findIndex(isSame)
    const found = recordings[at]
    if (!found) return response.writeHead(501).end(JSON.stringify({ unexpected: route, query, body }))
    // A repeated request gets the next recorded answer, if there is one.
    if (recordings.slice(at + 1).some(isSame)) recordings.splice(at, 1)
    const { status, contentType } = found.response
    response.writeHead(status, { 'content-type': contentType })
    return response.end(found.response.body === null ? '' : fill(found.response.body))
  }
  const fill = (json: unknown) => JSON.stringify(json).replaceAll('{{site}}', urlOf())
  const server = createServer((request, response) => void answer(request, response))
  const urlOf = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: urlOf(),
    seen,
    tokens,
    faults,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A request in the form in which recordings are compared. For a file, only its presence is recorded. */
export async function readRequest(
  request: IncomingMessage,
  site: string,
): Promise<Recording['request'] & { raw: Buffer }> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const raw = Buffer.concat(chunks)
  const url = new URL(request.url ?? '/', 'http://x')
  const isForm = request.headers['content-type']?.startsWith('multipart/') === true
  const text = raw.toString().replaceAll(site, '{{site}}')
  const body = raw.length === 0 ? null : isForm ? 'a form' : (JSON.parse(text) as unknown)
  return { method: request.method ?? '', path: url.pathname, query: Object.fromEntries(url.searchParams), body, raw }
}
