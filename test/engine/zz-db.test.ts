import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Fault } from '../../demo/harbour/faults.ts'
import { type OwnPostgres, startOwnPostgres } from '../hostile/own-postgres.ts'
import { compare, expectSumsToClose, fernhillCounts, nothingWrong, presentIn } from './check-harbour.ts'
import { startWholeService, type WholeService } from './whole-service.ts'
import { createFleet, type Fleet } from './worker-fleet.ts'

const limit = { timeout: 240_000 }
const cleanup = new AsyncDisposableStack()
let postgres: OwnPostgres
let whole: WholeService
let fleet: Fleet
let writes = 0
/** The write at which the database dies; what Harbour does with it cannot be noted down any more. */
let fatalWrite = Number.POSITIVE_INFINITY
let deaths = 0

beforeAll(async () => {
  postgres = await startOwnPostgres()
  cleanup.defer(() => postgres.close())
  whole = await startWholeService({
    workers: 0,
    databaseUrl: postgres.url,
    onRequest: async ({ method }): Promise<Fault> => {
      if (method === 'GET' || ++writes !== fatalWrite) return 'ok'
      deaths++
      await postgres.kill()
      return 'ok'
    },
  })
  cleanup.defer(() => whole.close())
  fleet = createFleet(postgres.url)
  cleanup.defer(() => fleet.close())
  await fleet.startReady()
}, 240_000)
afterAll(async () => {
  await postgres?.ensureRunning()
  await cleanup.disposeAsync()
})

/** Lets the database die in the middle of what `act` starts, and brings it back. */
async function dieIn(atWrite: number, act: () => Promise<void>): Promise<void> {
  fatalWrite = writes + atWrite
  const before = deaths
  await act()
  while (deaths === before) await sleep(20)
  await sleep(500)
  await postgres.ensureRunning()
}

test('a run whose database was killed goes on by itself when it is back', limit, async () => {
  const portal = await whole.openPortal({ start_full: true })
  await dieIn(5, () => portal.connect())
  await sleep(45_000)
  if ((await whole.db.selectFrom('runs').selectAll().where('state', '=', 'working').execute()).length > 0) {
    const { rows } =
      await sql`select id, state, retry_count, start_after, created_on, started_on, heartbeat_on, completed_on, singleton_key, output from pgboss.job where name = 'run-slices' order by created_on desc limit 4`.execute(
        whole.db,
      )
    process.stdout.write(
      `${JSON.stringify(rows, null, 1)} ${fleet
        .ready()
        .map((w) => `${w.pid} ${w.child.exitCode} ${w.child.signalCode} ${w.output()}`)
        .join('\n----')} ${JSON.stringify(await whole.db.selectFrom('runs').selectAll().execute())}\n`,
    )
    process.stdout.write(
      JSON.stringify((await sql`select *, clock_timestamp() from account_holders`.execute(whole.db)).rows),
    )
    process.stdout.write(JSON.stringify((await sql`select * from account_paces`.execute(whole.db)).rows))
    process.stdout.write(
      JSON.stringify(
        (
          await sql`select pid, application_name, state, wait_event, xact_start, query_start, left(query, 200) as query from pg_stat_activity where datname = current_database()`.execute(
            whole.db,
          )
        ).rows,
        null,
        1,
      ),
    )
    process.stdout.write(
      JSON.stringify(
        (await sql`select name, policy, monitor_on, maintain_on, heartbeat_seconds from pgboss.queue`.execute(whole.db))
          .rows,
      ),
    )
  }
  expect((await portal.until('migration_completed')).items).toMatchObject({ tickets: 119, comments: 510 })
  expect(await compare(whole)).toEqual(nothingWrong)
  await expectSumsToClose({ db: whole.db, importId: portal.id }, fernhillCounts)

  await dieIn(3, async () => {
    expect((await portal.act('POST', '/runs', { kind: 'undo' })).status).toBe(201)
  })
  expect((await portal.until('migration_cleaned')).items).toEqual({})
  expect(await compare(whole)).toEqual(nothingWrong)
  expect(await presentIn(whole)).toEqual(new Set())
})
