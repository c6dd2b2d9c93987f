import { setImmediate as turn } from 'node:timers/promises'

/** The longest slice of work on the event loop. */
const sliceMs = 10

/** Called between small pieces of work; after a while it yields to the event loop. */
export function createGiveWay(): () => Promise<void> | undefined {
  let start = performance.now()
  return () => {
    if (performance.now() - start < sliceMs) return undefined
    return turn().then(() => {
      start = performance.now()
    })
  }
}
