import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ask, ConsoleFailure } from './ask.ts'

const refreshMs = 5_000
const sessionPath = '/session'

/**
 * A route's answer, asked again every few seconds while the screen is shown. With `isLive` false it is asked once, and
 * again only after a failure, so that the screen recovers by itself.
 */
export function useAsk<T>(path: string, isLive = true) {
  const client = useQueryClient()
  return useQuery<T, ConsoleFailure>({
    queryKey: [path],
    queryFn: () =>
      ask<T>('GET', path).catch((error: unknown) => {
        // The session has ended: the page shows the sign-in.
        if (isSignedOut(error) && path !== sessionPath) void client.invalidateQueries({ queryKey: [sessionPath] })
        throw error
      }),
    refetchInterval: ({ state: { error } }) => (isLive || (error && !isSignedOut(error)) ? refreshMs : false),
  })
}

const isSignedOut = (error: unknown) => error instanceof ConsoleFailure && error.status === 401

/** An act; afterwards the screen loads everything again. */
export function useAct<T = null>() {
  const client = useQueryClient()
  return useMutation<T, ConsoleFailure, { method?: 'POST' | 'PUT' | 'DELETE'; path: string; body?: unknown }>({
    mutationFn: ({ method = 'POST', path, body }) =>
      ask<T>(method, path, method === 'DELETE' ? undefined : (body ?? {})),
    onSettled: () => client.invalidateQueries(),
    networkMode: 'always',
  })
}
