import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Connector } from './contract/contract.ts'
import { limitCalls } from './kit/limit-calls.ts'
import { connectors as registry } from './registry.ts'
import { vetDeclaration } from './vet-declaration.ts'

export interface LoadedConnectors {
  /** Our connectors, then the usable external ones. */
  connectors: readonly Connector[]
  /** External connectors that cannot be used, with the reason. */
  leftOut: { place: string; reason: string }[]
}

interface TimeLimits {
  loadMs?: number
  callMs?: number
}
const mains = ['index.ts', 'index.mjs', 'index.js']

/** Loads the operator's own connectors. A connector that cannot be loaded is left out, and the others still work. */
export async function loadConnectors(
  places: readonly string[],
  { loadMs, callMs }: TimeLimits = {},
): Promise<LoadedConnectors> {
  const connectors = [...registry]
  const leftOut: LoadedConnectors['leftOut'] = []
  for (const place of places) {
    try {
      const connector = await loadConnector(place, loadMs)
      if (connectors.some(({ tool }) => tool === connector.tool))
        throw new Error(`tool: there is another connector for ${connector.tool}`)
      connectors.push(limitCalls(connector, callMs))
    } catch (error) {
      leftOut.push({ place, reason: error instanceof Error ? error.message : String(error) })
    }
  }
  return { connectors, leftOut }
}

/** Loads the connector of a folder or package. Throws an error with all faults of its declaration. */
export async function loadConnector(place: string, loadMs = 60_000): Promise<Connector> {
  const url = locate(place)
  // A thread makes the connector first, to catch one that never finishes or that ends the process.
  await tryInThread(url, loadMs)
  const module = (await import(url)) as { default?: unknown; connector?: unknown }
  const exported = module.default ?? module.connector
  // The whole kit is loaded only for a connector that asks for it.
  const connector = typeof exported === 'function' ? await exported((await import('./kit/index.ts')).kit) : exported
  const problems = vetDeclaration(connector)
  if (problems.length > 0) throw new Error(problems.join('; '))
  return connector as Connector
}

/** The module's address: in the folder itself, or in a package that is installed where the service was started. */
export function locate(place: string): string {
  const folder = resolve(place)
  if (existsSync(folder) && statSync(folder).isDirectory()) {
    const main = mains.map((name) => join(folder, name)).find((file) => existsSync(file))
    if (main === undefined) throw new Error(`the folder has none of ${mains.join(', ')}`)
    return pathToFileURL(main).href
  }
  try {
    return pathToFileURL(createRequire(resolve('connectors.js')).resolve(place)).href
  } catch {
    throw new Error('there is no such folder, and no such package is installed')
  }
}

async function tryInThread(url: string, loadMs: number): Promise<void> {
  const code = `const { parentPort, workerData } = require('node:worker_threads')
    const make = async () => {
      const module = await import(workerData.url)
      const exported = module.default ?? module.connector
      if (typeof exported === 'function') await exported((await import(workerData.kit)).kit)
    }
    make().then(() => parentPort.postMessage(null), (error) => parentPort.postMessage(String(error?.message ?? error)))`
  const workerData = { url, kit: new URL('./kit/index.ts', import.meta.url).href }
  const worker = new Worker(code, { eval: true, workerData, stdout: true, stderr: true })
  try {
    const failure = await new Promise<string | null>((done) => {
      const timer = setTimeout(() => done(`it is not loaded within ${loadMs / 1000} seconds`), loadMs)
      worker.once('message', done)
      worker.once('error', (error) => done(String(error)))
      worker.once('exit', () => done('it ended the thread that loaded it'))
      worker.once('exit', () => clearTimeout(timer))
    })
    if (failure !== null) throw new Error(`the module fails: ${failure}`)
  } finally {
    await worker.terminate()
  }
}
