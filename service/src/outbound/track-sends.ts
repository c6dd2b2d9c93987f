import { AsyncLocalStorage } from 'node:async_hooks'

/** What one attempt to change something on the other side has come to. */
export interface SendTrack {
  /** A request that changes something may have been carried out. */
  mayBeSent: boolean
}

const track = new AsyncLocalStorage<SendTrack>()

/**
 * Runs `act` and notes whether any request left that may have changed something. A connection that was never made, a
 * turn that never came and a 429 change nothing.
 */
export function trackSends<T>(noted: SendTrack, act: () => Promise<T>): Promise<T> {
  return track.run(noted, act)
}

export function noteSent(): void {
  const noted = track.getStore()
  if (noted) noted.mayBeSent = true
}
