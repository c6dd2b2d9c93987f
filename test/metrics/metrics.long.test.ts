import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connectors } from '../../service/src/connectors/registry.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import type { RunningService } from '../../service/src/main.ts'
import { createPartner } from '../../service/src/partners/create-partner.ts'
import { tell } from '../../service/src/signals/signals.ts'
import { startWholeService, type WholeService } from '../engine/whole-service.ts'
import { testKeys } from '../support/service.ts'
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts'
import { type Sample, scrape, sum, valuesOf } from './scrape.ts'

const cleanup = new AsyncDisposableStack()
let service: WholeService
let worker: RunningService
let receiver: Receiver
let token = ''
const look = () => scrape(String(worker.metrics))

beforeAll(async () => {
  receiver = await startReceiver()
  cleanup.defer(() => receiver.close())
  service = await startWholeService({
    workers: 0,
    environment: { WHERRY_METRICS: '127.0.0.1:0', WHERRY_RATE_LIMIT: '1000', WHERRY_FAILED_AUTH_LIMIT: '1' },
  })
  cleanup.defer(() => service.close())
  worker = await service.start('worker')
  cleanup.defer(() => worker.stop())
  const partner = await createPartner(
    service.db,
    { connectors, keyRing: parseKeyRing(testKeys) },
    { name: 'Quaint Partner', destination: 'open', families: ['helpdesk'], webhookUrl: receiver.url },
  )
  token = partner.api_token
})
afterAll(() => cleanup.disposeAsync())

/** The number of ledger records in a state. */
async function ledger(state: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from id_map where state = ${state}`.execute(service.db)
  return rows[0]?.count ?? 0
}

const recordsOf = (samples: Sample[], outcome: string) =>
  sum(samples, 'wherry_records_total', { tool: 'open', outcome })

test('the numbers of a full run and its undo agree with the ledger', async () => {
  const portal = await service.openPortal({ start_full: true, sponsorship_status: 'accepted' }, token)
  await portal.connect()
  await vi.waitFor(async () => expect((await portal.act('GET', '')).json.status_code).toBe('migration_completed'), {
    timeout: 600_000,
    interval: 200,
  })
  const afterFull = await look()
  expect(await ledger('written')).toBeGreaterThan(100)
  expect(recordsOf(afterFull, 'created')).toBe(await ledger('written'))
  expect(recordsOf(afterFull, 'matched')).toBe(await ledger('matched'))
  expect(recordsOf(afterFull, 'refused')).toBe(await ledger('refused'))
  for (const kind of ['plan', 'full'])
    for (const change of ['started', 'finished'])
      expect(sum(afterFull, 'wherry_run_changes_total', { kind, change }), `${kind} ${change}`).toBe(1)
  expect(sum(afterFull, 'wherry_records_read_total', { tool: 'fernhill' })).toBeGreaterThanOrEqual(
    (await ledger('written')) + (await ledger('refused')),
  )
  expect(sum(afterFull, 'wherry_pages_read_total', { tool: 'fernhill' })).toBeGreaterThan(0)
  for (const tool of ['fernhill', 'open'])
    expect(sum(afterFull, 'wherry_tool_request_duration_seconds_count', { tool, status: '2xx' })).toBeGreaterThan(5)

  const written = await ledger('written')
  expect((await portal.act('POST', '/runs', { kind: 'undo' })).status).toBe(201)
  await vi.waitFor(async () => expect((await portal.act('GET', '')).json.status_code).toBe('migration_cleaned'), {
    timeout: 600_000,
    interval: 200,
  })
  const afterUndo = await look()
  expect(recordsOf(afterUndo, 'removed')).toBe(await ledger('removed'))
  expect(recordsOf(afterUndo, 'removed') + recordsOf(afterUndo, 'kept')).toBeGreaterThanOrEqual(written)
})

test('every webhook message is counted once, with the time it took to arrive', async () => {
  await vi.waitFor(
    async () => {
      const { rows } = await sql`select from deliveries where state = 'waiting'`.execute(service.db)
      expect(rows).toEqual([])
    },
    { timeout: 300_000 },
  )
  const { rows } = await sql`select from attempts where status = 204`.execute(service.db)
  await vi.waitFor(
    async () => {
      const samples = await look()
      expect(sum(samples, 'wherry_webhook_attempt_duration_seconds_count', { outcome: 'delivered' })).toBe(rows.length)
      expect(sum(samples, 'wherry_webhook_arrival_seconds_count')).toBe(rows.length)
      expect(sum(samples, 'wherry_webhook_arrival_seconds_sum')).toBeGreaterThan(0)
    },
    { timeout: 300_000 },
  )
  expect(rows.length).toBe(receiver.received.length)
})

test('the gauges show active runs, queues, workers and connections', async () => {
  const portal = await service.openPortal({ start_full: true, sponsorship_status: 'accepted' }, token)
  await portal.connect()
  expect((await portal.act('POST', '/pause')).status).toBeLessThan(500)
  await vi.waitFor(
    async () => {
      const { rows } = await sql<{ state: string; kind: string; count: number }>`
        select state, kind, count(*)::int as count from runs where state in ('working', 'paused')
        group by 1, 2`.execute(service.db)
      const samples = await look()
      expect(sum(samples, 'wherry_runs')).toBe(rows.reduce((total, { count }) => total + count, 0))
      for (const { kind, state, count } of rows) expect(sum(samples, 'wherry_runs', { kind, state })).toBe(count)
    },
    { timeout: 300_000, interval: 1_000 },
  )
  const samples = await look()
  expect(sum(samples, 'wherry_database_up')).toBe(1)
  expect(sum(samples, 'wherry_workers')).toBe(1)
  expect(valuesOf(samples, 'wherry_queue_jobs', 'queue')).toContain('run-slices')
  expect(valuesOf(samples, 'wherry_database_connections', 'pool')).toEqual(new Set(['requests', 'deliveries']))
  expect(sum(samples, 'wherry_database_connections', { pool: 'requests', state: 'total' })).toBeGreaterThan(0)
  expect(sum(samples, 'wherry_info', { role: 'worker' })).toBe(1)
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes'])
    expect(samples.some((one) => one.name === name)).toBe(true)
})

test('an obstacle is counted once, and shown while the run has it', async () => {
  const portal = await service.openPortal({ sponsorship_status: 'accepted' }, token)
  await portal.connect()
  await portal.look('/plan')
  await service.db
    .deleteFrom('authorizations')
    .where('import_id', '=', portal.id)
    .where('role', '=', 'destination')
    .execute()
  expect((await portal.act('POST', '/runs', { kind: 'sample' })).status).toBe(201)
  const code = 'destination_not_connected'
  await vi.waitFor(
    async () => {
      const samples = await look()
      expect(sum(samples, 'wherry_obstacles_total', { code })).toBe(1)
      expect(sum(samples, 'wherry_run_changes_total', { kind: 'sample', change: 'paused' })).toBe(1)
      expect(sum(samples, 'wherry_run_obstacles', { code })).toBe(1)
    },
    { timeout: 300_000, interval: 500 },
  )
})

test('the metrics are not on the public port', async () => {
  const { status } = await fetch(`${service.origin}/metrics`)
  expect(status).toBe(404)
  expect((await fetch(String(worker.metrics).replace('/metrics', '/'))).status).toBe(404)
})

test('hostile addresses, methods, tools and codes add no labels', async () => {
  const before = await look()
  for (let index = 0; index < 50; index += 1) {
    await fetch(`${service.origin}/no/such/${index}`)
    await fetch(`${service.origin}/api/v2.1/imports/imp_${index}`, {
      headers: { authorization: `Basic ${btoa(`${token}:`)}` },
    })
    await service.asPartner('POST', '/imports', { source_tool: `tool-${index}` }, token)
    await fetch(`${service.origin}/healthz`, { method: `ODD${index}` }).catch(() => {})
    // Connectors from outside can use any text as a code.
    tell('tool asked', { tool: `evil"}\n${index}`, status: 700 + index, seconds: 1 })
    tell('page read', { tool: `evil${index}`, records: 1 })
    tell('records settled', { tool: `evil${index}`, outcomes: { created: 1 } })
    tell('obstacle met', { code: `evil${index}` })
  }
  const after = await look()
  const text = JSON.stringify(after)
  for (const part of ['evil', 'no/such', 'imp_', 'tool-', 'ODD', 'Quaint', 'Acme', 'Fernhill Garden'])
    expect(text).not.toContain(part)
  expect(sum(after, 'wherry_obstacles_total', { code: 'other' })).toBe(50)
  expect(sum(after, 'wherry_tool_request_duration_seconds_count', { tool: 'other', status: 'other' })).toBe(50)
  const answered = (samples: Sample[], labels: Record<string, string>) =>
    sum(samples, 'wherry_http_request_duration_seconds_count', labels)
  expect(answered(after, { route: 'none', status: '4xx' })).toBeGreaterThanOrEqual(50)
  const route = '/api/v2.1/imports/:id'
  expect(answered(after, { route, status: '4xx' }) - answered(before, { route, status: '4xx' })).toBe(50)
  // Only a handful of routes and classes were new, not one per request.
  expect(after.length - before.length).toBeLessThan(100)
})

test('a flood of wrong tokens is counted as limited', async () => {
  const before = sum(await look(), 'wherry_rate_limited_total', { limit: 'failed_authentication' })
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => fetch(`${service.origin}/api/v2.1/imports`).then(({ status }) => status)),
  )
  const refused = answers.filter((status) => status === 429).length
  expect(refused).toBeGreaterThan(0)
  expect(sum(await look(), 'wherry_rate_limited_total', { limit: 'failed_authentication' }) - before).toBe(refused)
})
