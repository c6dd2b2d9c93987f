import { QueryClient } from '@tanstack/react-query'
import { AskFailure } from './ask.ts'

const askAgainMs = 3_000
const longestMs = 30_000

/** The plan is being made: until then there is no mapping, for instance. */
export const isPlanMissing = (error: Error | null) =>
  error instanceof AskFailure && error.refusal.kind === 'refused' && 'plan' in error.refusal.fields

/** The delay before the next request; false if the answer cannot change by itself. */
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

/** A request without an answer is repeated as long as a screen needs it. */
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
