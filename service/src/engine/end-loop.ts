// The thread of `watch-loops.ts`.
import { writeSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { placeIn } from '../connectors/kit/to-fault.ts'
import type { LoadedConnectors } from '../connectors/load-connectors.ts'
import { ConnectorFaultError } from '../errors.ts'
import type { WatchedBeat } from './watch-loops.ts'

type Outside = LoadedConnectors['outside'][number]
const { outside, databaseUrl, busyMs, beat, beatMs } = workerData as WatchedBeat
/** Looks at the stack, because the connector's code is not on it at every moment of a loop of promises. */
const looks = 50
const lookMs = 5_000
const pauseMs = 15_000
/** The stack of the busy thread: the inspector evaluates this on top of it. */
const readStack = `(() => {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 100
  const { stack } = new Error()
  Error.stackTraceLimit = stackTraceLimit
  return stack
})()`

// This thread counts its own turns: after a pause of the whole machine, the clock would tell of a loop that never was.
let last = -1
let idleMs = 0
setInterval(() => {
  const now = Atomics.load(beat, 0)
  idleMs = now === last ? idleMs + beatMs : 0
  last = now
  if (idleMs >= busyMs && idleMs < busyMs + beatMs) void endLoop()
}, beatMs)

const print = (line: string) => writeSync(2, `${line}\n`)

async function endLoop(): Promise<void> {
  const seconds = `${busyMs / 1000} s`
  const found = await findLoop()
  if (!found) {
    print(
      `The process has been busy for ${seconds} and answers nobody. No connector from outside seems to be the cause.`,
    )
    return
  }
  const { connector, place } = found
  const { tool } = connector
  const reason = `it kept the process busy for ${seconds} at ${place}`
  const { obstacle } = new ConnectorFaultError(tool, reason)
  const message = String(obstacle?.message)
  print(`${message} Its runs are paused, the connector is set aside, and this process ends.`)
  try {
    await Promise.race([stopCalls(connector, reason, message), sleep(pauseMs)])
  } catch (error) {
    print(`The connector for ${tool} could not be set aside: ${(error as Error).message}`)
  }
  // No other signal is handled while the loop runs.
  process.kill(process.pid, 'SIGKILL')
}

/** Loaded only now: the thread stays small, and a loop is rare. */
async function stopCalls(connector: Outside, reason: string, message: string): Promise<void> {
  const [{ openDatabase }, { setAside }, { pauseRunsOf }] = await Promise.all([
    import('../db/open-database.ts'),
    import('./set-aside.ts'),
    import('./pause-runs-of.ts'),
  ])
  const { db, close } = openDatabase(databaseUrl, { poolSize: 1 })
  await setAside(db, connector, reason)
  await pauseRunsOf(db, connector.tool, { code: 'connector_broken', must_act: 'operator', message })
  await close()
}

/** The connector whose code the process is busy with, and the place in it. Null if the process is busy with other code. */
async function findLoop(): Promise<{ connector: Outside; place: string } | null> {
  const session = new Session()
  session.connectToMainThread()
  try {
    for (let look = 0; look < looks && Atomics.load(beat, 0) === last; look++) {
      const asked = session.post('Runtime.evaluate', { expression: readStack, returnByValue: true })
      const stack = String((await Promise.race([asked, sleep(lookMs, null)]))?.result.value)
      for (const connector of outside) {
        const place = placeIn(connector.home, stack.split('\n'))
        if (place !== null) return { connector, place }
      }
      await sleep(beatMs / 10)
    }
    return null
  } finally {
    session.disconnect()
  }
}
