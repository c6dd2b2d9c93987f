import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, test, vi } from 'vitest'
import { checkoutDir } from '../../service/src/config.ts'
import { migrateToLatest } from '../../service/src/db/migrate.ts'
import { openJobs } from '../../service/src/jobs.ts'
import { onServer, urlOf } from '../support/database.ts'
import { hasPgbouncer, pgbouncerMissing, startPgbouncer } from '../support/pgbouncer.ts'
import { run } from '../support/program.ts'
import { testKeys } from '../support/service.ts'
import { startReceiver } from '../support/webhook-receiver.ts'
import { compare, expectSumsToClose, fernhillCounts, nothingWrong } from './check-harbour.ts'
import { createSlowWrites } from './slow-writes.ts'
import { startWholeService } from './whole-service.ts'
import { createFleet } from './worker-fleet.ts'

if (!hasPgbouncer) console.warn(pgbouncerMissing)
const behind = test.skipIf(!hasPgbouncer)
const limit = { timeout: 900_000 }
const patient = { timeout: 300_000, interval: 50 }

/** An empty database, and PgBouncer in front of it. */
async function pooled(stack: AsyncDisposableStack) {
  const server = inject('postgresUrl')
  const name = `wherry_test_${process.pid}_${randomBytes(6).toString('hex')}`
  await onServer(server, (client) => client.query(`create database ${name}`))
  stack.defer(() => onServer(server, (client) => client.query(`drop database ${name} with (force)`)))
  const direct = urlOf(server, name)
  const pooler = await startPgbouncer(direct)
  stack.defer(() => pooler.close())
  return { url: pooler.url, direct }
}

const wherry = async (environment: Record<string, string>, ...args: string[]) => {
  const { code, stdout, stderr } = await run(
    process.execPath,
    [join(checkoutDir, 'service/bin/wherry.mjs'), ...args, '--json'],
    { env: { PATH: process.env.PATH, WHERRY_KEYS: testKeys, ...environment } },
  )
  return { code, stderr, json: stdout === '' ? null : JSON.parse(stdout) }
}

behind('processes that start behind PgBouncer leave no lock that the next one would wait for', limit, async () => {
  await using stack = new AsyncDisposableStack()
  const { url, direct } = await pooled(stack)
  await migrateToLatest(url)
  // Other clients make PgBouncer reassign the connections.
  const others = new pg.Pool({ connectionString: url, max: 6 })
  let isOver = false
  const busy = Array.from({ length: 6 }, async () => {
    while (!isOver) await others.query('select pg_sleep(0.001)')
  })
  stack.defer(async () => {
    isOver = true
    await Promise.all(busy)
    await others.end()
  })
  await Promise.all(Array.from({ length: 6 }, () => migrateToLatest(url)))
  const client = new pg.Client({ connectionString: direct })
  stack.defer(() => client.end())
  await client.connect()
  const { rows } = await client.query(
    `select pid from pg_locks where locktype = 'advisory' and database = (
       select oid from pg_database where datname = current_database())`,
  )
  expect(rows).toEqual([])
})

behind('with the address of the server itself a new job wakes a worker behind PgBouncer', limit, async () => {
  await using stack = new AsyncDisposableStack()
  const { url, direct } = await pooled(stack)
  await migrateToLatest(direct)
  const warnings: unknown[] = []
  const boss = await openJobs(url, { warn: (...line: unknown[]) => void warnings.push(line) } as never, true, {
    directUrl: direct,
  })
  stack.defer(() => boss.stop({ graceful: false }))
  await boss.createQueue('wake', { notify: true })
  const seen: unknown[] = []
  // Polling is off, so every job that arrives came by a notification.
  const seldom = { pollingIntervalSeconds: 3_600, notifyPollingIntervalSeconds: 3_600 }
  await boss.work('wake', seldom, async ([job]) => void seen.push(job?.data))
  await vi.waitFor(async () => {
    await boss.send('wake', { at: seen.length })
    expect(seen.length).toBeGreaterThan(1)
  }, patient)
  expect(warnings).toEqual([])
})

behind('the service behind PgBouncer migrates through a kill, sends webhooks and answers', limit, async () => {
  await using stack = new AsyncDisposableStack()
  const { url } = await pooled(stack)
  const writes = createSlowWrites()
  writes.take(100)
  const whole = await startWholeService({ workers: 0, databaseUrl: url, onRequest: writes.onRequest })
  stack.defer(() => whole.close())
  const receiver = await startReceiver()
  stack.defer(() => receiver.close())
  const partner = String((await whole.db.selectFrom('partners').select('id').executeTakeFirst())?.id)
  const environment = {
    DATABASE_URL: url,
    WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8',
    WHERRY_ORIGIN: whole.origin,
  }
  const set = await wherry(environment, 'webhook', 'set', '--partner', partner, '--url', receiver.url)
  expect([set.code, set.stderr]).toEqual([0, ''])
  const fleet = createFleet(url)
  stack.defer(() => fleet.close())
  const busy = await fleet.startReady()
  const portal = await whole.openPortal({ start_full: true })
  await portal.connect()
  await vi.waitFor(async () => expect((await whole.effects()).length).toBeGreaterThan(100), patient)
  await writes.hold()
  await fleet.startReady()
  // Many requests at once, so that every statement meets connections on which it was never prepared.
  const reads = await Promise.all(Array.from({ length: 60 }, () => whole.asPartner('GET', `/imports/${portal.id}`)))
  expect(reads.map(({ status_code }) => status_code)).toEqual(Array(60).fill('migration_in_progress'))
  await fleet.kill(busy)
  writes.take(0)
  expect((await portal.until('migration_completed')).items).toMatchObject({ tickets: 119, comments: 510 })
  expect(await compare(whole)).toEqual(nothingWrong)
  await expectSumsToClose({ db: whole.db, importId: portal.id }, fernhillCounts)
  await vi.waitFor(
    () => expect(receiver.received.map(({ raw }) => raw).join()).toContain('migration_completed'),
    patient,
  )
  const rotated = `k2:${Buffer.alloc(32, 9).toString('base64')},${testKeys}`
  const rotation = await wherry({ ...environment, WHERRY_KEYS: rotated }, 'keys', 'rotate')
  expect([rotation.code, rotation.json]).toMatchObject([0, { key: 'k2' }])
  const doctor = await wherry({ ...environment, WHERRY_KEYS: rotated }, 'doctor', '--resolve', 'localhost')
  const broken = (doctor.json.checks as { check: string; state: string }[]).filter(({ state }) => state === 'broken')
  // No worker can hold a session lock behind PgBouncer, so the doctor counts workers by their rows.
  expect(broken.map(({ check }) => check)).toEqual([])
  expect(fleet.collapsed()).toEqual([])
})

behind(
  'with the address of the server itself a killed worker is missed at once, and seen by the doctor',
  limit,
  async () => {
    await using stack = new AsyncDisposableStack()
    const { url, direct } = await pooled(stack)
    const writes = createSlowWrites()
    writes.take(100)
    const environment = { WHERRY_DATABASE_DIRECT_URL: direct }
    const whole = await startWholeService({
      workers: 0,
      databaseUrl: url,
      environment: { DATABASE_URL: url, ...environment },
      onRequest: writes.onRequest,
    })
    stack.defer(() => whole.close())
    const fleet = createFleet(url, direct)
    stack.defer(() => fleet.close())
    const busy = await fleet.startReady()
    const portal = await whole.openPortal({ start_full: true })
    await portal.connect()
    await vi.waitFor(async () => expect((await whole.effects()).length).toBeGreaterThan(50), patient)
    await writes.hold()
    await fleet.startReady()
    const { rows } = await sql<{ id: string; holder: unknown }>`
    select j.id, r.holder from pgboss.job j, runs r
    where j.name = 'run-slices' and j.state = 'active' and r.state = 'working'`.execute(whole.db)
    expect(rows).toEqual([{ id: expect.any(String), holder: expect.anything() }])
    const env = { DATABASE_URL: url, WHERRY_ORIGIN: whole.origin, ...environment }
    const { json } = await wherry(env, 'doctor', '--resolve', 'localhost')
    const findings = json.checks as { check: string; state: string }[]
    expect(findings.filter(({ state }) => state === 'broken')).toEqual([])
    for (const check of ['workers', 'direct database address'])
      expect(findings.find((finding) => finding.check === check)).toMatchObject({ state: 'ok' })
    await fleet.kill(busy)
    await vi.waitFor(async () => {
      const { rows: jobs } = await sql<{ state: string }>`
      select state from pgboss.job where name = 'run-slices' and id = ${String(rows[0]?.id)}`.execute(whole.db)
      // A take-over ends the dead worker's slice. The heartbeat alone would start the same slice again.
      expect(jobs).not.toMatchObject([{ state: 'active' }])
    }, patient)
    writes.take(0)
    await portal.until('migration_completed')
    expect(await compare(whole)).toEqual(nothingWrong)
    expect(fleet.collapsed()).toEqual([])
  },
)
