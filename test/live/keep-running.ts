import type { ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Restarts a server whenever it ends, until `stop`. Its process id is in a file, so that a test can kill it and see the
 * effect of a restart. `start` must give it a separate process group (`detached`), because a server's workers would
 * otherwise outlive it and keep its port.
 */
export function keepRunning(pidFile: string, start: () => ChildProcess) {
  let isStopping = false
  let ends = 0
  const launch = () => {
    const child = start()
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    if (child.pid !== undefined) writeFileSync(pidFile, String(child.pid))
    return { child, ended }
  }
  let current = launch()
  const kept = (async () => {
    for (;;) {
      await current.ended
      if (isStopping) return
      ends += 1
      await sleep(1_000)
      if (isStopping) return
      current = launch()
    }
  })()
  return {
    /** How often the server has ended by itself. */
    ends: () => ends,
    async stop() {
      isStopping = true
      signalGroup(current.child.pid, 'SIGTERM')
      await kept
    },
  }
}

/** Sends a signal to a server and its workers. A process that has already ended is no error. */
export function signalGroup(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
