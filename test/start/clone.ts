import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkoutDir } from '../../service/src/config.ts'
import { type Program, type ProgramOptions, run, startProgram } from '../support/program.ts'

export const isRoot = process.getuid?.() === 0

/** A fresh clone of this checkout's current state, in its own folder. */
export interface Clone {
  folder: string
  npm(...args: string[]): Program
  /** Runs npm with these additional variables. */
  npmWith(env: Record<string, string>, ...args: string[]): Program
  wherry(...args: string[]): ReturnType<typeof run>
  /** Processes whose command line or working folder is in the clone, or whose data belongs to it. */
  processes(): { pid: number; command: string }[]
  /** Kills what still runs. */
  stop(): Promise<void>
  remove(): Promise<void>
}

export interface CloneOptions {
  name: string
  /** The mode of the folder around the clone: 0o700 closes it to everyone except its owner. */
  mode: number
  /** Run everything as this user (only when we are root). */
  user?: { uid: number; gid: number }
  /** Uses the packages of this clone instead of installing them. */
  packagesOf?: string
  env?: Record<string, string>
}

export function makeClone(options: CloneOptions): Clone {
  const outer = mkdtempSync(join(tmpdir(), 'wherry clone '))
  const folder = join(outer, options.name)
  mkdirSync(folder)
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: checkoutDir })
    .toString()
    .split('\0')
    .filter((file) => file !== '')
  execFileSync('cp', ['--parents', '-r', ...files, `${folder}/`], { cwd: checkoutDir })
  // Hard links avoid copying half a gigabyte.
  if (options.packagesOf) execFileSync('cp', ['-al', join(options.packagesOf, 'node_modules'), folder])
  // Another user's npm has no cache yet. With a copy of ours it asks the registry only for what is not in it.
  else if (options.user) copyNpmCache(join(outer, '.npm'))
  if (options.user) execFileSync('chown', ['-R', `${options.user.uid}:${options.user.gid}`, outer])
  execFileSync('chmod', [options.mode.toString(8), outer])

  const programOptions: ProgramOptions = {
    cwd: folder,
    detached: true,
    ...options.user,
    env: {
      // Without our own node_modules/.bin, because a new user has only the machine's Node and npm.
      PATH: String(process.env.PATH)
        .split(':')
        .filter((part) => !part.includes('node_modules'))
        .join(':'),
      HOME: options.user ? outer : process.env.HOME,
      npm_config_prefer_offline: 'true',
      // npm waits five minutes for an answer that never comes, and then tries again.
      npm_config_fetch_timeout: '60000',
      npm_config_fetch_retries: '5',
      WHERRY_LOG_LEVEL: 'warn',
      ...options.env,
    },
  }
  const clone: Clone = {
    folder,
    npm: (...args) => startProgram('npm', args, programOptions),
    npmWith: (env, ...args) => startProgram('npm', args, { ...programOptions, env: { ...programOptions.env, ...env } }),
    wherry: (...args) => run('npx', ['wherry', ...args], programOptions),
    processes: () => listProcesses().filter(({ command, cwd }) => command.includes(outer) || cwd.startsWith(outer)),
    async stop() {
      for (const { pid } of clone.processes()) kill(pid, 'SIGKILL')
      await waitUntil(() => clone.processes().length === 0)
    },
    async remove() {
      await clone.stop()
      rmSync(outer, { recursive: true, force: true })
    },
  }
  return clone
}

function copyNpmCache(target: string): void {
  const cache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim()
  if (!existsSync(join(cache, '_cacache'))) return
  mkdirSync(target)
  execFileSync('cp', ['-r', '--reflink=auto', join(cache, '_cacache'), target])
}

export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

export async function waitUntil(condition: () => boolean | Promise<boolean>, limitMs = 300_000): Promise<void> {
  const end = Date.now() + limitMs
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`not true within ${limitMs} ms: ${condition}`)
    await sleep(100)
  }
}

function listProcesses(): { pid: number; command: string; cwd: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
        const state = /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
        if (state === 'Z') return []
        return [{ pid: Number(pid), command, cwd: readlinkIfAllowed(`/proc/${pid}/cwd`) }]
      } catch {
        // The process ended while it was read.
        return []
      }
    })
}

function readlinkIfAllowed(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
