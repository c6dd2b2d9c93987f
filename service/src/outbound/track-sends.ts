import { AsyncLocalStorage } from 'node:async_hooks'

/** What one attempt to change something on the other side has come to. */
export interface SendTrack {
  /** A request that changes something may have been carried out. */
  mayBeSent: boolean
}

const tracks = new AsyncLocalStorage<readonly SendTrack[]>()

/**
 * Runs `act` and notes whether any request left that may have changed something. A connection that was never made, a
 * turn that never came and a 429 change nothing. What is tracked within another attempt counts for both.
 */
export function trackSends<T>(noted: SendTrack, act: () => Promise<T>): Promise<T> {
  return tracks.run([...(tracks.getStore() ?? []), noted], act)
}

export function noteSent(): void {
  for (const noted of tracks.getStore() ?? []) noted.mayBeSent = true
}

/**
 * Runs a request that changes something, and counts it as sent unless its answer says that the tool did nothing at all.
 * What is thrown counts as it would without this.
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
