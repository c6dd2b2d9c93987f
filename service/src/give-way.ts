import { setImmediate as turn } from 'node:timers/promises'

/** The longest that work in slices keeps others from the event loop. */
const sliceMs = 10

/** Called between small pieces of work: once they have taken a while together, everyone else has a turn. */
export function createGiveWay(): () => Promise<void> | undefined {
  let start = performance.now()
  return () => {
    if (performance.now() - start < sliceMs) return undefined
    return turn().then(() => {
      start = performance.now()
    })
  }
}
