import { RetryableError } from '../../../errors.ts'
import type { Sent } from '../../kit/http.ts'

/** For requests that concern no single record of the customer: a refusal makes the job retry. */
export function requireDone(sent: Sent): Extract<Sent, { result: 'done' }> {
  if (sent.result === 'done') return sent
  throw new RetryableError(`HubSpot answered ${sent.status} ${sent.code}`)
}

const passingStatuses = new Set([408, 423, 429, 477])
/** HubSpot names its shortest limit in ten seconds. */
const limitMs = 10_000

/** Whether an item met a limit. HubSpot would have turned any other away, too. */
const isLimit = (error: unknown): boolean => {
  const { category, status } = (error ?? {}) as Record<string, unknown>
  return String(category).includes('RATE_LIMIT') || Number(status) === 429
}

/** Whether an item met a limit or a fault of HubSpot, or another change at the same moment. The next attempt may succeed. */
function isPassing(error: unknown): boolean {
  const { category, status, message, errors } = (error ?? {}) as Record<string, unknown>
  if (isLimit(error) || /INTERNAL|TIMEOUT|UNAVAILABLE|SERVER_ERROR/.test(String(category))) return true
  if (/^5\d\d$/.test(String(status)) || passingStatuses.has(Number(status))) return true
  const reason = `${message ?? ''} ${JSON.stringify(errors ?? [])}`
  return category === 'CONFLICT' && !/exist|already|duplicate|unique/i.test(reason)
}

export const codeOf = (text: unknown): string => String(text).replace(/\W/g, '').slice(0, 60)

/** The error for a fault that passes, in this answer or in one of its items. Null if there is none. */
export function passingFault(json: unknown): RetryableError | null {
  const { errors } = (json ?? {}) as { errors?: unknown }
  const all: unknown[] = [json, ...(Array.isArray(errors) ? errors : [])]
  const found = all.find(isLimit) ?? all.find(isPassing)
  if (found === undefined) return null
  const words = `HubSpot answered ${codeOf((found as { category?: unknown }).category)}`
  return new RetryableError(words, isLimit(found) ? { isForAll: true, retryAfterMs: limitMs } : {})
}

/** Whether HubSpot refused a batch or one of its items. */
export const hasFailed = (sent: Sent): boolean =>
  sent.result === 'refused' || ((sent.json as { errors?: unknown[] } | null)?.errors?.length ?? 0) > 0

/** Like `requireDone`, for a batch: no item may have failed. */
export function requireAll(sent: Sent): Extract<Sent, { result: 'done' }> {
  const done = requireDone(sent)
  if (!hasFailed(done)) return done
  const [first] = (done.json as { errors: { category?: unknown }[] }).errors
  throw passingFault(done.json) ?? new RetryableError(`HubSpot answered ${done.status} ${codeOf(first?.category)}`)
}
