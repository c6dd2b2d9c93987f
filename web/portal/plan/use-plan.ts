import { useQuery } from '@tanstack/react-query'
import type { PortalPlan } from '../../../service/src/portal/mapping-contract.ts'
import { get } from '../ask.ts'

const lookMs = 1_500

/** Loads the plan, again and again while it is being made. */
export function usePlan() {
  return useQuery({
    queryKey: ['plan'],
    queryFn: ({ signal }) => get<PortalPlan>('/plan', signal),
    refetchInterval: ({ state }) => (state.data?.state === 'working' || state.error ? lookMs : false),
  })
}
