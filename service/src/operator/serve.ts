import { flushCompileCache } from 'node:module'
import type { Config } from '../config.ts'
import { describeLeftOut, loadConnectors } from '../connectors/load-connectors.ts'
import { surviveStrays } from '../connectors/survive-strays.ts'
import { type PreparedDemo, prepareDemo } from '../demo/prepare-demo.ts'
import { startDemo } from '../demo/start-demo.ts'
import { type Role, type RunningService, startService } from '../main.ts'
import { liveApiPrefix, sandboxPrefix } from '../partner-api/openapi.ts'

const stopLimitMs = 25_000

export interface ServeOptions {
  role: Role
  onePerFolder: boolean
  withDemo: boolean
}

/** Runs the service until Ctrl-C, SIGTERM, or until the program that started it ends. */
export async function serve(config: Config, options: ServeOptions): Promise<void> {
  // Written now, when all code is loaded, because a killed process could not write it.
  flushCompileCache()
  const print = (line: string) => console.log(line)
  const told = toldToStop()
  const { connectors, outside, leftOut } = await loadConnectors(config.connectors)
  for (const one of leftOut) print(describeLeftOut(one))
  if (config.connectors.length > 0) surviveStrays(config.connectors, print)
  const prepared: { demo: PreparedDemo | null } = { demo: null }
  const service = await startService(config, {
    ...options,
    connectors,
    outside,
    leftOut,
    onNotice: print,
    moreNetworks: async (parts) => {
      if (options.withDemo)
        prepared.demo = await prepareDemo(config, { ...parts, connectors, onNotice: print }).catch(noDemo)
      return prepared.demo?.networks ?? []
    },
  })
  const { origin } = service
  const demo = prepared.demo && origin !== null ? await startDemo(config, prepared.demo, origin, print) : null
  print(describeService(config, service, demo?.text ?? null))

  await told
  print('Stopping: finishing the work under way …')
  // This timer does not keep the process alive.
  setTimeout(() => {
    console.error('Stopping took too long; leaving now.')
    process.exit(1)
  }, stopLimitMs).unref()
  // Stopped before the demo, because runs may still use the demo's programs.
  await service.stop()
  await demo?.stop()
  print('Stopped.')
}

/** If the demo fails, the service starts without it. */
function noDemo(error: Error): null {
  console.error(`The demo could not be prepared, so the service starts without it: ${error.message}`)
  return null
}

function describeService(config: Config, { origin, database, metrics }: RunningService, demo: string | null): string {
  const numbers = metrics ? `\n  Metrics         ${metrics}` : ''
  if (origin === null) return `Wherry's worker is ready (${database}).${numbers}`
  const next =
    demo ??
    `Next, in another terminal in this folder${config.databaseUrl ? ', with the same DATABASE_URL set there' : ''}: create a partner, and get its API token.

  npx wherry partner create --name "Acme" --destination open --families helpdesk`
  return `
Wherry is ready.

  Partner API     ${origin}${liveApiPrefix}
  Sandbox         ${origin}${sandboxPrefix}
  API reference   ${origin}/docs
  Database        ${database}${numbers}

${next}

Ctrl-C stops everything.
`
}

function toldToStop(): Promise<void> {
  return new Promise((resolve) => {
    // npm repeats a signal that the terminal has already sent, so further signals are ignored.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
    process.on('disconnect', () => resolve())
  })
}
