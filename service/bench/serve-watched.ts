import { monitorEventLoopDelay } from 'node:perf_hooks'
import { readConfig } from '../src/config.ts'
import { connectors } from '../src/connectors/registry.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { parseKeyRing } from '../src/key-ring.ts'
import { type Role, startService } from '../src/main.ts'
import { createPartner } from '../src/partners/create-partner.ts'
import { answerParent } from './run-child.ts'
import { textsConnector } from './texts-connector.ts'

/** Runs one role of the service, and measures its event loop. */
export type ServeWatched =
  | { start: { databaseUrl: string; keys: string; role: Role } }
  | { partner: { databaseUrl: string; keys: string } }
  /** Starts the measurement. */
  | { watch: true }
  | { seen: true }

export interface SeenLoop {
  /** The delay of a timer. */
  p99Ms: number
  maxMs: number
  /** The longest computation that blocks the event loop. Time spent waiting for the processor does not count. */
  longestCpuMs: number
  rssMostMb: number
}

const resolutionMs = 5
const delay = monitorEventLoopDelay({ resolution: resolutionMs })
let longestCpuMs = 0
let rssMostMb = 0
let lastCpu = 0

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
const look = () => {
  const now = cpuMs()
  longestCpuMs = Math.max(longestCpuMs, now - lastCpu)
  lastCpu = now
}
const remember = () => {
  rssMostMb = Math.max(rssMostMb, process.memoryUsage.rss() / 1024 / 1024)
}

answerParent(async (question: ServeWatched, cleanup) => {
  const known = [...connectors, textsConnector]
  if ('start' in question) {
    const { databaseUrl, keys, role } = question.start
    const settings = {
      WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8',
      WHERRY_RATE_LIMIT: '0',
      WHERRY_LOG_LEVEL: 'error',
      PORT: '0',
    }
    const config = { ...readConfig(settings), databaseUrl, keys }
    const options = { role, connectors: known, onePerFolder: false, onNotice: () => {} }
    const service = await startService(config, options)
    cleanup.defer(() => service.stop())
    return service.origin?.replace('localhost', '127.0.0.1') ?? null
  }
  if ('partner' in question) {
    const { databaseUrl, keys } = question.partner
    const { db, close } = openDatabase(databaseUrl, { poolSize: 1 })
    const partner = { name: 'Bench', destination: 'open', families: ['helpdesk'] as ['helpdesk'] }
    const { api_token } = await createPartner(db, { connectors: known, keyRing: parseKeyRing(keys) }, partner)
    await close()
    return api_token
  }
  if ('watch' in question) {
    delay.enable()
    delay.reset()
    lastCpu = cpuMs()
    longestCpuMs = 0
    const timers = [setInterval(look, 1), setInterval(remember, 50)]
    cleanup.defer(() => timers.forEach(clearInterval))
    return null
  }
  remember()
  const toMs = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolutionMs)
  return { p99Ms: toMs(delay.percentile(99)), maxMs: toMs(delay.max), longestCpuMs, rssMostMb } satisfies SeenLoop
})
