import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Answer {
  status?: number
  headers?: Record<string, string>
  json?: unknown
  /** Sent as it is, instead of `json`. */
  body?: string | Buffer
}

export interface Asked {
  method: string
  path: string
  query: URLSearchParams
  json: unknown
}

/** An answer, or a function that makes it. Paths are exact, with or without the method before them. */
export type Answers = Record<string, Answer | ((asked: Asked) => Answer)>

export interface AnswerServer extends AsyncDisposable {
  url: string
  asked: Asked[]
}

/** A server with the answers of a tool's documentation, as they are written there. Unknown paths get 404. */
export async function startAnswerServer(answers: Answers): Promise<AnswerServer> {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '', 'http://tool.invalid')
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const text = Buffer.concat(pieces).toString()
    const one = { method: String(request.method), path, query, json: /^[[{]/.test(text) ? JSON.parse(text) : null }
    asked.push(one)
    const given = answers[`${one.method} ${path}`] ?? answers[path] ?? { status: 404, json: {} }
    const { status = 200, headers = {}, json, body } = typeof given === 'function' ? given(one) : given
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body ?? JSON.stringify(json))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
