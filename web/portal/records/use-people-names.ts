import { useQuery } from '@tanstack/react-query'
import type { PortalPeople } from '../../../service/src/portal/contract.ts'
import { get } from '../ask.ts'

type Naming = (original: unknown, side: 'source' | 'destination', value: unknown) => string | null

/** The names of people, where the source has a person; null for everything else, and for people that nobody knows. */
export function usePeopleNames(): Naming {
  const { data } = useQuery({
    queryKey: ['people', 'names'],
    queryFn: ({ signal }) => get<PortalPeople>('/people', signal),
    staleTime: 60_000,
  })
  const names = {
    source: new Map(data?.people.map(({ source_user_id, name }) => [source_user_id, name])),
    destination: new Map(data?.destination.map(({ user_id, name }) => [user_id, name])),
  }
  return (original, side, value) => {
    const [first] = Array.isArray(original) ? original : [original]
    const isPerson = typeof first === 'object' && first !== null && 'userId' in first
    if (!isPerson) return null
    const ids = (Array.isArray(value) ? value : [value]).map((one) => (side === 'source' ? one?.userId : one))
    const found = ids.map((id) => names[side].get(String(id)) ?? null)
    return found.length > 0 && found.every((name) => name !== null) ? found.join(', ') : null
  }
}
