// The code of a thread: runs one task after the other, as `run-in-thread.ts` sends them.
import { parentPort } from 'node:worker_threads'
import type { ThreadAnswer, ThreadTask } from './run-in-thread.ts'

const answer = (message: ThreadAnswer) => parentPort?.postMessage(message)

parentPort?.on('message', async ({ module, name, args }: ThreadTask) => {
  try {
    const functions: Record<string, (...args: unknown[]) => unknown> = await import(module)
    answer({ started: true })
    const before = process.threadCpuUsage()
    const result = await functions[name]?.(...args)
    const { user, system } = process.threadCpuUsage(before)
    answer({ result, cpuMs: (user + system) / 1_000 })
  } catch (error) {
    answer({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
})
