// Ends the processes of a test run that was killed: its standard input is a pipe that closes with the run. Usage: node
// tidy-up.ts <folder of the run>, with the run's pipe as standard input.
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const folder = String(process.argv[2])
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.stdin.resume()
await once(process.stdin, 'end')
// A database that gets SIGTERM first leaves nothing behind.
for (const [signal, patienceMs] of [
  ['SIGTERM', 10_000],
  ['SIGKILL', 10_000],
] as const) {
  const end = Date.now() + patienceMs
  while (endProcesses(signal) && Date.now() < end) await sleep(200)
}
rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })

/** Returns true if there were any processes. */
function endProcesses(signal: NodeJS.Signals): boolean {
  const pids = processes().filter((pid) => pid !== process.pid && belongs(pid))
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // The process ended meanwhile.
    }
  }
  return pids.length > 0
}

function processes(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    // Only Linux has /proc; elsewhere only the folder is removed.
    return []
  }
}

/**
 * True if the process belongs to the run: every program of a run uses the run's folder for temporary files, as working
 * directory or as an argument.
 */
function belongs(pid: number): boolean {
  const read = (look: () => string) => {
    try {
      return look()
    } catch {
      return ''
    }
  }
  const variables = read(() => readFileSync(`/proc/${pid}/environ`, 'utf8')).split('\0')
  return (
    variables.includes(`TMPDIR=${folder}`) ||
    read(() => readlinkSync(`/proc/${pid}/cwd`)).startsWith(folder) ||
    read(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).includes(folder)
  )
}
