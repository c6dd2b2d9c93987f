import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Program, startProgram } from '../support/program.ts'
import { testKeys } from '../support/service.ts'
import { compare, nothingWrong } from './check-harbour.ts'
import { type PassedRequest, startProxy, type Tamper } from './tampering-proxy.ts'
import { deskKey, harbourToken, startWholeService, type WholeService } from './whole-service.ts'

const limit = { timeout: 900_000 }
const patient = { timeout: 300_000, interval: 100 }
const concurrency = 3

let whole: WholeService
let cleanup = new AsyncDisposableStack()
let proxyUrl: string
const workers: Program[] = []
/** Requests that the destination has not answered yet, by import. */
const underWay = new Map<string, number>()
let mostAtOnce = 0
let isShared = false
let requests = 0
let isTooMuch = false

beforeAll(async () => {
  whole = await startWholeService({ workers: 0 })
  cleanup.defer(() => whole.close())
  const proxy = await startProxy(whole.harbour.baseUrl, destination)
  cleanup.defer(() => proxy.close())
  proxyUrl = proxy.url
}, 900_000)
afterAll(async () => {
  for (const { child, finished } of workers) {
    child.kill('SIGKILL')
    await finished
  }
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const importOf = ({ body, query }: PassedRequest) =>
  /imp_[0-9a-z]+/.exec(`${query.get('external_id') ?? ''} ${body.toString('latin1')}`)?.[0] ?? ''

/** A slow Harbour with small batches, which accepts only a few at once. */
const destination: Tamper = async (request, pass) => {
  const importId = importOf(request)
  requests++
  underWay.set(importId, (underWay.get(importId) ?? 0) + 1)
  const counts = [...underWay.values()]
  mostAtOnce = Math.max(
    mostAtOnce,
    counts.reduce((sum, count) => sum + count),
  )
  isShared ||= counts.filter((count) => count > 0).length > 1
  try {
    if (isTooMuch && importId !== '') {
      isTooMuch = false
      return { status: 429, headers: { 'retry-after': '300' }, body: '{}' }
    }
    const answer = await pass()
    // Some requests take so long that the shares change meanwhile.
    await sleep(requests % 10 === 0 ? 800 : 30)
    if (request.path !== '/describe') return answer
    const description = JSON.parse(String(answer.body))
    return {
      ...answer,
      body: JSON.stringify({
        ...description,
        // Harbour does not identify its account here, so its address and the token do.
        account: { name: description.account.name },
        limits: { ...description.limits, batch: 40, concurrency },
      }),
    }
  } finally {
    underWay.set(importId, (underWay.get(importId) ?? 1) - 1)
  }
}

/** An import whose full migration is only waiting for a worker. */
async function planImport(username: string): Promise<string> {
  const portal = await whole.openPortal({ start_full: true })
  for (const [role, instance_url, token] of [
    ['source', whole.fernhill.url, deskKey],
    ['destination', proxyUrl, harbourToken],
  ]) {
    expect(await portal.act('PUT', `/accounts/${role}`, { instance_url, token, username })).toMatchObject({
      status: 200,
    })
  }
  expect((await (await startWorker(portal.id, 'plan')).finished).code).toBe(7)
  return portal.id
}

/** A separate worker process for one run. */
async function startWorker(importId: string, kind: 'plan' | 'full'): Promise<Program> {
  const { id } = await whole.db
    .selectFrom('runs')
    .select('id')
    .where('import_id', '=', importId)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  const args = [String(whole.config.databaseUrl), id, testKeys, 'never', '0']
  const worker = startProgram(process.execPath, [join(import.meta.dirname, 'crash-worker.ts'), ...args], {
    env: { PATH: process.env.PATH },
  })
  workers.push(worker)
  return worker
}

test(
  'two processes on one account never send more requests at once than it accepts, and wait together',
  limit,
  async () => {
    const ids = [await planImport('ann@example.com'), await planImport('bob@example.com')]
    const imports: { importId: string; worker: Program }[] = []
    for (const importId of ids) imports.push({ importId, worker: await startWorker(importId, 'full') })
    await vi.waitFor(() => expect(isShared).toBe(true), patient)
    isTooMuch = true
    // One worker is asked to wait; both stop sending.
    await vi.waitFor(async () => {
      const before = requests
      await sleep(2_000)
      expect([isTooMuch, requests]).toEqual([false, before])
    }, patient)
    const silent = requests
    // Slow answers of a busy machine may have lowered the limit before.
    const paces = await sql`
    select allowed <= ${concurrency / 2}::float8 as is_halved, blocked_until > clock_timestamp() as is_blocked
    from account_paces where blocked_until > '-infinity'`.execute(whole.db)
    expect(paces.rows).toContainEqual({ is_halved: true, is_blocked: true })
    expect(requests).toBe(silent)
    await sql`update account_paces set blocked_until = '-infinity'`.execute(whole.db)
    for (const { worker } of imports) expect((await worker.finished).code).toBe(7)
    expect(mostAtOnce).toBeLessThanOrEqual(concurrency)
    expect(mostAtOnce).toBeGreaterThan(1)
    for (const { importId } of imports) {
      expect(await whole.asPartner('GET', `/imports/${importId}`)).toMatchObject({ status_code: 'migration_completed' })
    }
    expect(await compare(whole)).toEqual(nothingWrong)
  },
)
