import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

/** A running program, with everything it has printed. */
export interface Program {
  child: ChildProcess
  pid: number
  output(): string
  /** Resolves when the output matches. Fails when the program ends first or the time is over. */
  waitFor(pattern: RegExp, limitMs?: number): Promise<RegExpExecArray>
  finished: Promise<Finished>
}

export interface ProgramOptions {
  cwd?: string
  env?: Record<string, string | undefined>
  uid?: number
  gid?: number
  /** Starts a separate process group, so that a signal can reach all of it as a terminal's does. */
  detached?: boolean
}

export function startProgram(command: string, args: string[], options: ProgramOptions = {}): Program {
  const { env, ...rest } = options
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    // tidy-up.ts uses TMPDIR to find the programs of a run that was killed.
    env: { TMPDIR: process.env.TMPDIR, ...env } as NodeJS.ProcessEnv,
    ...rest,
  })
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  let ended = false
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      ended = true
      resolve({ code, stdout, stderr })
    })
  })
  return {
    child,
    pid: child.pid ?? -1,
    output: () => stdout + stderr,
    finished,
    async waitFor(pattern, limitMs = 300_000) {
      const end = Date.now() + limitMs
      for (;;) {
        const match = pattern.exec(stdout + stderr)
        if (match) return match
        if (ended || Date.now() > end) throw new Error(`no ${pattern} in:\n${stdout}\n${stderr}`)
        await sleep(50)
      }
    },
  }
}

export const run = (command: string, args: string[], options: ProgramOptions = {}): Promise<Finished> =>
  startProgram(command, args, options).finished
