import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Fault } from '../../demo/harbour/faults.ts'
import { type OwnPostgres, startOwnPostgres } from '../hostile/own-postgres.ts'
import { compare, expectSumsToClose, fernhillCounts, nothingWrong, presentIn } from './check-harbour.ts'
import { startWholeService, type WholeService } from './whole-service.ts'
import { createFleet, type Fleet } from './worker-fleet.ts'

const limit = { timeout: 900_000 }
const cleanup = new AsyncDisposableStack()
let postgres: OwnPostgres
let whole: WholeService
let fleet: Fleet
let writes = 0
/** The number of the write at which the database dies. Our ledger cannot record what Harbour does with that write. */
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
}, 900_000)
afterAll(async () => {
  await postgres?.ensureRunning()
  await cleanup.disposeAsync()
})

/** Kills the database in the middle of the work that `act` starts, and brings it back. */
async function dieIn(atWrite: number, act: () => Promise<void>): Promise<void> {
  fatalWrite = writes + atWrite
  const before = deaths
  await act()
  while (deaths === before) await sleep(20)
  await sleep(500)
  await postgres.ensureRunning()
}

test('a run whose database was killed continues by itself when the database is back', limit, async () => {
  const portal = await whole.openPortal({ start_full: true })
  await dieIn(5, () => portal.connect())
  expect((await portal.until('migration_completed')).items).toMatchObject({ tickets: 119, comments: 510 })
  expect(await compare(whole)).toEqual(nothingWrong)
  await expectSumsToClose({ db: whole.db, importId: portal.id }, fernhillCounts)

  await dieIn(3, async () => {
    expect((await portal.act('POST', '/runs', { kind: 'undo' })).status).toBe(201)
  })
  expect((await portal.until('migration_cleaned')).items).toEqual({})
  expect(await compare(whole)).toEqual(nothingWrong)
  expect(await presentIn(whole)).toEqual(new Set())
  expect(fleet.collapsed()).toEqual([])
})
