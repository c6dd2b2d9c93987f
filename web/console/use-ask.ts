import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ask, ConsoleFailure } from './ask.ts'

const refreshMs = 5_000
const sessionPath = '/session'

/**
 * Loads a route's answer and repeats the request every few seconds while the screen is shown. With `isLive` false,
 * only a failed request is repeated.
 */
export function useAsk<T>(path: string, isLive = true) {
  const client = useQueryClient()
  return useQuery<T, ConsoleFailure>({
    queryKey: [path],
    queryFn: () =>
      ask<T>('GET', path).catch((error: unknown) => {
        // The session has ended, so the page shows the sign-in.
        if (isSignedOut(error) && path !== sessionPath) void client.invalidateQueries({ queryKey: [sessionPath] })
        throw error
      }),
    refetchInterval: ({ state: { error } }) => (isLive || (error && !isSignedOut(error)) ? refreshMs : false),
  })
}

const isSignedOut = (error: unknown) => error instanceof ConsoleFailure && error.status === 401

/** Performs an act, then reloads all data of the screen. */
export function useAct<T = null>() {
  const client = useQueryClient()
  return useMutation<T, ConsoleFailure, { method?: 'POST' | 'PUT' | 'DELETE'; path: string; body?: unknown }>({
    mutationFn: ({ method = 'POST', path, body }) =>
      ask<T>(method, path, method === 'DELETE' ? undefined : (body ?? {})),
    onSettled: () => client.invalidateQueries(),
    networkMode: 'always',
  })
}
