import { setTimeout as sleep } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import type { Fault, SeenRequest } from '../../demo/harbour/faults.ts'

/** Makes Harbour slow for every write, so that a run is met in the middle. */
export function createSlowWrites() {
  let latencyMs = 0
  let gate: PromiseWithResolvers<void> | null = null
  let waiting = 0
  return {
    async onRequest({ method }: SeenRequest): Promise<Fault> {
      if (method === 'GET') return 'ok'
      if (gate) {
        waiting++
        await gate.promise
        waiting--
      } else {
        await sleep(latencyMs)
      }
      return 'ok'
    },
    /** From now on each of them takes so long, and those that were kept waiting are over. */
    take(ms: number): void {
      latencyMs = ms
      gate?.resolve()
      gate = null
    },
    /** None of them comes to its end any more, and one is waiting when this returns: its slice cannot end either. */
    async hold(): Promise<void> {
      gate ??= Promise.withResolvers<void>()
      await vi.waitFor(() => expect(waiting).toBeGreaterThan(0), { timeout: 300_000, interval: 20 })
    },
  }
}

export type SlowWrites = ReturnType<typeof createSlowWrites>
