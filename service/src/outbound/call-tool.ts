import { ObstacleError, RetryableError } from '../errors.ts'
import type { Outbound, OutboundRequest, OutboundStream } from './outbound.ts'
import { readRetryAfter } from './retry-after.ts'

export interface ToolRequest extends OutboundRequest {
  /** Sent as JSON, instead of a body. */
  json?: unknown
}

const requestLimitMs = 60_000
const maxJsonBytes = 64 * 1024 * 1024

/**
 * One JSON request to a tool. Whatever keeps it from being answered becomes the error that says what happens next;
 * answers that the caller names in `expected` are its own business.
 */
export async function callTool<T>(
  outbound: Outbound,
  url: string,
  request: ToolRequest,
  expected: readonly number[] = [],
): Promise<{ status: number; json: T }> {
  const { json, ...options } = request
  const answer = await within(request.signal, (signal) =>
    outbound.request(url, {
      ...options,
      signal,
      maxBytes: maxJsonBytes,
      headers: {
        accept: 'application/json',
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    }),
  )
  if (!expected.includes(answer.status)) refuseStatus(answer)
  if (answer.isCut) throw new RetryableError('a tool answered with more than 64 MiB')
  try {
    return { status: answer.status, json: (answer.body === '' ? null : JSON.parse(answer.body)) as T }
  } catch (error) {
    throw new RetryableError('a tool answered with something that is no JSON', { cause: error })
  }
}

/** The bytes behind an address of a tool, as a stream. Its time is the caller's: files may be large. */
export async function streamFromTool(
  outbound: Outbound,
  url: string,
  request: Omit<OutboundRequest, 'body'>,
): Promise<OutboundStream> {
  const answer = await within(request.signal, () => outbound.stream(url, request))
  if (answer.status < 200 || answer.status > 299) {
    // Destroyed unread, it reports an error that nobody else would listen to.
    answer.body.on('error', () => {}).destroy()
    refuseStatus(answer)
  }
  return answer
}

async function within<T>(outer: AbortSignal, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await act(AbortSignal.any([outer, AbortSignal.timeout(requestLimitMs)]))
  } catch (error) {
    // We were told to stop; that is nobody's failure.
    outer.throwIfAborted()
    // It says already when to try again.
    if (error instanceof RetryableError) throw error
    throw new RetryableError('a tool could not be reached', { cause: error })
  }
}

/** What an answer means for a run, by its status alone. Unknown ones are tried again; they never pass as success. */
function refuseStatus({
  status,
  statusText,
  headers,
}: {
  status: number
  statusText: string
  headers: OutboundStream['headers']
}): void {
  if (status >= 200 && status <= 299) return
  const answered = `answered ${status} ${statusText}`.trim()
  if (status === 401 || status === 403) {
    throw new ObstacleError(
      'authorization_lost',
      'customer',
      `The account no longer lets us in (${answered}). Please connect it again.`,
    )
  }
  const retryAfterMs = readRetryAfter(headers['retry-after'], Date.now())
  throw new RetryableError(`a tool ${answered}`, retryAfterMs === null ? {} : { retryAfterMs })
}
