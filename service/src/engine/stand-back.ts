import { setTimeout as sleep } from 'node:timers/promises'
import type { RunKind } from '../db/schema.ts'

/** Runs whose result a customer waits for on the screen. */
const urgentKinds: readonly RunKind[] = ['plan', 'sample', 'preview']
/** While an urgent run is under way, the others rest this many times as long as they work. */
const restPerWork = 2
/** No rest is longer than this, so a pause or a stop is noticed soon. */
const longestRestMs = 1_000

/** The runs of one process. They share its processor, so long runs stand back while a customer waits for a short one. */
export interface ProcessRuns {
  /** Counts a run until it is disposed of. */
  enter(kind: RunKind): Disposable & { standBack(): Promise<void> }
}

export function createProcessRuns(): ProcessRuns {
  let urgent = 0
  return {
    enter(kind) {
      const isUrgent = urgentKinds.includes(kind)
      if (isUrgent) urgent++
      let workedSince = performance.now()
      return {
        async standBack() {
          const workedMs = performance.now() - workedSince
          if (!isUrgent && urgent > 0) await sleep(Math.min(workedMs * restPerWork, longestRestMs))
          workedSince = performance.now()
        },
        [Symbol.dispose]() {
          if (isUrgent) urgent--
        },
      }
    },
  }
}
