import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { AnswerError, refuse, type TwinAnswer, type TwinRequest } from './answers.ts'
import { checkRequest, matchOperation, type OperationShape } from './check-request.ts'
import { type Clock, createClock } from './clock.ts'
import { createFaults, type Fault } from './faults.ts'
import { type FileHost, startFileHost } from './file-host.ts'
import { createLimits, type Limit } from './limits.ts'

export interface Around {
  clock: Clock
  files: FileHost
  /** Executes the records of a batch one after the other; a fault of the kind `broken` stops in the middle. */
  each<T, R>(items: readonly T[], act: (item: T) => R): R[]
  /** Executes a request inside another one, such as in a batch. It is checked like any other. */
  within(method: string, path: string, json: unknown): TwinAnswer
}

/** A request that the tool has, and the tool's action for it. */
export interface Operation extends OperationShape {
  act(request: TwinRequest, around: Around): TwinAnswer
}

/** The behaviour of one tool: the content of a file of rules. */
export interface ToolRules {
  operations: readonly Operation[]
  /** Null if the request is authorized, otherwise the refusal. */
  admit(request: TwinRequest): TwinAnswer | null
  limits?: readonly Limit[]
  /** Converts the address of a request to the form in operations, for tools that name the path in the query. */
  addressOf?(url: URL): URL
  /** Our key of the record in a request, so that faults can be limited to one record. */
  keyOf?(request: TwinRequest): string | undefined
  /** Called before each request, for example for due jobs. */
  settle?(): void
}

/** A tool on 127.0.0.1 that answers as its rules say. Unknown requests are recorded and refused. */
export async function startToolTwin(rulesOf: (clock: Clock) => ToolRules, clock: Clock = createClock()) {
  const rules = rulesOf(clock)
  const violations: string[] = []
  const files = await startFileHost(clock, violations)
  const faults = createFaults()
  const limits = createLimits(clock, rules.limits ?? [])
  const seen: string[] = []
  let late = 0
  let server: Server
  let port = 0
  const origin = () => `http://127.0.0.1:${port}`

  /** The operation for a request; its errors are recorded. */
  const recognize = (request: TwinRequest): TwinAnswer | { operation: Operation; request: TwinRequest } => {
    const { method, url, json, form, bytes } = request
    const found = matchOperation(rules.operations, method, url.pathname)
    const path = `${url.pathname}${url.search}`
    const wrong = checkRequest(rules.operations, { method, path, json, form, hasBody: bytes.length > 0 })
    violations.push(...wrong)
    if (wrong.length > 0 || !found) return { status: 501, json: { unexpected: wrong } }
    return { operation: found.operation, request: { ...request, params: found.params } }
  }

  const act = (request: TwinRequest, operation: Operation, fault: Fault | null): TwinAnswer => {
    rules.settle?.()
    const each: Around['each'] = (items, one) =>
      items.map((item, at) => {
        if (fault?.kind === 'broken' && at >= fault.after) refuse(500, { error: 'broken in the middle' })
        return one(item)
      })
    const within: Around['within'] = (method, path, json) => {
      const url = new URL(path, origin())
      const bytes = Buffer.from(json === undefined ? '' : JSON.stringify(json))
      const inner = recognize({
        ...request,
        method,
        url,
        query: url.searchParams,
        json,
        form: null,
        files: new Map(),
        bytes,
      })
      return 'operation' in inner ? act(inner.request, inner.operation, null) : inner
    }
    return answerOf(() => operation.act(request, { clock, files, each, within }))
  }

  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const read = await readRequest(incoming, origin(), rules.addressOf)
    seen.push(`${read.method} ${read.url.pathname}`)
    const { headers, refusal } = limits.count(read)
    const send = (answer: TwinAnswer) => sendAnswer(response, answer, headers)
    if (refusal) return send(refusal)
    const known = recognize(read)
    if (!('operation' in known)) return send(known)
    const { operation, request } = known
    const fault = faults.of({ method: request.method, url: request.url, key: rules.keyOf?.(request) })
    if (fault?.kind === 'dropped') return breakOff(incoming)
    if (fault?.kind === 'answered') return send(fault)
    if (fault?.kind === 'instead') return fault.respond(response, request)
    if (fault?.kind === 'slow') await sleep(fault.ms)
    const refused = rules.admit(request)
    if (fault?.kind === 'late') {
      late += 1
      setTimeout(() => {
        if (!refused) act(request, operation, null)
        late -= 1
      }, fault.ms)
      return breakOff(incoming)
    }
    const answer = refused ?? act(request, operation, fault)
    if (fault?.kind === 'lost') return breakOff(incoming)
    if (fault?.kind === 'spoiled') return send(fault)
    if (fault?.kind === 'cut') return cutShort(response, answer)
    return send(answer)
  }

  const listen = async () => {
    // Connections stay open; otherwise a busy process would find them closed, although no test asked for that fault.
    server = createServer({ keepAliveTimeout: 0 }, (incoming, response) => {
      handle(incoming, response).catch((error: unknown) => {
        // The sender has closed the connection, or the rules are wrong.
        if (!incoming.destroyed) violations.push(`the twin itself failed: ${String(error)}`)
        response.destroy()
      })
    })
    await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
    port = (server.address() as AddressInfo).port
  }
  const kill = async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  await listen()

  return {
    url: origin(),
    clock,
    files,
    faults,
    limits,
    /** Method and path of every request so far. */
    seen,
    /** Errors of requests. */
    violations,
    isQuiet: () => late === 0,
    /** Stops answering, until `restart` starts the twin again with the same content. */
    kill,
    restart: listen,
    /** Fails if a request was wrong. It is meant for afterEach, so that it fails the test that sent the request. */
    expectNoViolations(): void {
      const told = violations.splice(0)
      if (told.length > 0) throw new Error(`The tool does not know what it was sent:\n${told.join('\n')}`)
    },
    async close(): Promise<void> {
      await kill()
      await files.close()
      this.expectNoViolations()
    },
  }
}

export type ToolTwin = Awaited<ReturnType<typeof startToolTwin>>

function answerOf(act: () => TwinAnswer): TwinAnswer {
  try {
    return act()
  } catch (error) {
    if (error instanceof AnswerError) return error.answer
    throw error
  }
}

async function readRequest(
  incoming: IncomingMessage,
  origin: string,
  addressOf: (url: URL) => URL = (url) => url,
): Promise<TwinRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  const url = addressOf(new URL(incoming.url ?? '/', origin))
  const contentType = incoming.headers['content-type'] ?? ''
  const isForm = /^(multipart\/form-data|application\/x-www-form-urlencoded)/.test(contentType)
  const form = isForm ? await new Response(bytes, { headers: { 'content-type': contentType } }).formData() : null
  return {
    method: incoming.method ?? '',
    origin,
    url,
    query: url.searchParams,
    params: {},
    headers: incoming.headers,
    json: /^application\/(\S+\+)?json/.test(contentType) ? parseJson(bytes) : undefined,
    form,
    files: await readFiles(form),
    bytes,
  }
}

async function readFiles(form: FormData | null): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  for (const [name, part] of form ?? []) {
    if (typeof part !== 'string') files.set(name, Buffer.from(await part.arrayBuffer()))
  }
  return files
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

function sendAnswer(response: ServerResponse, answer: TwinAnswer, more: Record<string, string>): void {
  const { status, headers = {}, json, body } = answer
  const isJson = json !== undefined
  response.writeHead(status, { ...(isJson && { 'content-type': 'application/json' }), ...more, ...headers })
  response.end(isJson ? JSON.stringify(json) : body)
}

function breakOff(incoming: IncomingMessage): void {
  incoming.socket.destroy()
}

function cutShort(response: ServerResponse, { status, json }: TwinAnswer): void {
  const text = JSON.stringify(json ?? {})
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length + 100 })
  response.write(text.slice(0, Math.ceil(text.length / 2)), () => response.destroy())
}
