import { useQuery } from '@tanstack/react-query'
import type { PortalRecord } from '../../../service/src/portal/contract.ts'
import { get } from '../ask.ts'

type Records = { records: PortalRecord[]; next: string | null }

/** The records of one kind that the sample has taken over, at most 200. */
export function useSampleRecords(entity: string | null) {
  return useQuery({
    queryKey: ['records', 'sample', entity],
    queryFn: async ({ signal }) => {
      const path = `/records?entity=${encodeURIComponent(entity ?? '')}`
      const { records } = await get<Records>(path, signal)
      return records.filter(({ state }) => state !== 'removed')
    },
    enabled: entity !== null,
  })
}

/** How many records the customer, or a colleague, has flagged. */
export function useFlagged(): number {
  const { data } = useQuery({
    queryKey: ['records', 'flagged'],
    queryFn: ({ signal }) => get<Records>('/records?verdict=flagged', signal),
  })
  return data?.records.length ?? 0
}
