import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { PortalRecord } from '../../../service/src/portal/records-contract.ts'
import { get } from '../ask.ts'
import { useRunKey } from '../use-run-key.ts'

type Records = { records: PortalRecord[]; next: string | null }

const perPage = 50

/** Loads the sample's records of one entity, each compared with its original. */
export function useSampleRecords(entity: string | null) {
  return useInfiniteQuery({
    queryKey: ['records', ...useRunKey(), 'sample', entity],
    queryFn: ({ signal, pageParam }) => {
      const after = pageParam === '' ? '' : `&after=${encodeURIComponent(pageParam)}`
      return get<Records>(
        `/records?entity=${encodeURIComponent(entity ?? '')}&compare=true&limit=${perPage}${after}`,
        signal,
      )
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    enabled: entity !== null,
    staleTime: 60_000,
  })
}

/** The number of records that the customer or a colleague has flagged. */
export function useFlagged(): number {
  const { data } = useQuery({
    queryKey: ['records', ...useRunKey(), 'flagged'],
    queryFn: ({ signal }) => get<Records>('/records?verdict=flagged', signal),
  })
  return data?.records.length ?? 0
}
