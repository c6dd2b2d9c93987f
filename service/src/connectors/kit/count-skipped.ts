import { ObstacleError } from '../../errors.ts'
import type { SkippedKind } from '../../warnings/codes.ts'
import type { Skipped } from '../contract/contract.ts'

/** Adds two counts. */
export function joinSkipped(one: Skipped = {}, other: Skipped = {}): Skipped {
  const joined = { ...one }
  for (const [kind, count] of Object.entries(other) as [SkippedKind, number][]) {
    joined[kind] = (joined[kind] ?? 0) + count
  }
  return joined
}

/** Statuses of a list that the account does not have, or may not see. Such a list is not counted. */
export const uncounted = [400, 402, 403, 404, 405, 410, 422, 501] as const

/**
 * Counts each kind. A kind is left out when the account may not see it or its counter returns null: no run needs these
 * counts.
 */
export async function countSkippedEach(
  counters: Partial<Record<SkippedKind, () => Promise<number | null>>>,
): Promise<Skipped> {
  const counts: Skipped = {}
  for (const [kind, count] of Object.entries(counters) as [SkippedKind, () => Promise<number | null>][]) {
    try {
      const counted = await count()
      if (counted !== null) counts[kind] = counted
    } catch (error) {
      if (!(error instanceof ObstacleError)) throw error
    }
  }
  return counts
}
