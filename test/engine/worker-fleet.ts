import { join } from 'node:path'
import type { Machine } from '../support/machine.ts'
import { type Program, startProgram } from '../support/program.ts'
import { testKeys } from '../support/service.ts'

export interface FleetWorker extends Program {
  /** True once the worker has begun to work. */
  isReady(): boolean
}

/** Worker processes on one database. */
export function createFleet(databaseUrl: string, directUrl: string | null = null) {
  const workers = new Set<FleetWorker>()
  /** Starts one more worker, on the given machine if any, without waiting for it. */
  const start = (within?: Machine['within']): FleetWorker => {
    const args = [join(import.meta.dirname, 'worker-process.ts'), databaseUrl, testKeys]
    if (directUrl !== null) args.push(directUrl)
    const command: [string, string[]] = within?.(process.execPath, args) ?? [process.execPath, args]
    const program = startProgram(...command, { env: { PATH: process.env.PATH } })
    const worker = { ...program, isReady: () => program.output().includes('ready') }
    workers.add(worker)
    return worker
  }
  const end = async (worker: FleetWorker, signal: NodeJS.Signals) => {
    workers.delete(worker)
    worker.child.kill(signal)
    await worker.finished
  }
  return {
    start,
    async startReady(within?: Machine['within']): Promise<FleetWorker> {
      const worker = start(within)
      await worker.waitFor(/ready/)
      return worker
    },
    ready: () => [...workers].filter((worker) => worker.isReady()),
    /** Output of workers that ended unexpectedly. */
    collapsed: () => [...workers].filter(({ child }) => child.exitCode !== null).map((worker) => worker.output()),
    kill: (worker: FleetWorker) => end(worker, 'SIGKILL'),
    async close(): Promise<void> {
      await Promise.all([...workers].map((worker) => end(worker, 'SIGKILL')))
    },
  }
}

export type Fleet = ReturnType<typeof createFleet>
