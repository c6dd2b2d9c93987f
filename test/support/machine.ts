import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Program, startProgram } from './program.ts'

/** A separate machine, for networking only: a network namespace that one cable joins with this machine. */
export interface Machine {
  /** The command that runs a program on the machine. */
  within(program: string, args: string[]): [program: string, args: string[]]
  /** Drops all traffic, without telling either side. */
  cut(): Promise<void>
  mend(): Promise<void>
  close(): Promise<void>
}

const run = promisify(execFile)
const ip = (...words: string[]) => run('ip', words)
const relay = join(import.meta.dirname, 'relay.ts')

/** True on Linux, as root, with iproute2. */
export function canStartMachines(): boolean {
  if (process.getuid?.() !== 0) return false
  const name = `wherry-${randomBytes(4).toString('hex')}`
  try {
    execFileSync('ip', ['netns', 'add', name], { stdio: 'ignore' })
    execFileSync('ip', ['netns', 'delete', name], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Makes these ports of our 127.0.0.1 available at the machine's own 127.0.0.1, so that addresses are valid on both. */
export async function startMachine(ports: readonly number[]): Promise<Machine> {
  const [high = 0, low = 0, ...rest] = randomBytes(4)
  const name = `wherry-${Buffer.from([high, low, ...rest]).toString('hex')}`
  const [near, far] = [`wn${name.slice(7)}`, `wf${name.slice(7)}`]
  // Addresses that are reserved for tests between networks.
  const [ours, its] = [1, 2].map((place) => `198.18.${high}.${(low & 0xfc) + place}`) as [string, string]
  const within = (program: string, args: string[]): [string, string[]] => [
    'ip',
    ['netns', 'exec', name, program, ...args],
  ]
  await using cleanup = new AsyncDisposableStack()
  await ip('netns', 'add', name)
  // Deleting the namespace also removes the cable.
  cleanup.defer(async () => void (await ip('netns', 'delete', name)))
  await ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', name)
  await ip('address', 'add', `${ours}/30`, 'dev', near)
  await ip('-n', name, 'address', 'add', `${its}/30`, 'dev', far)
  await ip('link', 'set', near, 'up')
  for (const end of [far, 'lo']) await ip('-n', name, 'link', 'set', end, 'up')

  const pass = async (program: Program) => {
    cleanup.defer(async () => {
      program.child.kill('SIGKILL')
      await program.finished
    })
    await program.waitFor(/ready/)
  }
  const relayed = (listenAt: string, connectTo: string) => [relay, listenAt, connectTo, ...ports.map(String)]
  const env = { PATH: process.env.PATH }
  await pass(startProgram(process.execPath, relayed(ours, '127.0.0.1'), { env }))
  await pass(startProgram(...within(process.execPath, relayed('127.0.0.1', ours)), { env }))
  const closing = cleanup.move()
  return {
    within,
    cut: async () => void (await ip('link', 'set', near, 'down')),
    mend: async () => void (await ip('link', 'set', near, 'up')),
    close: () => closing.disposeAsync(),
  }
}
