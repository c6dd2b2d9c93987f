import type { Readable } from 'node:stream'
import { AddressNotAllowedError } from '../errors.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { readRetryAfter } from '../outbound/retry-after.ts'
import { longestRetryAfterMs } from './retry-schedule.ts'

export const tryLimitMs = 15_000
const maxResponseBytes = 16 * 1024

/** How one try ended: with an answer, without one, or because we were told to stop. */
export type TryResult =
  | { kind: 'answer'; status: number; response: string; retryAfterMs: number | null }
  | { kind: 'no answer'; error: string }
  | { kind: 'stopped' }

export interface SignedMessage {
  url: string
  headers: Record<string, string>
  body: string
  /** Told to stop. */
  signal: AbortSignal
  limitMs: number
}

/** One try. The status decides, as soon as it is there; of the answer's body we keep what comes in time. */
export async function sendMessage(outbound: Outbound, message: SignedMessage): Promise<TryResult> {
  const { url, headers, body, limitMs } = message
  const isOver = AbortSignal.timeout(limitMs)
  try {
    if (!/^https?:$/.test(new URL(url).protocol)) return { kind: 'no answer', error: 'not an http or https address' }
    const answer = await outbound.stream(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'wherry-webhooks', ...headers },
      body,
      signal: AbortSignal.any([message.signal, isOver]),
    })
    return {
      kind: 'answer',
      status: answer.status,
      response: await readStart(answer.body),
      retryAfterMs: readRetryAfter(answer.headers['retry-after'], Date.now(), longestRetryAfterMs),
    }
  } catch (error) {
    if (message.signal.aborted) return { kind: 'stopped' }
    if (isOver.aborted) return { kind: 'no answer', error: `no answer within ${limitMs / 1000} s` }
    return { kind: 'no answer', error: describe(error) }
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
    // Cut off or out of time: what has come is kept.
  }
  const text = Buffer.concat(chunks).subarray(0, maxResponseBytes).toString('utf8')
  // It is shown in terminals, and the database takes no NUL.
  return text.replace(/(?![\n\t])\p{Cc}/gu, '\ufffd')
}

/** Says what went wrong by its code. Texts of errors may quote what was sent. */
function describe(error: unknown): string {
  if (error instanceof AddressNotAllowedError) return error.message
  const { code, name } = error as { code?: unknown; name?: unknown }
  return `could not be reached: ${String(code ?? name ?? 'unknown error')}`
}
