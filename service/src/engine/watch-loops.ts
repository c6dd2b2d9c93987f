import { Worker } from 'node:worker_threads'
import type { LoadedConnectors } from '../connectors/load-connectors.ts'

export interface LoopWatch {
  outside: LoadedConnectors['outside']
  /** The database of the runs, to be reached from the thread. */
  databaseUrl: string
  /** More than a call may compute before its first `await`: `limit-calls.ts` ends such a call without this process. */
  busyMs?: number
}

/** The data of the thread. */
export interface WatchedBeat extends Required<LoopWatch> {
  beat: Int32Array<SharedArrayBuffer>
  beatMs: number
}

/**
 * Ends this process if a connector from outside keeps it busy, such as by an endless loop after an `await`. A thread
 * does so (`end-loop.ts`), because such a loop leaves no turn to anything else here.
 */
export function watchLoops({ outside, databaseUrl, busyMs = 40_000 }: LoopWatch): void {
  const beatMs = Math.min(1_000, busyMs / 4)
  const beat = new Int32Array(new SharedArrayBuffer(4))
  const workerData: WatchedBeat = { outside, databaseUrl, busyMs, beat, beatMs }
  new Worker(new URL('./end-loop.ts', import.meta.url), { execArgv: [], workerData }).unref()
  setInterval(() => Atomics.add(beat, 0, 1), beatMs).unref()
}
