import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** A recorded request to a real Tryton with its answer. */
interface Recording {
  method: string
  params: unknown[]
  answer: unknown
}

interface RecordedFile {
  tool: string
  recordedOn: string
  requests: Recording[]
}

/** A test's own answer in place of a recording. It returns a result or writes the response itself. */
export type Answer = (params: unknown[], response: ServerResponse) => unknown

export interface FakeTryton extends AsyncDisposable {
  url: string
  password: string
  /** Names of the called methods, in order. */
  calls: string[]
  /** Requests without a recording or an answer. */
  unexpected: string[]
  /** Answers a method from now on. If `answer` returns `undefined`, the recording is used. */
  on(method: string, answer: Answer): void
  endSessions(): void
}

const folder = join(import.meta.dirname, '../../../service/src/connectors/crm/tryton/recordings')

export function readRecordings(): RecordedFile[] {
  return readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as RecordedFile)
}

const html = '<!doctype html>\n<html lang=en>\n<title>No</title>'

/** Starts a fake Tryton that replays recorded answers, and faults that a test asks for. */
export async function startFakeTryton(): Promise<FakeTryton> {
  const recorded = new Map(
    readRecordings().flatMap(({ requests }) => requests.map((one) => [nameOf(one.method, one.params), one.answer])),
  )
  const answers = new Map<string, Answer>()
  const sessions = new Set<string>()
  const calls: string[] = []
  const unexpected: string[] = []
  const password = 'right'
  const sendJson = (response: ServerResponse, json: unknown) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(json))
  const sendHtml = (response: ServerResponse, status: number) =>
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(html)

  const signIn = (params: unknown[], response: ServerResponse) => {
    const [user, parameters] = params as [string, { password?: string }]
    if (parameters.password !== password) return sendHtml(response, 401)
    const key = `key${sessions.size + calls.length}`
    sessions.add(Buffer.from(`${user}:1:${key}`).toString('base64'))
    return sendJson(response, { id: 0, result: [1, key] })
  }
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers['content-length'] === undefined) return sendHtml(response, 411)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method, params } = JSON.parse(Buffer.concat(chunks).toString()) as { method: string; params: unknown[] }
    calls.push(method)
    const said = answers.get(method)?.(params, response)
    if (response.headersSent || response.destroyed) return
    if (said !== undefined) return sendJson(response, said)
    if (method === 'common.db.login') return signIn(params, response)
    const session = request.headers.authorization?.replace(/^Session /, '') ?? ''
    // The real Tryton, too, sends only the status.
    if (!sessions.has(session)) return response.writeHead(401).end()
    const answer = recorded.get(nameOf(method, params))
    if (answer !== undefined) return sendJson(response, answer)
    unexpected.push(nameOf(method, params))
    return sendHtml(response, 500)
  }
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/crm`,
    password,
    calls,
    unexpected,
    on: (method, answer) => answers.set(method, answer),
    endSessions: () => sessions.clear(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const nameOf = (method: string, params: unknown[]) => `${method} ${JSON.stringify(params)}`
