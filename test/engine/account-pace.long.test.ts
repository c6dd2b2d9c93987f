import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../service/src/db/open-database.ts'
import { type AccountPace, openPace, releaseHolds } from '../../service/src/engine/account-pace.ts'
import { RetryableError } from '../../service/src/errors.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

/** A request. A tool's limits could depend on it, but this tool has none. */
const asked = { method: 'GET', url: new URL('https://desk.example/') }
const patient = { timeout: 300_000, interval: 50 }
let own: TestDatabase
let database: OpenDatabase
beforeAll(async () => {
  own = await createTestDatabase()
  database = openDatabase(own.url, { poolSize: 10 })
})
afterAll(async () => {
  await database.close()
  await own.drop()
})
const paces: AccountPace[] = []
afterEach(async () => {
  for (const pace of paces.splice(0)) await pace.close()
  await sql`truncate account_paces, account_holders`.execute(database.db)
})

function open(account: string, concurrency = 8): AccountPace {
  const pace = openPace(database.db, account)
  pace.limit({ concurrency })
  paces.push(pace)
  return pace
}

interface Held {
  slots: number
  allowed: number
  wait_ms: number
}

async function hold(
  holder: string,
  options: { busy?: number; ceiling?: number; factor?: number; step?: number; blockMs?: number } = {},
): Promise<Held> {
  const { busy = 0, ceiling = 8, factor = 1, step = 0, blockMs = 0 } = options
  // The share is valid for an hour, so that no holder loses it on a slow machine.
  const { rows } = await sql<Held>`
    select slots, allowed, wait_ms
    from hold_account('one', ${holder}, ${busy}, ${ceiling}, ${factor}, ${step}, ${blockMs}, 3600000)`.execute(
    database.db,
  )
  return rows[0] as Held
}

const slotsOf = async (holder: string, options = {}) => (await hold(holder, options)).slots

async function leave(holder: string): Promise<void> {
  await sql`delete from account_holders where holder = ${holder}`.execute(database.db)
}

describe('hold_account', () => {
  test('gives one holder everything, and several holders fair shares', async () => {
    expect(await slotsOf('a')).toBe(8)
    // No slot is free until the first holder asks again.
    expect(await slotsOf('b')).toBe(0)
    expect(await slotsOf('a')).toBe(4)
    expect(await slotsOf('b')).toBe(4)
    expect(await slotsOf('c')).toBe(0)
    expect([await slotsOf('a'), await slotsOf('b'), await slotsOf('c')]).toEqual([2, 2, 2])
    await leave('c')
    expect([await slotsOf('a'), await slotsOf('b')]).toEqual([4, 4])
  })

  test('counts running requests until they end, even if the share has become smaller', async () => {
    expect(await slotsOf('a')).toBe(8)
    expect(await slotsOf('b')).toBe(0)
    expect(await slotsOf('a', { busy: 7 })).toBe(4)
    expect(await slotsOf('b')).toBe(1)
    expect(await slotsOf('a', { busy: 2 })).toBe(4)
    expect(await slotsOf('b', { busy: 1 })).toBe(4)
  })

  test('serves a holder without slots before a new one', async () => {
    expect(await slotsOf('a', { ceiling: 1 })).toBe(1)
    expect(await slotsOf('b', { ceiling: 1 })).toBe(0)
    expect(await slotsOf('a', { ceiling: 1 })).toBe(1)
    await leave('a')
    expect(await slotsOf('a again', { ceiling: 1 })).toBe(0)
    expect(await slotsOf('b', { ceiling: 1 })).toBe(1)
    expect(await slotsOf('a again', { ceiling: 1 })).toBe(0)
    await leave('b')
    expect(await slotsOf('a again', { ceiling: 1 })).toBe(1)
  })

  test('frees the share of a vanished worker once its time is over', async () => {
    expect(await slotsOf('dead')).toBe(8)
    expect(await slotsOf('b')).toBe(0)
    await sql`update account_holders set expires_at = clock_timestamp() where holder = 'dead'`.execute(database.db)
    expect(await slotsOf('b')).toBe(8)
  })

  test('learns down by half and up by steps, never below one nor above the ceiling', async () => {
    expect((await hold('a')).allowed).toBe(8)
    expect((await hold('a', { factor: 0.5 })).allowed).toBe(4)
    expect((await hold('a', { step: 1 })).allowed).toBe(5)
    for (let round = 0; round < 5; round++) await hold('a', { step: 1 })
    expect((await hold('a')).allowed).toBe(8)
    for (let round = 0; round < 5; round++) await hold('a', { factor: 0.5 })
    expect(await hold('a', { factor: 0.5 })).toMatchObject({ allowed: 1, slots: 1 })
    // The tool itself now declares a lower limit than before.
    await hold('a', { step: 7 })
    expect(await hold('a', { ceiling: 3 })).toMatchObject({ allowed: 3, slots: 3 })
  })

  test('makes everyone wait while the account asks for a pause, and does not raise the limit meanwhile', async () => {
    await hold('a')
    expect((await hold('a', { factor: 0.5, blockMs: 60_000 })).wait_ms).toBeGreaterThan(0)
    const b = await hold('b', { step: 1 })
    expect(b.wait_ms).toBeGreaterThan(0)
    expect(b.allowed).toBe(4)
    // A later request for a shorter wait does not end the longer one.
    await hold('a', { blockMs: 1 })
    await sleep(5)
    expect((await hold('b')).wait_ms).toBeGreaterThan(0)
    await sql`update account_paces set blocked_until = clock_timestamp()`.execute(database.db)
    expect((await hold('b')).wait_ms).toBeLessThanOrEqual(0)
    expect((await hold('b', { step: 1 })).allowed).toBe(5)
  })

  test('never gives away more than is allowed, however many holders ask at once', async () => {
    let taken = 0
    const holders = Array.from({ length: 25 }, (_, index) => `holder ${index}`)
    for (let round = 0; round < 4; round++) {
      await Promise.all(holders.map((holder) => hold(holder, { ceiling: 7, step: 1 })))
      const { rows } = await sql<{ taken: string }>`select sum(slots) as taken from account_holders`.execute(
        database.db,
      )
      taken = Number(rows[0]?.taken)
      expect(taken).toBeLessThanOrEqual(7)
    }
    expect(taken).toBe(7)
  })
})

describe('the pace of an account', () => {
  test('never allows more running requests than the tool accepts, while many holders come and go', async () => {
    const ceiling = 5
    let underWay = 0
    let most = 0
    let done = 0
    const work = async (index: number) => {
      const pace = open('crowded', ceiling)
      const request = async () => {
        const release = await pace.takeTurn(asked)
        underWay++
        most = Math.max(most, underWay)
        // Some requests take so long that the shares change meanwhile.
        const ms = index % 3 === 0 && done % 4 === 0 ? 1_300 : 5 + ((index * 7 + done) % 60)
        await sleep(ms)
        underWay--
        done++
        pace.learn({ ms, isTooMuch: false, retryAfterMs: null })
        release()
      }
      await Promise.all(Array.from({ length: 12 }, request))
      await pace.close()
    }
    await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        await sleep(index * 30)
        await work(index)
      }),
    )
    expect(done).toBe(12 * 12)
    expect(most).toBeLessThanOrEqual(ceiling)
    expect(most).toBeGreaterThan(1)
  })

  test('does not give away a slot that is still in use', async () => {
    const one = open('long', 4)
    const releases = await Promise.all(Array.from({ length: 4 }, () => one.takeTurn(asked)))
    const other = open('long', 4)
    let isThere = false
    const waiting = other.takeTurn(asked).then((release) => {
      isThere = true
      return release
    })
    // The holder asks for more, and so it learns that its share has become smaller.
    const fifth = one.takeTurn(asked)
    await vi.waitFor(async () => {
      const { rows } = await sql`select count(*)::int as holders from account_holders`.execute(database.db)
      expect(rows).toEqual([{ holders: 2 }])
    }, patient)
    await sleep(2_500)
    expect(isThere).toBe(false)
    for (const release of releases) release()
    for (const release of [await waiting, await fifth]) release()
  })

  test('slows everyone down when one worker is told to slow down', async () => {
    const [one, other] = [open('shared'), open('shared')]
    const release = await one.takeTurn(asked)
    one.learn({ ms: 5, isTooMuch: true, retryAfterMs: 600_000 })
    release()
    await expect(one.takeTurn(asked)).rejects.toThrow(RetryableError)
    const refusal = await other.takeTurn(asked).then(
      () => null,
      (error: RetryableError) => error,
    )
    expect(refusal?.retryAfterMs).toBeGreaterThan(0)
    const { rows } = await sql`select allowed from account_paces`.execute(database.db)
    expect(rows).toEqual([{ allowed: 4 }])
  })

  test('is passed on to the others even by a worker that leaves at once', async () => {
    const [one, other] = [open('left'), open('left')]
    const release = await one.takeTurn(asked)
    one.learn({ ms: 5, isTooMuch: true, retryAfterMs: 600_000 })
    release()
    await one.close()
    await expect(other.takeTurn(asked)).rejects.toThrow(RetryableError)
  })

  test('of a vanished worker is free at once for the worker that continues its run', async () => {
    const pace = openPace(database.db, 'taken over', 'run_1')
    pace.limit({ concurrency: 2 })
    // Like a vanished worker, this one keeps its share and does not renew it: a request under way would.
    const release = await pace.takeTurn(asked)
    release()
    const holds = () => sql`select slots from account_holders where holder like 'run_1/%'`.execute(database.db)
    expect((await holds()).rows).toEqual([{ slots: 2 }])
    const other = open('taken over', 2)
    const waiting = other.takeTurn(asked)
    await releaseHolds(database.db, 'run_1')
    expect((await holds()).rows).toEqual([])
    await waiting
    await pace.close()
  })

  test('allows as many requests as a batch sends, though batches run one after the other', async () => {
    const pace = open('several in a batch', 1)
    pace.limit({ concurrency: 1, requestsAtOnce: 3 })
    const turns = await Promise.all([pace.takeTurn(asked), pace.takeTurn(asked), pace.takeTurn(asked)])
    const fourth = pace.takeTurn(asked)
    const isThrough = await Promise.race([fourth.then(() => true), sleep(700).then(() => false)])
    expect(isThrough).toBe(false)
    turns[0]()
    await fourth
  })

  test('keeps its place while a request is running', async () => {
    const pace = open('long')
    const release = await pace.takeTurn(asked)
    await sql`delete from account_holders`.execute(database.db)
    await vi.waitFor(async () => {
      const { rows } = await sql`select slots from account_holders`.execute(database.db)
      expect(rows).toEqual([{ slots: 8 }])
    }, patient)
    release()
  })

  test('ends when it is closed: waiting requests are rejected, and nothing stays in the database', async () => {
    const first = open('closed', 1)
    const release = await first.takeTurn(asked)
    const second = open('closed', 1)
    const waiting = second.takeTurn(asked)
    waiting.catch(() => {})
    await second.close()
    await expect(waiting).rejects.toThrow(RetryableError)
    await expect(second.takeTurn(asked)).rejects.toThrow(RetryableError)
    release()
    await first.close()
    const { rows } = await sql`select holder from account_holders`.execute(database.db)
    expect(rows).toEqual([])
  })
})
