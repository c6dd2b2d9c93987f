import { Readable } from 'node:stream'
import { AnswerTooLongError, FileMissingError, isAddressRefusal, ObstacleError, RetryableError } from '../errors.ts'
import { jsonBytes } from '../json-pieces.ts'
import { OverBudgetError, runInThread } from '../threads/run-in-thread.ts'
import { type AnswerRoom, createAnswerRoom } from './answer-room.ts'
import { answerLimit, countAnswer } from './ask-for-less.ts'
import { decodeBody } from './decode-body.ts'
import type { Outbound, OutboundAnswer, OutboundRequest, OutboundStream } from './outbound.ts'
import { charsetOf, parseJson, tooMuch } from './parse-json.ts'
import { readAskedUntil, readRetryAfter } from './retry-after.ts'
import { tapBytes } from './tap-bytes.ts'

export interface ToolRequest extends OutboundRequest {
  /** Sent as JSON, instead of `body`. */
  json?: unknown
}

export interface ToolAnswer<T> {
  status: number
  statusText: string
  headers: OutboundAnswer['headers']
  json: T
}

/** Calls back after this time, counted from the start or the last `refresh`. */
export type StartTimer = (callback: () => void, ms: number) => { refresh(): unknown; close(): unknown }

const requestLimitMs = 60_000
/** JSON up to this length is parsed on the event loop within a few milliseconds. A thread parses longer JSON. */
const shortJson = 256 * 1024
const parser = new URL('./parse-json.ts', import.meta.url).href
const parseCpuMs = 20_000

/**
 * Sends one JSON request to a tool. A failure throws an error that decides what happens next. The caller handles the
 * statuses in `expected`. A request has 60 seconds from its turn on. A request that streams a body may take longer, but
 * never 60 seconds without progress.
 */
export async function callTool<T>(
  outbound: Outbound,
  url: string,
  request: ToolRequest,
  expected: readonly number[] = [],
  startTimer: StartTimer = setTimeout,
): Promise<ToolAnswer<T>> {
  const { json, ...options } = request
  const body = json === undefined ? undefined : await jsonBytes(json)
  const held: { room?: AnswerRoom } = {}
  try {
    const answer = await within(request.signal, startTimer, (signal, { onProgress, onWait }) => {
      const room = createAnswerRoom(signal, onProgress)
      held.room = room
      return outbound.request(url, {
        ...options,
        ...(options.body instanceof Readable && {
          // At the end, too: after the last byte the tool may need time to answer.
          body: tapBytes(options.body, { onPiece: onProgress, onEnd: onProgress }),
        }),
        signal,
        onWait,
        room,
        maxBytes: answerLimit(),
        headers: {
          accept: 'application/json',
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...options.headers,
        },
        ...(body === undefined ? {} : { body }),
      })
    })
    if (!expected.includes(answer.status)) refuseStatus(url, answer)
    if (answer.isCut) throw nonsense('more than we read at once', AnswerTooLongError)
    countAnswer(answer.pieces.reduce((sum, { length }) => sum + length, 0))
    const { status, statusText, headers } = answer
    return { status, statusText, headers, json: (await parseOrRefuse(answer)) as T }
  } finally {
    held.room?.release()
  }
}

async function parseOrRefuse(answer: OutboundAnswer): Promise<unknown> {
  try {
    return await parse(answer)
  } catch (error) {
    // An expected refusal may come from a server in between, without JSON.
    if (answer.status > 299) return null
    const isTooMuch = error instanceof OverBudgetError || String(error).includes(tooMuch)
    if (isTooMuch) throw nonsense('more than we can read', AnswerTooLongError, error)
    throw nonsense('something that is no JSON', RetryableError, error)
  }
}

async function parse({ pieces, body, headers }: OutboundAnswer): Promise<unknown> {
  if (pieces.length === 0) return null
  const charset = charsetOf(headers['content-type'])
  if (body !== '' && body.length <= shortJson) return parseJson(pieces, charset)
  // The buffers are transferred instead of copied, because no other code reads them.
  const transfer = pieces.map(({ buffer }) => buffer)
  return runInThread({ module: parser, name: 'parseJson', args: [pieces, charset], transfer, cpuMs: parseCpuMs })
}

/**
 * Streams the bytes at an address of a tool, without the server's compression. The caller limits the time, because files
 * may be large. The caller handles the statuses in `expected`.
 */
export async function streamFromTool(
  outbound: Outbound,
  url: string,
  request: OutboundRequest,
  expected: readonly number[] = [],
): Promise<OutboundStream> {
  const answer = await within(request.signal, setTimeout, (_, { onWait }) =>
    outbound.stream(url, { ...request, onWait }),
  )
  if (!expected.includes(answer.status) && (answer.status < 200 || answer.status > 299)) {
    // A stream that is destroyed unread emits an error, and an error without a listener would end the process.
    answer.body.on('error', () => {}).destroy()
    if (answer.status === 404 || answer.status === 410)
      throw new FileMissingError('the source has no such file any more')
    refuseStatus(url, answer)
  }
  return { ...answer, body: decodeBody(answer.body, answer.headers) }
}

const notAllowed = () =>
  new ObstacleError(
    'address_wrong',
    'customer',
    'The address of the account leads into a network that this service must not reach. Please connect it with a public address.',
  )

async function within<T>(
  outer: AbortSignal,
  startTimer: StartTimer,
  act: (signal: AbortSignal, time: { onProgress(): void; onWait(): () => void }) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const start = () => startTimer(() => limit.abort(new Error(`nothing moved for ${requestLimitMs} ms`)), requestLimitMs)
  let timer = start()
  const onWait = () => {
    timer.close()
    return () => {
      timer = start()
    }
  }
  try {
    return await act(AbortSignal.any([outer, limit.signal]), { onProgress: () => timer.refresh(), onWait })
  } catch (error) {
    // The caller stopped the request, so this is no failure.
    outer.throwIfAborted()
    // The account must wait or lost its permission, so the request was never sent.
    if (error instanceof RetryableError || error instanceof ObstacleError) throw error
    throw new RetryableError('a tool could not be reached', {
      cause: error,
      ...(isAddressRefusal(error) && { obstacle: notAllowed() }),
    })
  } finally {
    timer.close()
  }
}

function nonsense(what: string, Failure: typeof RetryableError, cause?: unknown): RetryableError {
  const message = `A tool keeps answering with ${what}. Its administrator must repair it, or the address is wrong.`
  return new Failure(`a tool answered with ${what}`, {
    cause,
    obstacle: new ObstacleError('tool_broken', 'operator', message),
  })
}

type Refusal = Pick<OutboundStream, 'status' | 'statusText' | 'headers'>

/** Throws the error for a status that is not 2xx. An unknown status is retried; it never counts as success. */
export function refuseStatus(url: string, { status, statusText, headers }: Refusal): void {
  if (status >= 200 && status <= 299) return
  const answered = `answered ${status} ${statusText}`.trim()
  // 402: the account is not paid, or its trial has ended.
  if (status === 401 || status === 402 || status === 403) {
    throw new ObstacleError(
      'authorization_lost',
      'customer',
      `The account no longer lets us in (${answered}). Please connect it again.`,
    )
  }
  const redirect = redirectOf(url, { status, statusText, headers })
  // 301 and 308 mean a permanent move. After any other redirect the address may work again soon.
  if (redirect && (status === 301 || status === 308)) throw redirect
  if (redirect) throw new RetryableError(`a tool ${answered}`, { obstacle: redirect })
  const retryAfterMs = readRetryAfter(headers['retry-after'], Date.now())
  const askedUntil = readAskedUntil(headers['retry-after'], Date.now())
  throw new RetryableError(`a tool ${answered}`, {
    isForAll: status === 429,
    ...(retryAfterMs !== null && { retryAfterMs, askedUntil }),
  })
}

/** The obstacle for a redirect; null for any other answer. */
export function redirectOf(url: string, { status, statusText, headers }: Refusal): ObstacleError | null {
  if (![301, 302, 303, 307, 308].includes(status)) return null
  const message = `The tool answered ${status} ${statusText} and sends us on${targetOf(url, headers.location)}. We do not follow, so that data goes only where you said. If the tool has moved, please connect it again with its new address.`
  return new ObstacleError('redirected', 'customer', message)
}

/** The target of a redirect for a message, without its parameters, which may contain secrets. */
function targetOf(url: string, location: string | string[] | undefined): string {
  const target = typeof location === 'string' ? URL.parse(location, url) : null
  if (!target || !/^https?:$/.test(target.protocol)) return ''
  return ` to ${`${target.origin}${target.pathname}`.slice(0, 200)}`
}
