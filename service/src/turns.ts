/** Limits how much work goes on at once. Further work waits for its turn, in the order of asking. */
export interface Turns {
  /** Whether the next caller gets its turn at once. */
  isFree(weight?: number): boolean
  /** Null if the caller would have to wait. */
  tryTake(weight?: number): (() => void) | null
  /** Resolves with a function that ends the turn. Rejected with the reason of the signal. */
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
  const isFree = (weight = 1) => waiting.size === 0 && weight <= free
  const tryTake = (weight = 1) => (isFree(weight) ? start(weight) : null)
  return {
    isFree,
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
