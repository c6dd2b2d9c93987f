import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  status: number
  /** Header names are in lower case. A repeated header keeps its last value. */
  headers: Record<string, string>
  body: string
}

export interface RawOptions {
  answers?: number
  limitMs?: number
  /**
   * Half-closes after sending, so that a server which waits for the rest gives up at once. node:http then drops
   * unfinished answers.
   */
  end?: boolean
}

/** Opens a socket that keeps everything it receives. Socket errors only mean that the other side has closed. */
export async function openSocket(port: number): Promise<{ socket: Socket; received: () => Buffer }> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => {})
  await once(socket, 'connect')
  return { socket, received: () => Buffer.concat(chunks) }
}

/**
 * Sends raw bytes and returns the answers in order, until the server closes or `answers` answers are complete. Texts
 * are sent as Latin-1, so that a text can contain every byte.
 */
export async function sendRaw(
  port: number,
  request: string | Uint8Array | readonly (string | Uint8Array)[],
  { answers = 1, limitMs = 300_000, end = false }: RawOptions = {},
): Promise<RawAnswer[]> {
  const { socket, received } = await openSocket(port)
  const done = Promise.withResolvers<void>()
  const timer = setTimeout(
    () => done.reject(new Error(`no complete answer: ${received().toString('latin1')}`)),
    limitMs,
  )
  socket.on('data', () => readAnswers(received()).length >= answers && done.resolve())
  socket.on('close', () => done.resolve())
  const parts: readonly (string | Uint8Array)[] =
    typeof request === 'string' || request instanceof Uint8Array ? [request] : request
  for (const part of parts)
    if (socket.writable) socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part)
  if (end) socket.end()
  try {
    await done.promise
    return readAnswers(received())
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

/** The complete answers at the start of the received bytes, without interim ones (1xx). */
export function readAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = bytes.toString('latin1')
  for (;;) {
    const headEnd = rest.indexOf('\r\n\r\n')
    if (headEnd < 0) return answers
    const [statusLine = '', ...lines] = rest.slice(0, headEnd).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1])
    if (!status) throw new Error(`not an HTTP answer: ${rest.slice(0, 200)}`)
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const body = takeBody(rest.slice(headEnd + 4), status, headers)
    if (body === null) return answers
    rest = rest.slice(headEnd + 4 + body.length)
    if (status >= 200) answers.push({ status, headers, body: body.text })
  }
}

function takeBody(rest: string, status: number, headers: Record<string, string>) {
  if (status < 200 || status === 204) return { length: 0, text: '' }
  if (headers['transfer-encoding'] === 'chunked') {
    const end = rest.indexOf('0\r\n\r\n')
    return end < 0 ? null : { length: end + 5, text: rest.slice(0, end) }
  }
  const length = Number(headers['content-length'] ?? 0)
  return rest.length < length ? null : { length, text: Buffer.from(rest.slice(0, length), 'latin1').toString('utf8') }
}

export function basic(token: string): string {
  return `Basic ${Buffer.from(`${token}:`).toString('base64')}`
}

/** A whole request as text. `Host`, `Content-Length` and `Connection: close` are added. */
export function rawRequest(line: string, { token, headers = [], body }: RawRequest = {}): string {
  const bytes = typeof body === 'string' ? Buffer.from(body).toString('latin1') : body?.toString('latin1')
  return [
    `${line} HTTP/1.1`,
    'Host: wherry.test',
    ...(token === undefined ? [] : [`Authorization: ${basic(token)}`]),
    ...headers,
    ...(headers.some((line) => line.startsWith('Connection:')) ? [] : ['Connection: close']),
    ...(bytes === undefined ? [] : [`Content-Length: ${bytes.length}`]),
    '',
    bytes ?? '',
  ].join('\r\n')
}

export interface RawRequest {
  token?: string
  /** Header lines such as `Idempotency-Key: a`. */
  headers?: string[]
  body?: string | Buffer
}
