import { useQuery } from '@tanstack/react-query'
import type { PortalSums } from '../../../service/src/portal/records-contract.ts'
import { get } from '../ask.ts'
import { useRunKey } from '../use-run-key.ts'

const lookMs = 1_500

/** Loads the outcomes of all records, repeatedly during the preview of an undo and during a check of all records. */
export function useSums() {
  return useQuery({
    queryKey: ['sums', ...useRunKey()],
    queryFn: ({ signal }) => get<PortalSums>('/sums', signal),
    refetchInterval: ({ state }) => {
      const isLooking = [state.data?.preview, state.data?.check].some((look) => look?.state === 'working')
      return isLooking || state.error ? lookMs : false
    },
  })
}

/** The outcomes of a record, in the order of the screen. */
export const outcomes = ['written', 'matched', 'filtered', 'refused', 'held', 'unknown', 'deleted', 'removed'] as const
export type Outcome = (typeof outcomes)[number]

/** Converts the ledger's states to outcomes. A record that was sent but not found counts as unknown. */
export function outcomesOf(states: Record<string, number>): Record<Outcome, number> {
  const count = (name: string) => states[name] ?? 0
  return {
    written: count('written'),
    matched: count('matched'),
    filtered: count('filtered'),
    refused: count('refused'),
    held: count('held'),
    unknown: count('intended'),
    deleted: count('deleted'),
    removed: count('removed'),
  }
}

export function addUp(all: Record<Outcome, number>[]): Record<Outcome, number> {
  const sum = (name: Outcome) => all.reduce((whole, one) => whole + one[name], 0)
  return Object.fromEntries(outcomes.map((name) => [name, sum(name)])) as Record<Outcome, number>
}

export const wholeOf = (counts: Record<Outcome, number>) => Object.values(counts).reduce((sum, one) => sum + one, 0)
