import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, test, vi } from 'vitest'
import { startFernhill } from '../../demo/fernhill/fernhill.ts'
import type { Fault } from '../../demo/harbour/faults.ts'
import { startHarbour } from '../../demo/harbour/harbour.ts'
import { checkoutDir } from '../../service/src/config.ts'
import { openDatabase } from '../../service/src/db/open-database.ts'
import { compare, nothingWrong } from '../engine/check-harbour.ts'
import { readEffects } from '../engine/read-effects.ts'
import { onServer, urlOf } from '../support/database.ts'
import { run } from '../support/program.ts'
import { testKeys } from '../support/service.ts'
import { startReceiver } from '../support/webhook-receiver.ts'
import { startBalancer } from './balancer.ts'
import { findPreviousRelease, startRelease, unpackRelease } from './previous-release.ts'
import { createCaller, startLoad } from './steady-load.ts'

const keys = { desk: 'desk-key', harbour: 'harbour-token', admin: 'admin-key' }
/** Enough tickets that the run outlasts the upgrade on a slow machine. */
const ticketCount = 1_000
const patient = { timeout: 900_000, interval: 200 }
const previous = await findPreviousRelease()

/** The database is empty: the previous release creates its own schema. */
async function createEmptyDatabase() {
  const server = inject('postgresUrl')
  const name = pg.escapeIdentifier(`wherry_upgrade_${process.pid}_${randomBytes(4).toString('hex')}`)
  await onServer(server, (client) => client.query(`create database ${name}`))
  return {
    url: urlOf(server, name.replaceAll('"', '')),
    drop: () => onServer(server, (client) => client.query(`drop database ${name} with (force)`)),
  }
}

async function startTools() {
  let writeMs = 150
  const desk = { port: 0, dataFile: ':memory:', apiKey: keys.desk, requestsPerSecond: 0 }
  const fernhill = await startFernhill({ ...desk, tickets: ticketCount })
  const harbour = await startHarbour({
    ...{ port: 0, dataFile: ':memory:', token: keys.harbour, adminKey: keys.admin },
    onRequest: async ({ method }): Promise<Fault> => {
      // Writes are slow enough that the upgrade happens in the middle of the run.
      if (method !== 'GET') await sleep(writeMs)
      return 'ok'
    },
  })
  return {
    source: { instance_url: fernhill.url, token: keys.desk },
    destination: { instance_url: harbour.baseUrl, token: keys.harbour },
    effects: () => readEffects(harbour.url, keys.admin),
    hurry() {
      writeMs = 0
    },
    slowDown() {
      writeMs = 1_500
    },
    async close() {
      await Promise.all([fernhill.close(), harbour.close()])
    },
  }
}

async function wherry(folder: string, databaseUrl: string, ...args: string[]) {
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl, WHERRY_KEYS: testKeys }
  const more = { WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' }
  const options = { cwd: folder, env: { ...env, ...more } }
  const { code, stdout, stderr } = await run(process.execPath, ['service/bin/wherry.mjs', ...args, '--json'], options)
  expect([code, stderr]).toEqual([0, expect.anything()])
  return JSON.parse(stdout)
}

test.skipIf(previous.obstacle !== null)(
  `the previous release (${previous.name}) and this one serve side by side${previous.obstacle ? `: ${previous.obstacle}` : ''}`,
  { timeout: 1_800_000 },
  async () => {
    await using cleanup = new AsyncDisposableStack()
    const database = await createEmptyDatabase()
    cleanup.defer(() => database.drop())
    const tools = await startTools()
    cleanup.defer(() => tools.close())
    const receiver = await startReceiver()
    cleanup.defer(() => receiver.close())
    const balancer = await startBalancer()
    cleanup.defer(() => balancer.close())
    const start = async (folder: string, role: 'api' | 'worker') => {
      const program = await startRelease(folder, role, database.url)
      cleanup.defer(async () => {
        program.child.kill('SIGKILL')
        await program.finished
      })
      return program
    }
    const stop = async (program: Awaited<ReturnType<typeof start>>) => {
      program.child.kill('SIGTERM')
      expect(await program.finished).toMatchObject({ code: 0, stdout: expect.stringContaining('Stopped.') })
    }

    // The previous release is at work.
    const old = await unpackRelease(previous.name)
    const oldApi = await start(old, 'api')
    const oldWorker = await start(old, 'worker')
    balancer.add(oldApi.origin)
    const partner = await wherry(
      ...([old, database.url, 'partner', 'create', '--name', 'Acme', '--destination', 'open'] as const),
      ...(['--families', 'helpdesk', '--webhook-url', receiver.url] as const),
    )
    const { db, close } = openDatabase(database.url, { poolSize: 2 })
    cleanup.defer(close)
    const countMigrations = async () => (await sql`select from kysely_migration`.execute(db)).rows.length
    const before = await countMigrations()
    const failures: string[] = []
    const caller = createCaller({ origin: balancer.origin, apiToken: partner.api_token }, failures)
    const { json: imp } = await caller.createImport({ start_full: true })
    const customer = await caller.openPortal(imp)
    await customer('PUT', '/accounts/source', 200, tools.source)
    await customer('PUT', '/accounts/destination', 200, tools.destination)
    const load = startLoad(caller, failures)
    cleanup.defer(() => load.stop())
    const written = async () => (await tools.effects()).filter(({ action }) => action === 'create').length
    await vi.waitFor(async () => expect(await written()).toBeGreaterThan(20), patient)
    tools.slowDown()

    // The steps follow docs/deployment.md, "Upgrades".
    const newWorker = await start(checkoutDir, 'worker')
    await balancer.untilServed(30)
    const newApi = await start(checkoutDir, 'api')
    balancer.add(newApi.origin)
    await balancer.untilServed(30)
    await stop(oldWorker)
    await balancer.remove(oldApi.origin)
    await stop(oldApi)
    await balancer.untilServed(30)
    const status = async () => (await caller.asPartner('GET', `/imports/${imp.id}`, 200)).json.status_code
    // The upgrade happened in the middle of the run.
    expect(await status()).toBe('migration_in_progress')
    tools.hurry()
    await vi.waitFor(async () => expect(await status()).toBe('migration_completed'), patient)
    await load.stop()

    expect(failures).toEqual([])
    expect(await countMigrations()).toBeGreaterThan(before)
    expect(await compare({ db, effects: tools.effects })).toEqual(nothingWrong)
    const rows = await db.selectFrom('id_map').select(['entity', 'state']).where('import_id', '=', imp.id).execute()
    expect(rows.filter(({ entity }) => entity === 'tickets')).toHaveLength(ticketCount)
    // Fernhill has one file that is too large, and one ticket without a subject, whose comment waits for the ticket.
    const left = rows.filter(({ state }) => state === 'refused' || state === 'held').map(({ entity }) => entity)
    expect(left.toSorted()).toEqual(['attachments', 'comments', 'tickets'])

    // Every write of the load is stored, once.
    const imports = await db.selectFrom('imports').select(['id', 'destination_username']).execute()
    const others = imports.filter(({ id }) => id !== imp.id).map(({ id }) => id)
    expect(others.toSorted()).toEqual(load.created.map(({ id }) => id).toSorted())
    const visitors = await db.selectFrom('visitors').select('name').execute()
    expect(visitors.map(({ name }) => name).toSorted()).toEqual(load.created.map(({ name }) => name).toSorted())

    // Every webhook message has arrived.
    const events = async () => (await db.selectFrom('events').select('id').execute()).map(({ id }) => id).toSorted()
    const arrived = () => [...new Set(receiver.received.map(({ headers }) => String(headers['webhook-id'])))].toSorted()
    await vi.waitFor(async () => expect(arrived()).toEqual(await events()), patient)

    expect(await wherry(checkoutDir, database.url, 'audit', 'verify')).toMatchObject({})
    for (const { stderr } of [oldApi, oldWorker, newApi, newWorker].map((one) => ({ stderr: one.output() }))) {
      expect(stderr.split('\n').filter((line) => line.includes('"level":50'))).toEqual([])
    }
  },
)
