import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Program, startProgram } from './program.ts'

/** A machine of its own, as far as the network goes: a network namespace that one cable joins with this machine. */
export interface Machine {
  /** The command that runs a program there. */
  within(program: string, args: string[]): [program: string, args: string[]]
  /** Nothing gets through any more, and nobody is told. */
  cut(): Promise<void>
  mend(): Promise<void>
  close(): Promise<void>
}

const run = promisify(execFile)
const ip = (...words: string[]) => run('ip', words)
const relay = join(import.meta.dirname, 'relay.ts')

/** Needs Linux, root and iproute2. */
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

/** These ports of our 127.0.0.1 are ports of its own 127.0.0.1, too: addresses hold on both machines. */
export async function startMachine(ports: readonly number[]): Promise<Machine> {
  const [high = 0, low = 0, ...rest] = randomBytes(4)
  const name = `wherry-${Buffer.from([high, low, ...rest]).toString('hex')}`
  const [near, far] = [`wn${name.slice(7)}`, `wf${name.slice(7)}`]
  // From the addresses that are set apart for tests between networks.
  const [ours, its] = [1, 2].map((place) => `198.18.${high}.${(low & 0xfc) + place}`) as [string, string]
  const within = (program: string, args: string[]): [string, string[]] => [
    'ip',
    ['netns', 'exec', name, program, ...args],
  ]
  await using cleanup = new AsyncDisposableStack()
  await ip('netns', 'add', name)
  // The cable goes with its end.
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
