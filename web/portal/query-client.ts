import { QueryClient } from '@tanstack/react-query'
import { AskFailure } from './ask.ts'

const askAgainMs = 3_000
const longestMs = 30_000

/** The plan is being made: until then there is no mapping, for instance. */
export const isPlanMissing = (error: Error | null) =>
  error instanceof AskFailure && error.refusal.kind === 'refused' && 'plan' in error.refusal.fields

/** When to ask again; false for an answer that does not change by itself. */
function waitMs(error: Error, failures: number): number | false {
  if (isPlanMissing(error)) return askAgainMs
  if (error instanceof AskFailure && error.refusal.kind !== 'unavailable') return false
  return Math.min(askAgainMs * 2 ** (failures - 1), longestMs)
}

/** When a screen asks again for what it got no answer to. */
export const unansweredAgainMs = ({ state: { error, errorUpdateCount } }: Asked): number | false =>
  error !== null && waitMs(error, errorUpdateCount)

interface Asked {
  state: { error: Error | null; errorUpdateCount: number }
}

/** A question that got no answer is asked again by itself, as long as a screen needs the answer. */
export const client = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      refetchInterval: unansweredAgainMs,
      // The browser's own opinion on being offline is wrong too often.
      networkMode: 'always',
    },
  },
})
