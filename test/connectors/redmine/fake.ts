import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

interface Recording {
  request: string
  status: number
  contentType: string
  body: unknown
}

export interface Sent {
  method: string
  path: string
  login: string | undefined
  json: unknown
}

type Answer = (response: ServerResponse, sent: Sent) => void

export interface FakeRedmine extends AsyncDisposable {
  url: string
  /** Received changes, in order. */
  sent: Sent[]
  /** Requests that the fake has no answer to. Tests expect none. */
  unexpected: string[]
  /** Answers a request such as `GET /issues.json` from now on. Without parameters it covers all parameters. */
  on(request: string, answer: Answer): void
}

const shownAs = 'http://redmine.example'

/** Replays what a real Redmine answered (`recordings/`), unless a test sets another answer. */
export async function startFakeRedmine(): Promise<FakeRedmine> {
  const file = join(
    import.meta.dirname,
    '../../../service/src/connectors/project/redmine/recordings/small-account.json',
  )
  const { recordings } = JSON.parse(await readFile(file, 'utf8')) as { recordings: Recording[] }
  const recorded = new Map(recordings.map((recording) => [recording.request, recording]))
  const told = new Map<string, Answer>()
  const sent: Sent[] = []
  const unexpected: string[] = []
  let url = ''

  const server = createServer(async (request, response) => {
    const one = await readRequest(request)
    if (one.method !== 'GET') sent.push(one)
    const name = `${one.method} ${one.path}`
    const answer = told.get(name) ?? told.get(name.split('?')[0] ?? '')
    const recording = recorded.get(name)
    if (answer) answer(response, one)
    else if (recording) play(response, recording, url)
    else {
      unexpected.push(name)
      response.writeHead(500).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    sent,
    unexpected,
    on: (request, answer) => told.set(request, answer),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readRequest(request: IncomingMessage): Promise<Sent> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const isJson = String(request.headers['content-type']).includes('json')
  const login = request.headers['x-redmine-switch-user']
  return {
    method: String(request.method),
    path: String(request.url),
    login: typeof login === 'string' ? login : undefined,
    json: isJson && chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : null,
  }
}

function play(response: ServerResponse, { request, status, contentType, body }: Recording, url: string): void {
  const bytes = request.startsWith('GET /attachments/download/')
    ? Buffer.from(String(body), 'base64')
    : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body).replaceAll(shownAs, url))
  response.writeHead(status, { 'content-type': contentType, 'content-length': bytes.length }).end(bytes)
}

export const sendJson =
  (json: unknown, status = 200): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(json === null ? '' : JSON.stringify(json))
  }

export const sendStatus =
  (status: number, headers: Record<string, string> = {}, body = ''): Answer =>
  (response) => {
    response.writeHead(status, headers).end(body)
  }

/** Announces more bytes than it sends, then closes the connection. */
export const sendTruncated: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000 })
  response.write('{"issues":[', () => response.destroy())
}
