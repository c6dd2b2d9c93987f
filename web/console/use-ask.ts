import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ask, type ConsoleFailure } from './ask.ts'

const refreshMs = 5_000

/** What a route answers, asked again every few seconds while the screen is shown. */
export const useAsk = <T>(path: string, isLive = true) =>
  useQuery<T, ConsoleFailure>({
    queryKey: [path],
    queryFn: () => ask<T>('GET', path),
    refetchInterval: isLive ? refreshMs : false,
  })

/** An act; everything on the screen is asked for anew afterwards. */
export function useAct<T = null>() {
  const client = useQueryClient()
  return useMutation<T, ConsoleFailure, { method?: 'POST' | 'PUT' | 'DELETE'; path: string; body?: unknown }>({
    mutationFn: ({ method = 'POST', path, body }) =>
      ask<T>(method, path, method === 'DELETE' ? undefined : (body ?? {})),
    onSettled: () => client.invalidateQueries(),
    networkMode: 'always',
  })
}
