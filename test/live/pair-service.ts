import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { readConfig } from '../../service/src/config.ts'
import type { AccountAccess } from '../../service/src/connectors/contract/contract.ts'
import { connectors } from '../../service/src/connectors/registry.ts'
import { openDatabase } from '../../service/src/db/open-database.ts'
import type { Family } from '../../service/src/families/index.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { startService } from '../../service/src/main.ts'
import { createPartner } from '../../service/src/partners/create-partner.ts'
import { createTestDatabase } from '../support/database.ts'
import { testKeys } from '../support/service.ts'
import { readPlaces } from './place.ts'

// The service as it runs in production, driven only through its HTTP routes: the partner API and the customer's page.

const wherry = join(import.meta.dirname, '../../service/bin/wherry.mjs')
const watcher = join(import.meta.dirname, 'watch-requests.ts')
const environment = { WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8', WHERRY_LOG_LEVEL: 'silent', WHERRY_RATE_LIMIT: '0' }
/** The limit of a worker's heap. A worker that needs more ends at once, after any number of records. */
const heapMb = 160
/** Real tools are slow, and slower on a busy machine. */
export const patienceMs = process.env.WHERRY_LIVE_LONG === '1' ? 10_800_000 : 1_500_000

export interface PairService {
  startWorker(): Promise<void>
  /** The most MB by which the memory of a worker grew since it was ready. */
  readGrowth(): Promise<number>
  /** Kills the workers, as a power failure would. */
  killWorkers(): Promise<void>
  openPortal(options: PortalOptions): Promise<Portal>
  /** Closes the service, and fails if a worker sent a request that a real tool does not have. */
  close(): Promise<void>
}

export interface PortalOptions {
  from: string
  to: string
  family: Family
  /** Starts the full migration as soon as both accounts are connected. */
  startsFull?: boolean
}

/** Starts the HTTP part, and one worker in its own process. */
export async function startPairService(): Promise<PairService> {
  await using cleanup = new AsyncDisposableStack()
  const own = await createTestDatabase()
  cleanup.defer(() => own.drop())
  const config = { ...readConfig({ ...environment, PORT: '0' }), databaseUrl: own.url, keys: testKeys }
  const api = await startService(config, { role: 'api', onePerFolder: false, onNotice: () => {} })
  cleanup.defer(() => api.stop())
  const origin = String(api.origin).replace('localhost', '127.0.0.1')
  const folder = await mkdtemp(join(tmpdir(), 'wherry-pairs-'))
  cleanup.defer(() => rm(folder, { recursive: true }))
  const wrongRequests = join(folder, 'wrong-requests')
  const workers = new Map<ChildProcess, number>()
  let growth = 0
  const measure = async () => {
    for (const [{ pid }, atFirst] of workers) growth = Math.max(growth, (await readPeak(pid)) - atFirst)
  }
  cleanup.defer(async () => {
    for (const worker of workers.keys()) await end(worker, 'SIGTERM')
    expect(await readFile(wrongRequests, 'utf8').catch(() => '')).toBe('')
  })
  const startWorker = async (): Promise<void> => {
    const child = spawn(process.execPath, [wherry, 'serve', '--role', 'worker'], {
      env: {
        // tidy-up.ts uses TMPDIR to find the programs of a run that was killed.
        ...{ PATH: process.env.PATH, TMPDIR: process.env.TMPDIR },
        ...{ NODE_OPTIONS: `--max-old-space-size=${heapMb} --import=${watcher}` },
        ...{ LIVE_TOOLS: JSON.stringify(toolsByOrigin()), WRONG_REQUESTS: wrongRequests },
        ...{ ...environment, DATABASE_URL: own.url, WHERRY_KEYS: testKeys },
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await new Promise<void>((resolve, reject) => {
      child.once('exit', () => reject(new Error('the worker ended while it was starting')))
      child.stdout?.once('data', () => resolve())
    })
    workers.set(child, await readPeak(child.pid))
  }
  await startWorker()
  const running = cleanup.move()
  return {
    startWorker,
    async readGrowth() {
      await measure()
      return growth
    },
    async killWorkers() {
      await measure()
      for (const worker of workers.keys()) await end(worker, 'SIGKILL')
      workers.clear()
    },
    async openPortal({ from, to, family, startsFull = false }) {
      const database = openDatabase(own.url, { poolSize: 1 })
      const parts = { connectors, keyRing: parseKeyRing(testKeys) }
      const partner = { name: 'Acme', destination: to, families: [family] }
      const { api_token: token } = await createPartner(database.db, parts, partner).finally(() => database.close())
      return openPortal(origin, token, { source_tool: from, family, start_full: startsFull })
    },
    close: () => running.disposeAsync(),
  }
}

const toolsByOrigin = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(readPlaces()).flatMap(([tool, places]) =>
      Object.values(places ?? {}).map(({ url }) => [new URL(url).origin, tool]),
    ),
  )

/** The peak memory of a process, in MB. */
async function readPeak(pid: number | undefined): Promise<number> {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await ended
}

export type Portal = Awaited<ReturnType<typeof openPortal>>

async function openPortal(origin: string, apiToken: string, body: object) {
  const asPartner = async (method: string, path: string, payload?: object) => {
    const answer = await fetch(`${origin}/api/v2.1${path}`, {
      method,
      headers: { authorization: `Basic ${btoa(`${apiToken}:`)}`, 'content-type': 'application/json' },
      ...(payload === undefined ? {} : { body: JSON.stringify(payload) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
  const created = await asPartner('POST', '/imports', body)
  const session = await fetch(`${origin}/portal/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: created.id, token: created.token }),
  })
  const cookie = String(session.headers.get('set-cookie')).split(';')[0] ?? ''
  const send = async (method: string, path: string, payload?: object | Uint8Array) => {
    const isBytes = payload instanceof Uint8Array
    const answer = await fetch(`${origin}/portal/imports/${created.id}${path}`, {
      method,
      headers: { 'content-type': isBytes ? 'application/octet-stream' : 'application/json', cookie },
      ...(payload === undefined ? {} : { body: isBytes ? (payload as unknown as Blob) : JSON.stringify(payload) }),
    })
    const text = await answer.text()
    return { status: answer.status, json: text === '' ? null : JSON.parse(text) }
  }
  const act = async (method: string, path: string, payload?: object | Uint8Array) => {
    const { status, json } = await send(method, path, payload)
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(json)}`)
    return json
  }
  const status = () => asPartner('GET', `/imports/${created.id}`)
  /** Calls `look` again and again until it returns something. */
  const wait = async <Found>(what: string, look: () => Promise<Found | null>, pauseMs = 250): Promise<Found> => {
    const limit = Date.now() + patienceMs
    for (;;) {
      const found = await look()
      if (found !== null) return found
      if (Date.now() > limit) throw new Error(`waited in vain for ${what}: ${JSON.stringify(await status())}`)
      await sleep(pauseMs)
    }
  }
  return {
    id: created.id as string,
    act,
    send,
    status,
    wait,
    connect: (role: 'source' | 'destination', { instanceUrl, username, token }: AccountAccess) =>
      act('PUT', `/accounts/${role}`, { instance_url: instanceUrl, token, ...(username === null ? {} : { username }) }),
    sponsor: () => asPartner('POST', `/imports/${created.id}/payment/accept`),
    plan: () =>
      wait('the plan', async () => {
        const plan = await act('GET', '/plan')
        if (plan.state === 'paused') throw new Error(`the plan met an obstacle: ${JSON.stringify(plan.obstacle)}`)
        return plan.state === 'finished' ? plan : null
      }),
    start: (kind: string, options: object = {}) => act('POST', '/runs', { kind, ...options }),
    /** Waits for the status in which a run ends. Returns the import. */
    until: (code: string) =>
      wait(code, async () => {
        const imp = await status()
        const obstacle = imp.warnings?.find(({ entity }: { entity: string }) => entity === 'run')
        if (imp.status_code !== code && obstacle) throw new Error(`stopped by an obstacle: ${obstacle.message}`)
        return imp.status_code === code ? imp : null
      }),
    /** Waits until the run pauses. Returns its obstacle. */
    obstacle: (code: string): Promise<{ code: string; message: string }> =>
      wait(code, async () => {
        const { warnings = [], status_code } = await status()
        if (isOver(status_code)) throw new Error(`it was over before it could be paused by ${code}`)
        const isIt = (warning: { code: string; entity: string }) => warning.entity === 'run' && warning.code === code
        return warnings.find(isIt) ?? null
      }),
    /** Waits until this number of records is written. It checks often, so that little happens after that. */
    untilWritten: (entity: string, count: number) =>
      wait(
        `${count} ${entity}`,
        async () => {
          const { items, status_code } = await status()
          if (isOver(status_code)) throw new Error(`it was over before anything could happen at ${count} ${entity}`)
          return items[entity] >= count ? true : null
        },
        50,
      ),
    async records(): Promise<LedgerRecord[]> {
      const all: LedgerRecord[] = []
      let after = ''
      for (;;) {
        const { records, next } = await act('GET', `/records?limit=200${after}`)
        all.push(...records)
        if (next === null) return all
        after = `&after=${encodeURIComponent(next)}`
      }
    },
  }
}

const isOver = (status: string) => status === 'migration_completed' || status === 'migration_cleaned'

export interface LedgerRecord {
  entity: string
  source_id: string
  state: string
  code: string | null
  message: string | null
  destination_id: string | null
}

/** Expects that the ledger contains no unexplained row. */
export function expectClosed(records: readonly LedgerRecord[], explained: readonly string[] = []): void {
  const odd = records
    .filter(({ state, code }) => (state !== 'written' && state !== 'matched') || code !== null)
    .map(({ entity, source_id, state, code, message }) => `${entity} ${source_id} ${state} ${code}: ${message}`)
  expect(odd.filter((line) => !explained.some((start) => line.startsWith(start)))).toEqual([])
}
