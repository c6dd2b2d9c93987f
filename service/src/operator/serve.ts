import type { Config } from '../config.ts'
import { type Role, startService } from '../main.ts'
import { liveApiPrefix, sandboxPrefix } from '../partner-api/openapi.ts'

const stopLimitMs = 25_000

/** Runs the service until it is told to stop: by Ctrl-C, SIGTERM, or the end of the program that started it. */
export async function serve(config: Config, options: { role: Role; onePerFolder: boolean }): Promise<void> {
  const print = (line: string) => console.log(line)
  const told = toldToStop()
  const service = await startService(config, { ...options, onNotice: print })
  if (service.origin !== null) {
    print(`
Wherry is ready.

  Partner API     ${service.origin}${liveApiPrefix}
  Sandbox         ${service.origin}${sandboxPrefix}
  API reference   ${service.origin}/docs
  Database        ${service.database}

Next, in another terminal in this folder${config.databaseUrl ? ', with the same DATABASE_URL set there' : ''}: create a partner, and get its API token.

  npx wherry partner create --name "Acme" --destination open --families helpdesk

Ctrl-C stops everything.
`)
  } else print(`Wherry's worker is ready (${service.database}).`)

  await told
  print('Stopping: finishing what is under way …')
  // The guard does not keep the process alive by itself.
  setTimeout(() => {
    console.error('Stopping took too long; leaving now.')
    process.exit(1)
  }, stopLimitMs).unref()
  await service.stop()
  print('Stopped.')
}

function toldToStop(): Promise<void> {
  return new Promise((resolve) => {
    // npm passes on a signal that the terminal has sent us already, so a second one means nothing.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
    process.on('disconnect', () => resolve())
  })
}
