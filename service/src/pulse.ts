/** Work that workers look for beside the queues; `waiting_work` in the database finds it. */
export type Work = 'held runs' | 'audit lines' | 'payments' | 'webhooks'

/** Tells loops that there is work, so that no loop has to poll. */
export interface Pulse {
  /** Resolves when a look finds this work, or when the signal aborts. */
  until(work: Work, signal: AbortSignal): Promise<void>
  /** The findings of a look. */
  tell(found: readonly string[]): void
}

export function createPulse(): Pulse {
  const waiting = new Map<string, Set<() => void>>()
  return {
    until(work, signal) {
      if (signal.aborted) return Promise.resolve()
      const { promise, resolve } = Promise.withResolvers<void>()
      const wake = () => resolve()
      const waiters = waiting.get(work) ?? new Set()
      waiting.set(work, waiters.add(wake))
      signal.addEventListener('abort', wake)
      return promise.finally(() => {
        waiters.delete(wake)
        signal.removeEventListener('abort', wake)
      })
    },
    tell(found) {
      for (const work of found) for (const wake of waiting.get(work) ?? []) wake()
    },
  }
}
