import type { Skipped } from '../../contract/contract.ts'
import { countSkippedEach } from '../../kit/count-skipped.ts'
import type { GhostApi } from './api.ts'

/** Counts kinds that `reader.ts` never reads. https://ghost.org/docs/admin-api/ */
export function countSkipped(api: GhostApi): Promise<Skipped> {
  return countSkippedEach({
    newsletters: () => api.total('newsletters'),
    offers: () => api.total('offers'),
    // Only paid tiers count, because every site has the free one.
    tiers: () => api.total('tiers', { filter: 'type:paid' }),
  })
}
