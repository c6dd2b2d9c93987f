import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { fernhill } from '../../service/src/connectors/helpdesk/fernhill/index.ts'
import { open } from '../../service/src/connectors/open/index.ts'
import { type ApiAnswer, startTestService, type TestPartner, type TestService } from '../support/service.ts'
import { withDestination } from './harmless.ts'
import { type OwnPostgres, startOwnPostgres } from './own-postgres.ts'

/**
 * The service gives up after some seconds. A busy machine needs longer; a service without a limit would never answer.
 */
const boundMs = 120_000
const limit = { timeout: 900_000 }

let postgres: OwnPostgres
let service: TestService
let partner: TestPartner
let importId: string
/** While set, it is called and awaited whenever a destination account is checked. */
let onDestinationCheck: () => Promise<void> = async () => {}
const uncaught: unknown[] = []
const onUncaught = (error: unknown) => void uncaught.push(error)

beforeAll(async () => {
  process.on('uncaughtException', onUncaught)
  postgres = await startOwnPostgres()
  const waiting = withDestination(open, {
    requires: [],
    checkAccount: async () => {
      await onDestinationCheck()
      return { name: 'Acme' }
    },
  })
  service = await startTestService({
    databaseUrl: postgres.url,
    config: { rateLimit: 1000, failedAuthLimit: 1_000_000 },
    connectors: [fernhill, waiting],
  })
  partner = await service.createPartner()
  importId = (await partner.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill' })).json.id
})
afterEach(() => {
  onDestinationCheck = async () => {}
  uncaught.length = 0
})
afterAll(async () => {
  await postgres?.thaw().catch(() => {})
  await postgres?.ensureRunning()
  await service?.close()
  await postgres?.close()
  process.off('uncaughtException', onUncaught)
})

interface TimedAnswer {
  answer: ApiAnswer
  ms: number
}

async function timed(asking: Promise<ApiAnswer>): Promise<TimedAnswer> {
  const startedAt = performance.now()
  return { answer: await asking, ms: performance.now() - startedAt }
}

function expectUnavailable({ answer, ms }: TimedAnswer): void {
  expect(answer.status, answer.text).toBe(503)
  expect(answer.json).toEqual({ error: 'unavailable', message: expect.any(String) })
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  expect(answer.text).not.toMatch(/ECONN|postgres:|127\.0\.0\.1|timeout exceeded|node_modules/)
  expect(ms).toBeLessThan(boundMs)
}

const everyRoute = () => [
  partner.call('GET', '/api/v2.1/tools'),
  partner.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill' }, { 'idempotency-key': 'while it is gone' }),
  partner.call('GET', '/api/v2.1/imports?destination_username=ann'),
  partner.call('GET', `/api/v2.1/imports/${importId}`),
  partner.call('POST', `/api/v2.1/imports/${importId}/payment/accept`),
  partner.call('POST', `/api/v2.1/imports/${importId}/payment/reject`),
  partner.call('GET', '/api/v2.1/nothing'),
  partner.call('GET', '/api/sandbox/tools'),
  partner.call('POST', '/api/sandbox/imports', { source_tool: 'fernhill' }),
]

/** Expects that routes which need no database still work. */
async function expectTheRestWorks(): Promise<void> {
  for (const { answer, ms } of await Promise.all([
    timed(service.call('GET', '/healthz')),
    timed(service.call('GET', '/api/openapi.json')),
    timed(service.call('GET', '/docs/')),
  ])) {
    expect(answer.status).toBe(200)
    expect(ms).toBeLessThan(boundMs)
  }
  for (const token of [undefined, '', 'nonsense']) {
    const call = service.call('GET', '/api/v2.1/tools', token === undefined ? {} : { token })
    const { answer, ms } = await timed(call)
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, expect.stringContaining('Basic')])
    expect(ms).toBeLessThan(boundMs)
  }
}

/** Expects that the same app serves again, with its old state, and that no connection stays open in the database. */
async function expectRecovery(): Promise<void> {
  await vi.waitFor(async () => expect((await service.call('GET', '/readyz')).status).toBe(200), {
    timeout: 300_000,
    interval: 200,
  })
  const startedAt = Date.now()
  for (let round = 0; round < 3; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => partner.call('GET', `/api/v2.1/imports/${importId}`)),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  }
  expect((await partner.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill' })).status).toBe(201)
  expect((await partner.call('POST', `/api/v2.1/imports/${importId}/payment/accept`)).status).toBe(200)
  expect(Date.now() - startedAt).toBeLessThan(boundMs)
  const leftOpen = async () => {
    const { rows } = await service.pool.query(
      `select state, query from pg_stat_activity where application_name = 'wherry' and state like 'idle in transaction%'`,
    )
    return rows
  }
  await expect.poll(leftOpen, { timeout: boundMs }).toEqual([])
}

/** Locks the import's row, and returns once a decision about the import waits for that row. */
async function holdTheRowUnder(decision: () => Promise<ApiAnswer>) {
  const holder = new pg.Client({ connectionString: postgres.url, application_name: 'the holder of the row' })
  holder.on('error', () => {})
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from imports where id = $1 for update', [importId])
  const answer = timed(decision())
  answer.catch(() => {})
  const waiting = async () => {
    const { rowCount } = await holder.query(
      `select from pg_stat_activity where application_name = 'wherry' and wait_event_type = 'Lock'`,
    )
    expect(rowCount).toBe(1)
  }
  await vi.waitFor(waiting, { timeout: boundMs, interval: 10 })
  return { answer, release: () => holder.end().catch(() => {}) }
}

describe('a database that was killed', () => {
  test(
    'gives 503 everywhere within a bounded time, also to many requests at once, and is used again when it is back',
    limit,
    async () => {
      await postgres.kill()
      await vi.waitFor(async () => expect((await service.call('GET', '/readyz')).status).toBe(503), {
        timeout: 300_000,
      })
      expectUnavailable(await timed(service.call('GET', '/readyz')))
      await expectTheRestWorks()
      for (const result of await Promise.all(everyRoute().map(timed))) expectUnavailable(result)
      const many = Array.from({ length: 50 }, () => timed(partner.call('GET', '/api/v2.1/tools')))
      for (const result of await Promise.all(many)) expectUnavailable(result)
      await postgres.ensureRunning()
      await expectRecovery()
      expect(uncaught).toEqual([])
    },
  )

  test('ends a running transaction with a 503, and not the process', limit, async () => {
    const { answer, release } = await holdTheRowUnder(() =>
      partner.call('POST', `/api/v2.1/imports/${importId}/payment/reject`),
    )
    await postgres.kill()
    expectUnavailable(await answer)
    await release()
    await postgres.ensureRunning()
    await expectRecovery()
    expect((await partner.call('GET', `/api/v2.1/imports/${importId}`)).json.sponsorship).toBe('accepted')
    expect(uncaught).toEqual([])
  })

  test('does not let a request that needed no query meanwhile create half an import', limit, async () => {
    const reached = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    onDestinationCheck = async () => {
      reached.resolve()
      await goOn.promise
    }
    const creating = timed(
      partner.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill', destination_token: 't' }),
    )
    creating.catch(() => {})
    await reached.promise
    await postgres.kill()
    await vi.waitFor(async () => expect((await service.call('GET', '/readyz')).status).toBe(503), { timeout: 300_000 })
    goOn.resolve()
    expectUnavailable(await creating)
    onDestinationCheck = async () => {}
    await postgres.ensureRunning()
    await expectRecovery()
    const { rows } = await service.pool.query(
      `select (select count(*) from imports) = (select count(*) from events) as whole,
         (select count(*)::int from authorizations) as authorizations`,
    )
    expect(rows).toEqual([{ whole: true, authorizations: 0 }])
    expect(uncaught).toEqual([])
  })
})

describe('a database that is frozen', () => {
  const results = new Map<string, Promise<TimedAnswer[]>>()

  // All cases share one freeze, because each takes as long as the service's time limit.
  beforeAll(async () => {
    await Promise.all(Array.from({ length: 30 }, () => partner.call('GET', `/api/v2.1/imports/${importId}`)))
    const underWay = await holdTheRowUnder(() => partner.call('POST', `/api/v2.1/imports/${importId}/payment/reject`))
    const reached = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    onDestinationCheck = async () => {
      reached.resolve()
      await goOn.promise
    }
    const creating = partner.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill' })
    await reached.promise
    await postgres.freeze()
    goOn.resolve()
    results.set('a transaction about to begin', Promise.all([timed(creating)]))
    results.set(
      'a transaction under way',
      underWay.answer.then((result) => [result]),
    )
    // The last answer of /readyz is cached for a second.
    results.set(
      '/readyz',
      sleep(1_200).then(() => Promise.all([timed(service.call('GET', '/readyz'))])),
    )
    results.set('every route', Promise.all(everyRoute().map(timed)))
    results.set(
      '50 requests at once',
      Promise.all(Array.from({ length: 50 }, () => timed(partner.call('GET', '/api/v2.1/tools')))),
    )
    for (const result of results.values()) result.catch(() => {})
    await expectTheRestWorks()
    await Promise.allSettled(results.values())
    // The routes are requested again, now that no earlier connection is left.
    results.set('what comes later', Promise.all(everyRoute().map(timed)))
    await Promise.allSettled(results.values())
    await postgres.thaw()
    await underWay.release()
    onDestinationCheck = async () => {}
  }, 900_000)

  test.each([
    '/readyz',
    'every route',
    '50 requests at once',
    'a transaction about to begin',
    'a transaction under way',
    'what comes later',
  ])('gives 503 within a bounded time: %s', async (name) => {
    for (const result of (await results.get(name)) ?? []) expectUnavailable(result)
  })

  test('is used again when it continues, and no earlier transaction is left open', limit, async () => {
    await expectRecovery()
    expect(uncaught).toEqual([])
  })
})

test('a database that continues does not begin a transaction whose start was given up', limit, async () => {
  await Promise.all(Array.from({ length: 30 }, () => partner.call('GET', `/api/v2.1/imports/${importId}`)))
  onDestinationCheck = () => postgres.freeze()
  const creating = await timed(partner.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill' }))
  onDestinationCheck = async () => {}
  await postgres.thaw()
  expectUnavailable(creating)
  await expectRecovery()
})
