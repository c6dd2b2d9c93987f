import { isAway } from './watch-presence.ts'

/** Longer than any route of the console needs. */
const answerLimitMs = 30_000

/** A failed request, with a message for the operator. */
export class ConsoleFailure extends Error {
  override name = 'ConsoleFailure'
  /** The HTTP status, or 0 without an answer. */
  readonly status: number
  /** Messages by field. */
  readonly fields: Record<string, string[]>

  constructor(status: number, message: string, fields: Record<string, string[]> = {}, options?: ErrorOptions) {
    super(message, options)
    this.status = status
    this.fields = fields
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Sends a request to the console's routes. Throws a ConsoleFailure unless it succeeds. */
export async function ask<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const init: RequestInit = {
    method,
    cache: 'no-store',
    signal: AbortSignal.timeout(answerLimitMs),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      // Marks requests that no person caused, so that the session ends an hour after the last key or click.
      ...(method === 'GET' && isAway() && { 'x-wherry-away': '1' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
  const unreachable = (cause?: unknown) =>
    new ConsoleFailure(
      0,
      'The service does not answer. Nothing was changed. The page tries again automatically.',
      {},
      { cause },
    )
  let answer: Response
  let text: string
  try {
    answer = await fetch(`/console/api${path}`, init)
    text = await answer.text()
  } catch (cause) {
    throw unreachable(cause)
  }
  const json = parse(text)
  if (answer.ok) {
    if (json === undefined) throw unreachable()
    return json as T
  }
  throw failureOf(answer.status, json)
}

function failureOf(status: number, json: unknown): ConsoleFailure {
  const values = (typeof json === 'object' && json !== null ? json : {}) as Record<string, unknown>
  if (typeof values.message === 'string') return new ConsoleFailure(status, values.message)
  if (status === 422) {
    const fields = values as Record<string, string[]>
    const words = Object.entries(fields).map(([name, messages]) => `${name} ${messages.join(', ')}`)
    return new ConsoleFailure(status, `${words.join('; ')}.`, fields)
  }
  return new ConsoleFailure(status, `The service answered ${status}. Nothing was changed. Please try again.`)
}

/** Returns undefined if the body is no JSON. */
function parse(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
