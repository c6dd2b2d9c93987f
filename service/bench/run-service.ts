import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../src/config.ts'
import type { AccountAccess, LimitBucket } from '../src/connectors/contract/contract.ts'
import { connectors } from '../src/connectors/registry.ts'
import { openDatabase } from '../src/db/open-database.ts'
import type { Family } from '../src/families/index.ts'
import { parseKeyRing } from '../src/key-ring.ts'
import { type Role, startService } from '../src/main.ts'
import { createPartner } from '../src/partners/create-partner.ts'
import type { SeenImport } from './drive-import.ts'
import { answerParent } from './run-child.ts'

/** Runs the whole service in a separate process. Imports are driven over HTTP, as partner and customer do. */
export type RunService =
  | {
      start: {
        databaseUrl: string
        keys: string
        destination?: string
        family?: Family
        clock?: ClockOfTools
        /** The default runs all roles in this process. */
        role?: Role
      }
    }
  /** Drives a service that already runs. */
  | { attach: { origin: string; apiToken: string } }
  /** Runs one import to its end, fully or only its sample. */
  | { move: { desk: string; sink: string; kind: 'full' | 'sample' } }
  /** Runs this many imports to their ends, in parallel. */
  | { moveMany: { desk: string; sink: string; imports: number } }
  /** Runs one import between two accounts of a real tool. */
  | { moveLive: { tool: string; source: AccountAccess; destination: AccountAccess } }
  /** Starts a full run, and returns at once. */
  | { begin: { desk: string; sink: string } }
  /** Connects both accounts of an import, and returns at once. `click` then starts its sample. */
  | { prepare: { desk: string; sink: string } }
  /** Starts the sample, and returns the time of the customer's click in milliseconds since 1970. */
  | { click: { id: string } }
  | { memory: true }

/** `none`: the tools have no limits. A number: the factor by which the tools' clock is faster than ours. */
export type ClockOfTools = 'none' | number

export interface Moved {
  records: number
  seconds: number
  /** Processor time of the process during the move, without Postgres. */
  cpuMs: number
  /** Resident memory after the first ten thousand records, and its maximum after that. */
  rssEarlyMb: number | null
  rssMostMb: number | null
}

const prepared = new Map<string, Awaited<ReturnType<typeof begin>>>()
let origin = ''
let apiToken = ''

const asPartner = async (method: string, path: string, body?: object): Promise<SeenImport> => {
  const answer = await fetch(`${origin}/api/v2.1${path}`, {
    method,
    headers: { authorization: `Basic ${btoa(`${apiToken}:`)}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as SeenImport
}

/** Every import gets its own accounts, as customers do. */
const benchAccess = (instanceUrl: string): AccountAccess => ({ instanceUrl, username: null, token: randomUUID() })

async function begin(tool: string, source: AccountAccess, destination: AccountAccess, startFull: boolean) {
  const imp = await asPartner('POST', '/imports', { source_tool: tool, start_full: startFull })
  const session = await fetch(`${origin}/portal/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: imp.id, token: imp.token }),
  })
  const cookie = String(session.headers.get('set-cookie')).split(';')[0] ?? ''
  const act = async (method: string, path: string, payload: object) => {
    const answer = await fetch(`${origin}/portal/imports/${imp.id}${path}`, {
      method,
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(payload),
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  }
  const toBody = ({ instanceUrl, username, token }: AccountAccess) => ({
    instance_url: instanceUrl,
    token,
    ...(username === null ? {} : { username }),
  })
  await act('PUT', '/accounts/source', toBody(source))
  await act('PUT', '/accounts/destination', toBody(destination))
  return { id: imp.id, act }
}

async function move(
  tool: string,
  source: AccountAccess,
  destination: AccountAccess,
  kind: 'full' | 'sample',
  pauseMs: (progress: SeenImport['progress']) => number,
): Promise<Moved> {
  const imp = await begin(tool, source, destination, kind === 'full')
  // The plan takes equally long for large and small accounts, so the measurement starts with the migration.
  while (kind === 'full' && (await asPartner('GET', `/imports/${imp.id}`)).status_code === 'in_preparation') {
    await sleep(10)
  }
  const start = performance.now()
  const usedBefore = process.cpuUsage()
  if (kind === 'sample') await imp.act('POST', '/runs', { kind })
  const end = kind === 'full' ? 'migration_completed' : 'sample_migration_completed'
  let rssEarlyMb: number | null = null
  let rssMostMb: number | null = null
  for (;;) {
    const { status_code, progress, items, warnings = [] } = await asPartner('GET', `/imports/${imp.id}`)
    const obstacle = warnings.find(({ entity }) => entity === 'run')
    // Continues like a customer who found no mail.
    if (obstacle?.code === 'look_for_mail') await imp.act('POST', '/resume', {})
    // A spent budget is no failure: the next day brings a new one.
    else if (obstacle && obstacle.code !== 'budget_spent')
      throw new Error(`stopped by an obstacle: ${obstacle.message}`)
    const rssMb = process.memoryUsage.rss() / 1024 / 1024
    if (progress.done >= 10_000) {
      rssEarlyMb ??= rssMb
      rssMostMb = Math.max(rssMostMb ?? 0, rssMb)
    }
    if (status_code === end) {
      const counts = Object.values(items)
      const records = counts.reduce((sum, count) => sum + count, 0)
      const { user, system } = process.cpuUsage(usedBefore)
      const seconds = (performance.now() - start) / 1000
      return { records, seconds, cpuMs: (user + system) / 1000, rssEarlyMb, rssMostMb }
    }
    await sleep(pauseMs(progress))
  }
}

/** Measures from the first migration's start to the last one's end. The plans before are not part of the time. */
async function moveMany(desk: string, sink: string, count: number): Promise<Pick<Moved, 'records' | 'seconds'>> {
  const imports = await Promise.all(
    Array.from({ length: count }, () => begin('fernhill', benchAccess(desk), benchAccess(sink), true)),
  )
  let start: number | null = null
  for (;;) {
    const seen = await Promise.all(imports.map(({ id }) => asPartner('GET', `/imports/${id}`)))
    const obstacle = seen.flatMap(({ warnings = [] }) => warnings).find(({ entity }) => entity === 'run')
    if (obstacle) throw new Error(`stopped by an obstacle: ${obstacle.message}`)
    if (seen.some(({ progress }) => progress.done > 0)) start ??= performance.now()
    if (start !== null && seen.every(({ status_code }) => status_code === 'migration_completed')) {
      const records = seen.flatMap(({ items }) => Object.values(items)).reduce((sum, one) => sum + one, 0)
      return { records, seconds: (performance.now() - start) / 1000 }
    }
    await sleep(100)
  }
}

/**
 * Shortens the windows of our limits by the clock's factor. Reset times from the tool's answers are ignored, because
 * they follow from the windows.
 */
function setClock(clock: ClockOfTools): void {
  for (const connector of connectors) {
    const limits = (connector.limits ?? []).map((bucket): LimitBucket => {
      const { learn } = bucket
      return {
        ...bucket,
        perMs: bucket.perMs / Number(clock),
        ...(learn && {
          learn: (answer, request) => {
            const { resetMs: _, ...told } = learn(answer, request) ?? {}
            return told
          },
        }),
      }
    })
    Object.assign(connector, { limits: clock === 'none' ? [] : limits })
  }
}

answerParent(async (question: RunService, cleanup) => {
  if ('start' in question) {
    const { databaseUrl, keys, clock } = question.start
    if (clock !== undefined) setClock(clock)
    const limits = {
      WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8',
      WHERRY_RATE_LIMIT: '0',
      WHERRY_LOG_LEVEL: 'error',
      PORT: '0',
    }
    const config = { ...readConfig(limits), databaseUrl, keys }
    const { role = 'all' } = question.start
    const service = await startService(config, { role, onePerFolder: false, onNotice: () => {} })
    cleanup.defer(() => service.stop())
    if (role === 'worker') return null
    origin = String(service.origin).replace('localhost', '127.0.0.1')
    const { db, close } = openDatabase(databaseUrl, { poolSize: 1 })
    const { destination = 'open', family = 'helpdesk' } = question.start
    const partner = { name: 'Bench', destination, families: [family] }
    apiToken = (await createPartner(db, { connectors, keyRing: parseKeyRing(keys) }, partner)).api_token
    await close()
    return origin
  }
  if ('attach' in question) {
    ;({ origin, apiToken } = question.attach)
    return origin
  }
  if ('memory' in question) return process.memoryUsage.rss() / 1024 / 1024
  if ('begin' in question) {
    return (await begin('fernhill', benchAccess(question.begin.desk), benchAccess(question.begin.sink), true)).id
  }
  if ('prepare' in question) {
    const { desk, sink } = question.prepare
    const imp = await begin('fernhill', benchAccess(desk), benchAccess(sink), false)
    prepared.set(imp.id, imp)
    return imp.id
  }
  if ('click' in question) {
    const clickedAt = performance.timeOrigin + performance.now()
    await prepared.get(question.click.id)?.act('POST', '/runs', { kind: 'sample' })
    return clickedAt
  }
  if ('moveMany' in question) {
    return moveMany(question.moveMany.desk, question.moveMany.sink, question.moveMany.imports)
  }
  if ('moveLive' in question) {
    const { tool, source, destination } = question.moveLive
    return move(tool, source, destination, 'full', () => 200)
  }
  const { desk, sink, kind } = question.move
  // Status requests load the measured process, so they are frequent only near the end.
  const seldom = ({ done, total }: SeenImport['progress']) =>
    kind === 'sample' || done > 0.9 * (total ?? 0) ? 50 : 1_000
  return move('fernhill', benchAccess(desk), benchAccess(sink), kind, seldom)
})
