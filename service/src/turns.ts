/** The most turns at a time; others wait in order. */
export interface Turns {
  /** Null when it would have to wait. */
  tryTake(weight?: number): (() => void) | null
  /** Answers a function that ends the turn. Rejected with the reason of the signal. */
  take(signal?: AbortSignal, weight?: number): Promise<() => void>
}

/** A turn with a weight counts as that many turns. */
export function createTurns(most: number): Turns {
  let free = most
  const waiting = new Set<{ weight: number; begin(): void }>()
  const start = (weight: number): (() => void) => {
    free -= weight
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      free += weight
      for (const next of waiting) {
        if (next.weight > free) return
        next.begin()
      }
    }
  }
  const tryTake = (weight = 1) => (waiting.size === 0 && weight <= free ? start(weight) : null)
  return {
    tryTake,
    async take(signal, weight = 1) {
      signal?.throwIfAborted()
      return (
        tryTake(weight) ??
        (await new Promise<() => void>((resolve, reject) => {
          const end = () => {
            waiting.delete(entry)
            signal?.removeEventListener('abort', onAbort)
          }
          const entry = {
            weight,
            begin() {
              end()
              resolve(start(weight))
            },
          }
          const onAbort = () => {
            end()
            reject(signal?.reason)
          }
          waiting.add(entry)
          signal?.addEventListener('abort', onAbort)
        }))
      )
    },
  }
}
