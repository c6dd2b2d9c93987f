import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { checkoutDir } from '../../src/config.ts'
import { findPort } from '../../src/demo/find-port.ts'
import { buildFlow, nodeRedSettings } from './node-red-flow.ts'

/** Exact versions, so that every machine compares the same programs. They are installed only for this benchmark. */
const packages = ['node-red@5.0.7', 'p-limit@7.3.3']

/** A program that copies a desk, and that can be killed and started again. */
export interface Candidate {
  start(): void
  kill(): Promise<void>
  /** Resolves when the program ends by itself. Never resolves for a program that keeps running. */
  ended: () => Promise<number | null>
}

export interface Places {
  desk: string
  destination: string
  /** The program's own folder, which stays after a kill. */
  folder: string
}

/** Installs both packages with npm, into a folder that is removed afterwards. */
export async function installCandidates(cleanup: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'wherry-scripts-'))
  cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  await writeFile(join(folder, 'package.json'), '{"private":true}')
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder, ...packages]
  await promisify(execFile)('npm', args, { cwd: folder, timeout: 600_000 }).catch((error: Error) => {
    throw new Error(`npm could not install ${packages.join(' and ')}: ${error.message}`)
  })
  return folder
}

export function plainScript(
  cleanup: AsyncDisposableStack,
  installed: string,
  places: Places,
  { concurrency, batch }: { concurrency: number; batch: number },
): Candidate {
  return startable(cleanup, () => ({
    args: [
      join(import.meta.dirname, 'plain-script.mjs'),
      ...[places.desk, places.destination, join(places.folder, 'position')],
      ...[join(installed, 'node_modules/p-limit'), String(concurrency), String(batch)],
    ],
    env: {},
  }))
}

export async function nodeRed(cleanup: AsyncDisposableStack, installed: string, places: Places): Promise<Candidate> {
  const folder = join(places.folder, 'node-red')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'settings.js'), nodeRedSettings)
  await writeFile(join(folder, 'flow.json'), JSON.stringify(buildFlow(places.desk, places.destination)))
  const port = await findPort(0, [0])
  const program = join(installed, 'node_modules/node-red/red.js')
  return startable(cleanup, () => ({ args: [program, '-u', folder, '-p', String(port)], env: {} }))
}

/** The service, started as by an operator, without the demo. */
export function wherry(cleanup: AsyncDisposableStack, env: Record<string, string>): Candidate {
  return startable(cleanup, () => ({ args: [join(checkoutDir, 'service/bin/wherry.mjs'), 'serve'], env }))
}

function startable(
  cleanup: AsyncDisposableStack,
  program: () => { args: string[]; env: Record<string, string> },
): Candidate {
  let end: () => Promise<void> = async () => {}
  let ended: Promise<number | null> = Promise.resolve(null)
  cleanup.defer(() => end())
  return {
    start() {
      const { args, env } = program()
      const child = spawn(process.execPath, args, {
        env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
        detached: true,
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)))
      end = async () => {
        if (child.exitCode !== null || child.signalCode !== null) return
        // Kills the whole process group, because the program's children would survive otherwise.
        process.kill(-Number(child.pid), 'SIGKILL')
        await ended
      }
    },
    kill: () => end(),
    ended: () => ended,
  }
}
