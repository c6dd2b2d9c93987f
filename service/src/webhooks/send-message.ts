import type { Readable } from 'node:stream'
import { AddressNotAllowedError } from '../errors.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { readRetryAfter } from '../outbound/retry-after.ts'
import { longestRetryAfterMs } from './retry-schedule.ts'

export const attemptLimitMs = 15_000
const maxResponseBytes = 16 * 1024

/** The outcome of one attempt: an answer, no answer, or stopped because the worker was told to stop. */
export type AttemptResult =
  | { kind: 'answer'; status: number; response: string; retryAfterMs: number | null }
  | { kind: 'no answer'; error: string }
  | { kind: 'stopped' }

export interface SignedMessage {
  url: string
  headers: Record<string, string>
  body: string
  /** Aborts when the worker is told to stop. */
  signal: AbortSignal
  limitMs: number
}

/** One attempt. Only the status decides. The log keeps the part of the answer's body that arrives in time. */
export async function sendMessage(outbound: Outbound, message: SignedMessage): Promise<AttemptResult> {
  const { url, headers, body, limitMs } = message
  const overtime = new AbortController()
  // Ended with the attempt: a timer of `AbortSignal.timeout` would fire after each one, and make an error each time.
  const timer = setTimeout(() => overtime.abort(), limitMs)
  try {
    if (!/^https?:$/.test(new URL(url).protocol)) return { kind: 'no answer', error: 'not an http or https address' }
    const answer = await outbound.stream(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'wherry-webhooks', ...headers },
      body,
      signal: AbortSignal.any([message.signal, overtime.signal]),
    })
    return {
      kind: 'answer',
      status: answer.status,
      response: await readStart(answer.body),
      retryAfterMs: readRetryAfter(answer.headers['retry-after'], Date.now(), longestRetryAfterMs),
    }
  } catch (error) {
    if (message.signal.aborted) return { kind: 'stopped' }
    if (overtime.signal.aborted) return { kind: 'no answer', error: `no answer within ${limitMs / 1000} s` }
    return { kind: 'no answer', error: describe(error) }
  } finally {
    clearTimeout(timer)
  }
}

async function readStart(stream: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= maxResponseBytes) break
    }
  } catch {
    // The connection broke or time ran out: the received part is kept.
  }
  const text = Buffer.concat(chunks).subarray(0, maxResponseBytes).toString('utf8')
  // Terminals show the text, and the database refuses NUL.
  return text.replace(/(?![\n\t])\p{Cc}/gu, '\ufffd')
}

/** Names an error by its code, because error texts may quote the request. */
function describe(error: unknown): string {
  if (error instanceof AddressNotAllowedError) return error.message
  const { code, name } = error as { code?: unknown; name?: unknown }
  return `could not be reached: ${String(code ?? name ?? 'unknown error')}`
}
