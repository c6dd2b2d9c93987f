import { AsyncLocalStorage } from 'node:async_hooks'

/** The result of one attempt to change something in a tool. */
export interface SendTrack {
  /** True if the tool may have executed a request that changes something. */
  mayBeSent: boolean
}

const tracks = new AsyncLocalStorage<readonly SendTrack[]>()

/**
 * Runs `act` and notes whether a request was sent that may have changed something. A connection that failed, a turn
 * that never came and a 429 change nothing. An attempt inside another one counts for both.
 */
export function trackSends<T>(noted: SendTrack, act: () => Promise<T>): Promise<T> {
  return tracks.run([...(tracks.getStore() ?? []), noted], act)
}

export function noteSent(): void {
  for (const noted of tracks.getStore() ?? []) noted.mayBeSent = true
}

/**
 * Runs a request that changes something. It counts as sent, unless its answer shows that the tool did nothing. For
 * errors, the usual rules apply.
 */
export async function sendUnless<T>(isUnsent: (answer: T) => boolean, act: () => Promise<T>): Promise<T> {
  const own: SendTrack = { mayBeSent: false }
  let isIgnored = false
  try {
    const answer = await tracks.run([own], act)
    isIgnored = isUnsent(answer)
    return answer
  } finally {
    if (own.mayBeSent && !isIgnored) noteSent()
  }
}
