import { ObstacleError } from '../../errors.ts'
import type { SkippedKind } from '../../warnings/codes.ts'
import type { Skipped } from '../contract/contract.ts'

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
