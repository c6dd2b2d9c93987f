import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { limitTime } from '../text/limit-time.ts'
import type { Connector } from './contract/contract.ts'
import { type CallLimits, limitCalls } from './kit/limit-calls.ts'
import { sayThrown } from './kit/say-thrown.ts'
import { hashCode, homeOf, locate } from './locate-connector.ts'
import { type LoadFailure, placeOfLoad } from './place-of-load.ts'
import { connectors as registry } from './registry.ts'
import { vetDeclaration } from './vet-declaration.ts'

export interface LoadedConnectors {
  /** Our connectors, then the usable external ones. */
  connectors: readonly Connector[]
  /** The external ones among them, each with the folder of its code as stacks name it, and a hash of this code. */
  outside: { tool: string; home: string; code: string }[]
  /** External connectors that cannot be used, with the reason. */
  leftOut: { place: string; reason: string }[]
}

interface TimeLimits extends Omit<CallLimits, 'home'> {
  loadMs?: number
}

/** Loads the operator's own connectors. A connector that cannot be loaded is left out, and the others still work. */
export async function loadConnectors(
  places: readonly string[],
  { loadMs, ...limits }: TimeLimits = {},
): Promise<LoadedConnectors> {
  const connectors = [...registry]
  const outside: LoadedConnectors['outside'] = []
  const leftOut: LoadedConnectors['leftOut'] = []
  for (const place of places) {
    try {
      const home = homeOf(place)
      const connector = limitCalls(await loadConnector(place, loadMs, limits.busyMs), { ...limits, home })
      if (connectors.some(({ tool }) => tool === connector.tool))
        throw new Error(`tool: there is another connector for ${connector.tool}`)
      connectors.push(connector)
      if (home !== null) outside.push({ tool: connector.tool, home, code: hashCode(home) })
    } catch (error) {
      leftOut.push({ place, reason: sayThrown(error) })
    }
  }
  return { connectors, outside, leftOut }
}

export const describeLeftOut = ({ place, reason }: LoadedConnectors['leftOut'][number]): string =>
  `The connector at ${place} was left out: ${reason}`

/**
 * Loads the connector of a folder or package. Throws an error with all faults of its declaration, or with file and line
 * of its module.
 */
export async function loadConnector(place: string, loadMs = 60_000, busyMs = 30_000): Promise<Connector> {
  const url = locate(place)
  const home = homeOf(place)
  // A thread makes the connector first, to catch one that never finishes or that ends the process.
  const failure = (await tryInThread(url, loadMs)) ?? (await makeWithin(url, loadMs))
  if ('message' in failure) {
    const at = home === null ? null : await placeOfLoad(home, failure)
    throw new Error(`the module fails${at === null ? '' : ` at ${at}`}: ${failure.message}`)
  }
  const { connector } = failure
  const file = basename(fileURLToPath(url))
  if (connector === undefined || connector === null)
    throw new Error(
      `${file} exports no connector. It needs "export default" with the connector, or a function of the kit.`,
    )
  // Reading a declaration may run code of the connector.
  const problems = limitTime(busyMs, () => readProblems(connector))
  if (problems === null) throw new Error(`its declaration keeps the process busy for ${busyMs / 1000} s`)
  if (problems.length > 0) throw new Error(`the declaration in ${file} is wrong: ${problems.join('; ')}`)
  return connector as Connector
}

const tooLate = (loadMs: number): LoadFailure => ({
  message: `it is not loaded within ${loadMs / 1000} seconds`,
  stack: '',
})

async function makeWithin(url: string, loadMs: number): Promise<{ connector: unknown } | LoadFailure> {
  const { promise, resolve } = Promise.withResolvers<LoadFailure>()
  const timer = setTimeout(() => resolve(tooLate(loadMs)), loadMs)
  return Promise.race([make(url), promise]).finally(() => clearTimeout(timer))
}

async function make(url: string): Promise<{ connector: unknown } | LoadFailure> {
  try {
    const module = (await import(url)) as { default?: unknown; connector?: unknown }
    const exported = module.default ?? module.connector
    // The whole kit is loaded only for a connector that asks for it.
    return {
      connector: typeof exported === 'function' ? await exported((await import('./kit/index.ts')).kit) : exported,
    }
  } catch (error) {
    return { message: sayThrown(error), stack: stackOf(error) }
  }
}

function stackOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.stack) : ''
  } catch {
    return ''
  }
}

function readProblems(connector: unknown): string[] {
  try {
    return vetDeclaration(connector)
  } catch (error) {
    return [`its declaration cannot be read: ${sayThrown(error)}`]
  }
}

async function tryInThread(url: string, loadMs: number): Promise<LoadFailure | null> {
  const code = `const { parentPort, workerData } = require('node:worker_threads')
    const make = async () => {
      const module = await import(workerData.url)
      const exported = module.default ?? module.connector
      if (typeof exported === 'function') await exported((await import(workerData.kit)).kit)
    }
    const tell = (error) => parentPort.postMessage({
      message: String(error?.message ?? error), stack: String(error instanceof Error ? error.stack : '') })
    make().then(() => parentPort.postMessage(null), tell)`
  const workerData = { url, kit: new URL('./kit/index.ts', import.meta.url).href }
  const worker = new Worker(code, { eval: true, workerData, stdout: true, stderr: true })
  try {
    return await new Promise<LoadFailure | null>((done) => {
      const fail = (message: string, stack = '') => done({ message, stack })
      const timer = setTimeout(() => done(tooLate(loadMs)), loadMs)
      worker.once('message', done)
      worker.once('error', (error) => fail(sayThrown(error), stackOf(error)))
      worker.once('exit', () => fail('it ended the thread that loaded it'))
      worker.once('exit', () => clearTimeout(timer))
    })
  } finally {
    await worker.terminate()
  }
}
