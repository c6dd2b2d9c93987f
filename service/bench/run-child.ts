import { fork } from 'node:child_process'
import { join } from 'node:path'
import { heapEnvironment, heapFlagsOf } from '../bin/heap-flags.mjs'

/** A program of this folder in a separate process, so that the measured code has its own event loop. */
export interface Child {
  /** Asks one question at a time. */
  ask<Answer>(question: unknown): Promise<Answer>
  /** Processor time of the process so far. */
  usedCpuMs(): Promise<number>
  /** Resident memory of the process. */
  memoryMb(): Promise<number>
}

const cpuQuestion = 'how much of the processor?'
const memoryQuestion = 'how much memory?'

type Reply = { answer: unknown } | { failure: string }

const stopLimitMs = 5_000

export function startChild(cleanup: AsyncDisposableStack, program: string): Child {
  const child = fork(join(import.meta.dirname, program), [], {
    // The same memory settings as for the service.
    execArgv: heapFlagsOf(program === 'serve-app.ts' ? 'api' : 'all'),
    env: { ...heapEnvironment, ...process.env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  cleanup.defer(async () => {
    if (child.connected) child.disconnect()
    const limit = setTimeout(() => child.kill('SIGKILL'), stopLimitMs)
    await ended
    clearTimeout(limit)
  })
  const ask = <Answer>(question: unknown) =>
    new Promise<Answer>((resolve, reject) => {
      const onExit = () => reject(new Error(`${program} has ended`))
      // The child is already gone during the shutdown. Sending to it would end this process with an unhandled error.
      if (!child.connected) return onExit()
      child.once('exit', onExit)
      child.once('message', (reply: Reply) => {
        child.off('exit', onExit)
        if ('failure' in reply) reject(new Error(`${program}: ${reply.failure}`))
        else resolve(reply.answer as Answer)
      })
      child.send(question as object)
    })
  return {
    ask,
    usedCpuMs: () => ask<number>(cpuQuestion),
    memoryMb: () => ask<number>(memoryQuestion),
  }
}

/** The child's side: answers every question until the parent ends. */
export function answerParent<Question>(
  answer: (question: Question, cleanup: AsyncDisposableStack) => Promise<unknown>,
) {
  const cleanup = new AsyncDisposableStack()
  const reply = (message: Reply) => {
    if (process.connected) process.send?.(message)
  }
  process.on('message', (question: Question) => {
    if (question === cpuQuestion) {
      const { user, system } = process.cpuUsage()
      return reply({ answer: (user + system) / 1000 })
    }
    if (question === memoryQuestion) return reply({ answer: process.memoryUsage.rss() / 1024 / 1024 })
    answer(question, cleanup).then(
      (found) => reply({ answer: found }),
      (error: unknown) => reply({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  })
  // Ctrl-C reaches every process of the terminal, but the parent decides when the child ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  process.on('disconnect', () => {
    const leave = () => process.exit()
    cleanup.disposeAsync().then(leave, leave)
  })
}
