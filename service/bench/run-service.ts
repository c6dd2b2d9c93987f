import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../src/config.ts'
import { connectors } from '../src/connectors/registry.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { parseKeyRing } from '../src/key-ring.ts'
import { startService } from '../src/main.ts'
import { createPartner } from '../src/partners/create-partner.ts'
import { answerParent } from './run-child.ts'

/** The whole service in a process of its own; imports are driven over HTTP, as partner and customer do. */
export type RunService =
  | { start: { databaseUrl: string; keys: string } }
  /** Runs one import to its end, full or only its sample. */
  | { move: { desk: string; sink: string; kind: 'full' | 'sample' } }
  /** Starts a full run and comes back at once. */
  | { begin: { desk: string; sink: string } }
  | { memory: true }

export interface Moved {
  records: number
  seconds: number
  /** Resident memory at the first ten thousand records, and the most after that. */
  rssEarlyMb: number | null
  rssMostMb: number | null
}

let origin = ''
let apiToken = ''

interface Imp {
  id: string
  token: string
  status_code: string
  progress: { done: number }
  items: Record<string, number>
}

const asPartner = async (method: string, path: string, body?: object): Promise<Imp> => {
  const answer = await fetch(`${origin}/api/v2.1${path}`, {
    method,
    headers: { authorization: `Basic ${btoa(`${apiToken}:`)}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as Imp
}

async function begin(desk: string, sink: string, startFull: boolean) {
  const imp = await asPartner('POST', '/imports', { source_tool: 'fernhill', start_full: startFull })
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
  await act('PUT', '/accounts/source', { instance_url: desk, token: 'bench' })
  await act('PUT', '/accounts/destination', { instance_url: sink, token: 'bench' })
  return { id: imp.id, act }
}

async function move(desk: string, sink: string, kind: 'full' | 'sample'): Promise<Moved> {
  const imp = await begin(desk, sink, kind === 'full')
  const start = performance.now()
  if (kind === 'sample') await imp.act('POST', '/runs', { kind })
  const end = kind === 'full' ? 'migration_completed' : 'sample_migration_completed'
  let rssEarlyMb: number | null = null
  let rssMostMb: number | null = null
  for (;;) {
    const { status_code, progress, items } = await asPartner('GET', `/imports/${imp.id}`)
    const rssMb = process.memoryUsage.rss() / 1024 / 1024
    if (progress.done >= 10_000) {
      rssEarlyMb ??= rssMb
      rssMostMb = Math.max(rssMostMb ?? 0, rssMb)
    }
    if (status_code === end) {
      const counts = Object.values(items)
      const records = counts.reduce((sum, count) => sum + count, 0)
      return { records, seconds: (performance.now() - start) / 1000, rssEarlyMb, rssMostMb }
    }
    await sleep(kind === 'full' ? 200 : 50)
  }
}

answerParent(async (question: RunService, cleanup) => {
  if ('start' in question) {
    const { databaseUrl, keys } = question.start
    const limits = {
      WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8',
      WHERRY_RATE_LIMIT: '0',
      WHERRY_LOG_LEVEL: 'error',
      PORT: '0',
    }
    const config = { ...readConfig(limits), databaseUrl, keys }
    const service = await startService(config, { role: 'all', onePerFolder: false, onNotice: () => {} })
    cleanup.defer(() => service.stop())
    origin = String(service.origin).replace('localhost', '127.0.0.1')
    const { db, close } = openDatabase(databaseUrl, { poolSize: 1 })
    const partner = { name: 'Bench', destination: 'open', families: ['helpdesk' as const] }
    apiToken = (await createPartner(db, { connectors, keyRing: parseKeyRing(keys) }, partner)).api_token
    await close()
    return origin
  }
  if ('memory' in question) return process.memoryUsage.rss() / 1024 / 1024
  if ('begin' in question) return (await begin(question.begin.desk, question.begin.sink, true)).id
  return move(question.move.desk, question.move.sink, question.move.kind)
})
