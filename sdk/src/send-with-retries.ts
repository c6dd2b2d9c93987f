import { readRetryAfter, WherryConnectionError } from './errors.ts'

export interface Answer {
  response: Response
  text: string
}

export interface RetryOptions {
  /** Number of attempts after the first one. */
  retries: number
  wait: (ms: number) => Promise<void>
}

const firstWaitMs = 500
const longestWaitMs = 30_000
/** If the server asks for a longer wait, the caller gets the error instead. */
const longestRetryAfterSeconds = 60

/** Sends the request until the answer is final. Use it only for requests that may be repeated. */
export async function sendWithRetries(send: () => Promise<Answer>, options: RetryOptions): Promise<Answer> {
  for (let tried = 1; ; tried += 1) {
    const outcome = await send().catch((error: unknown) => new WherryConnectionError(describe(error), { cause: error }))
    const isLast = tried > options.retries
    if (outcome instanceof WherryConnectionError) {
      if (isLast) throw outcome
      await options.wait(backoffMs(tried))
      continue
    }
    const { status, headers } = outcome.response
    if (isLast || (status !== 429 && status < 500)) return outcome
    const retryAfter = readRetryAfter(headers.get('retry-after'))
    if (retryAfter !== null && retryAfter > longestRetryAfterSeconds) return outcome
    await options.wait(Math.max(backoffMs(tried), (retryAfter ?? 0) * 1000))
  }
}

/** The wait doubles each time. Half of it is random, so that many clients do not return together. */
function backoffMs(tried: number): number {
  const limit = Math.min(firstWaitMs * 2 ** (tried - 1), longestWaitMs)
  return limit / 2 + (limit / 2) * Math.random()
}

function describe(error: unknown): string {
  const { name, message, cause } = error as { name?: string; message?: string; cause?: { code?: string } }
  if (name === 'TimeoutError') return 'The API did not answer in time'
  return `The API could not be reached: ${cause?.code ?? message ?? 'unknown error'}`
}
