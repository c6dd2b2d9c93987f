import { setTimeout as sleep } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import type { Fault, SeenRequest } from '../../demo/harbour/faults.ts'

/** Makes every write to Harbour slow, so that a test catches a run in the middle. */
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
    /** Sets the duration of each write, and ends the writes that were held. */
    take(ms: number): void {
      latencyMs = ms
      gate?.resolve()
      gate = null
    },
    /** Stops all writes from ending. When this returns, one write is waiting, so its slice cannot end either. */
    async hold(): Promise<void> {
      gate ??= Promise.withResolvers<void>()
      await vi.waitFor(() => expect(waiting).toBeGreaterThan(0), { timeout: 300_000, interval: 20 })
    },
  }
}

export type SlowWrites = ReturnType<typeof createSlowWrites>
