import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { MappingChanges } from '../../../service/src/db/mapping-changes.ts'
import type { PortalExamples } from '../../../service/src/portal/mapping-contract.ts'
import { send } from '../ask.ts'
import { useSettled } from './use-settled.ts'

const lookAfterMs = 400

/** Loads three real records converted by the mapping on the screen, and some values of each field. */
export function useExamples(entity: string, changes: MappingChanges, isAsked: boolean) {
  const settled = useSettled(changes, lookAfterMs)
  return useQuery({
    queryKey: ['examples', entity, settled],
    queryFn: () => send<PortalExamples>('POST', '/mapping/examples', { entity, changes: settled }),
    enabled: isAsked,
    placeholderData: (previous, query) => (query?.queryKey[1] === entity ? keepPreviousData(previous) : undefined),
    staleTime: 60_000,
  })
}
