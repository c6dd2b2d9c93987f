import { useQuery } from '@tanstack/react-query'
import type { PortalQuote } from '../../../service/src/portal/payment-contract.ts'
import { get } from '../ask.ts'
import { useImport } from '../use-import.tsx'

const lookMs = 1_500

/** Loads the quote, again after every change that affects payment. */
export function useQuote(plannedAt: string | null) {
  const { imp } = useImport()
  const { sponsorship, is_paid: isPaid, payment } = imp
  return useQuery({
    queryKey: ['quote', plannedAt, sponsorship, isPaid, payment?.id, payment?.state],
    queryFn: ({ signal }) => get<PortalQuote>('/quote', signal),
    refetchInterval: ({ state }) => (state.data?.state === 'counting' || state.error ? lookMs : false),
  })
}
