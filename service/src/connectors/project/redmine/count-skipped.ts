import type { Skipped } from '../../contract/contract.ts'
import { countSkippedEach } from '../../kit/count-skipped.ts'
import type { RedmineApi } from './api.ts'

/** What the reader never asks for, of what the API lists. How long histories are only reading tells. */
export function countSkipped(api: RedmineApi): Promise<Skipped> {
  return countSkippedEach({
    news: () => api.total('/news.json', 'news'),
    saved_queries: () => api.total('/queries.json', 'queries'),
  })
}
