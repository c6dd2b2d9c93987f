import { setTimeout as sleep } from 'node:timers/promises'
import { formatTable } from './print-table.ts'
import { type Child, startChild } from './run-child.ts'
import type { ServeSink } from './serve-sink.ts'
import type { ServeTexts } from './serve-texts.ts'
import type { SeenLoop, ServeWatched } from './serve-watched.ts'
import { startTemporaryService } from './temporary-service.ts'

export interface HostileBench {
  texts: number
  /** The number of additional texts of 10 MB. */
  large: number
  /** Previews that run in parallel. */
  concurrency: number
}

export const hostileDefaults: HostileBench = { texts: 200, large: 8, concurrency: 4 }

const mostAgain = 3

export interface HostileReport {
  api: SeenLoop
  worker: SeenLoop
  /** Latency of a health check that is sent every 20 ms. */
  health: { p99Ms: number; maxMs: number; count: number }
  /** A preview that a busy service asked to repeat counts once. */
  previews: { done: number; failed: number }
  moved: { status: string; tickets: number; simplified: number }
}

/** Previews and then migrates hostile texts, while both processes measure their event loops. */
export async function benchHostile(
  { texts, large, concurrency }: HostileBench,
  cleanup: AsyncDisposableStack,
  onProgress: (line: string) => void,
): Promise<HostileReport> {
  onProgress('Starting a Postgres, an API, a worker and both tools …')
  const temporary = await startTemporaryService(cleanup)
  const databaseUrl = await temporary.createDatabase('hostile')
  const { keys } = temporary
  const source = await startChild(cleanup, 'serve-texts.ts').ask<string>({ texts, large } satisfies ServeTexts)
  const sink = await startChild(cleanup, 'serve-sink.ts').ask<string>({
    latencyMs: 0,
    concurrency: 4,
    batch: 20,
  } satisfies ServeSink)
  const api = startChild(cleanup, 'serve-watched.ts')
  const worker = startChild(cleanup, 'serve-watched.ts')
  const ask = <A>(child: Child, question: ServeWatched) => child.ask<A>(question)
  const origin = await ask<string>(api, { start: { databaseUrl, keys, role: 'api' } })
  await ask(worker, { start: { databaseUrl, keys, role: 'worker' } })
  const apiToken = await ask<string>(worker, { partner: { databaseUrl, keys } })
  const imp = await openImport(origin, apiToken)
  await imp.act('PUT', '/accounts/source', { instance_url: source })
  await imp.act('PUT', '/accounts/destination', { instance_url: sink, token: 'x' })
  while ((await imp.act('GET', '/mapping')).status !== 200) await sleep(100)
  for (const child of [api, worker]) await ask(child, { watch: true })

  onProgress(`Looking at ${texts + large} texts in the portal …`)
  const health = watchHealth(origin)
  const previews = { done: 0, failed: 0 }
  const left = Array.from({ length: texts + large }, (_, id) => String(id))
  const look = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      const preview = () => imp.act('POST', '/mapping/preview', { entity: 'tickets', source_id: id })
      let { status } = await preview()
      for (let again = 0; status === 422 && again < mostAgain; again++) status = (await preview()).status
      if (status === 200) previews.done += 1
      else previews.failed += 1
    }
  }
  await Promise.all(Array.from({ length: concurrency }, look))

  onProgress('Moving them …')
  await imp.asPartner('POST', '/payment/accept')
  await imp.act('POST', '/runs', { kind: 'sample' })
  await imp.until('sample_migration_completed')
  await imp.act('POST', '/runs', { kind: 'full' })
  const moved = await imp.until('migration_completed')
  const simplified = moved.warnings?.find(({ code }) => code === 'text_too_complex')?.count ?? 0
  return {
    api: await ask<SeenLoop>(api, { seen: true }),
    worker: await ask<SeenLoop>(worker, { seen: true }),
    health: await health.stop(),
    previews,
    moved: { status: moved.status_code, tickets: moved.items.tickets ?? 0, simplified },
  }
}

interface Imp {
  id: string
  token: string
  status_code: string
  items: Record<string, number>
  warnings?: { code: string; entity: string; message: string; count: number }[]
}

async function openImport(origin: string, apiToken: string) {
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${origin}/api/v2.1${path}`, {
      method,
      headers: { authorization: `Basic ${btoa(`${apiToken}:`)}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return (await answer.json().catch(() => null)) as Imp
  }
  const { id, token } = await call('POST', '/imports', { source_tool: 'texts', start_full: false })
  const session = await fetch(`${origin}/portal/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id, token }),
  })
  const cookie = String(session.headers.get('set-cookie')).split(';')[0] ?? ''
  return {
    act: async (method: 'GET' | 'POST' | 'PUT', path: string, payload?: object) => {
      const answer = await fetch(`${origin}/portal/imports/${id}${path}`, {
        method,
        headers: { 'content-type': 'application/json', cookie },
        ...(payload === undefined ? {} : { body: JSON.stringify(payload) }),
      })
      await answer.text()
      return { status: answer.status }
    },
    asPartner: (method: string, path: string) => call(method, `/imports/${id}${path}`),
    async until(status: string): Promise<Imp> {
      for (;;) {
        const imp = await call('GET', `/imports/${id}`)
        const obstacle = imp.warnings?.find(({ entity }) => entity === 'run')
        if (obstacle) throw new Error(`stopped by an obstacle: ${obstacle.message}`)
        if (imp.status_code === status) return imp
        await sleep(200)
      }
    },
  }
}

function watchHealth(origin: string) {
  const tookMs: number[] = []
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const start = performance.now()
      await (await fetch(`${origin}/healthz`)).text()
      tookMs.push(performance.now() - start)
      await sleep(20)
    }
  })()
  return {
    async stop() {
      isOver = true
      await watching
      const sorted = tookMs.toSorted((a, b) => a - b)
      const p99Ms = sorted[Math.floor(sorted.length * 0.99)] ?? 0
      return { p99Ms, maxMs: sorted.at(-1) ?? 0, count: sorted.length }
    },
  }
}

export function formatHostileReport({ api, worker, health, previews, moved }: HostileReport): string {
  const ms = (value: number) => `${value.toFixed(1)} ms`
  const row = (name: string, { p99Ms, maxMs, longestCpuMs, rssMostMb }: SeenLoop) => [
    name,
    ms(p99Ms),
    ms(maxMs),
    ms(longestCpuMs),
    `${rssMostMb.toFixed()} MB`,
  ]
  const table = formatTable([
    ['event loop', 'delay p99', 'delay max', 'computed at once', 'memory'],
    row('API', api),
    row('worker', worker),
  ])
  return `${table}

  Limits: p99 50 ms and max 200 ms for the API; 512 MB for each. Waiting for the processor counts in a delay, but not in "computed at once".
  Health checks: ${health.count}, p99 ${ms(health.p99Ms)}, max ${ms(health.maxMs)}.
  Previews: ${previews.done} shown, ${previews.failed} refused. Then ${moved.tickets} tickets arrived; ${moved.simplified} of them as plain text.`
}
