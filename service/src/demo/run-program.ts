import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkoutDir } from '../config.ts'

export interface ProgramToRun {
  label: string
  /** Below the checkout. */
  script: string
  args: string[]
  /** All of its environment. Secrets are here and not in `args`, which everyone on the machine can read. */
  env: Record<string, string>
}

export interface RunningProgram {
  /** Ends the program, by force if it does not react. */
  stop(): Promise<void>
}

const startLimitMs = 60_000
const stopLimitMs = 6_000

/**
 * Starts a program of the checkout and waits until it says that it listens. The channel to the program closes with this
 * process, even after a crash, and then the program ends itself. Its own session keeps a terminal's Ctrl-C from it,
 * so that it runs as long as the service needs it. Null, and a notice, when it does not start.
 */
export async function runProgram(
  { label, script, args, env }: ProgramToRun,
  onNotice: (line: string) => void,
): Promise<RunningProgram | null> {
  const child = spawn(process.execPath, [join(checkoutDir, script), ...args], {
    cwd: checkoutDir,
    env,
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  const stop = async () => {
    if (child.connected) child.disconnect()
    await Promise.race([ended, sleep(stopLimitMs, undefined, { ref: false })])
    child.kill('SIGKILL')
    await ended
  }

  const failure = await Promise.race([
    new Promise<null>((resolve) => child.once('message', () => resolve(null))),
    ended,
    sleep(startLimitMs, `nothing heard of it for ${startLimitMs / 1000} seconds`, { ref: false }),
  ])
  if (failure !== null) {
    await stop()
    onNotice(`${label} could not be started (${failure}). The service runs without it.`)
    return null
  }
  let isStopping = false
  void ended.then((how) => {
    if (!isStopping)
      onNotice(`${label} has ended by itself (${how}). The service goes on; the next start brings it back.`)
  })
  return {
    stop: () => {
      isStopping = true
      return stop()
    },
  }
}
