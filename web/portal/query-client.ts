import { QueryClient } from '@tanstack/react-query'
import { AskFailure } from './ask.ts'

const askAgainMs = 3_000
const longestMs = 30_000

/** True if the request failed because the plan is not ready. Without a plan there is no mapping, for example. */
export const isPlanMissing = (error: Error | null) =>
  error instanceof AskFailure && error.refusal.kind === 'refused' && 'plan' in error.refusal.fields

/** The delay before the next request; false if waiting cannot change the answer. */
function waitMs(error: Error, failures: number): number | false {
  if (isPlanMissing(error)) return askAgainMs
  if (error instanceof AskFailure && error.refusal.kind !== 'unavailable') return false
  return Math.min(askAgainMs * 2 ** (failures - 1), longestMs)
}

/** The delay before a failed request is repeated. */
export const unansweredAgainMs = ({ state: { error, errorUpdateCount } }: Asked): number | false =>
  error !== null && waitMs(error, errorUpdateCount)

interface Asked {
  state: { error: Error | null; errorUpdateCount: number }
}

/** A failed request is repeated while a screen needs its answer. */
export const client = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      refetchInterval: unansweredAgainMs,
      // The browser's own offline detection is wrong too often.
      networkMode: 'always',
    },
  },
})
