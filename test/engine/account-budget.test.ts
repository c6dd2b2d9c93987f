import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { countChecked, forgetOldBuckets, openBudget } from '../../service/src/accounts/account-budget.ts'
import { type OpenDatabase, openDatabase } from '../../service/src/db/open-database.ts'
import { explainFailedLook } from '../../service/src/engine/view-record.ts'
import { BudgetSpentError } from '../../service/src/errors.ts'
import { type LimitBucket, readLimitHeaders, type ToldLimit } from '../../service/src/outbound/limits.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

const hour = 3_600_000
/** A window so long that no test runs across its end. */
const long = 30 * 24 * hour
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
afterEach(() => sql`truncate account_buckets`.execute(database.db))

const open = (buckets: readonly LimitBucket[], account = 'one') => openBudget(database.db, account, buckets)
const get = { method: 'GET', url: new URL('https://desk.example/tickets') }
const post = { method: 'POST', url: new URL('https://desk.example/tickets') }
const spentOf = async (name: string) => {
  const { rows } = await sql<{ spent: number }>`
    select (select sum(s) from unnest(spent) s) as spent from account_buckets where split_part(name, '/', 1) = ${name}`.execute(
    database.db,
  )
  return rows[0]?.spent ?? 0
}
const refusal = (act: Promise<void>) =>
  act.then(
    () => null,
    (error: unknown) => error as BudgetSpentError,
  )

const twoBuckets: LimitBucket[] = [
  { name: 'points', perMs: long, limit: 12, isAligned: true, cost: ({ method }) => (method === 'GET' ? 1 : 5) },
  { name: 'creates', perMs: long, limit: 3, isAligned: true, cost: ({ method }) => (method === 'POST' ? 1 : 0) },
]

test('a request costs its price in each bucket, and a refused request costs nothing', async () => {
  const budget = open(twoBuckets)
  await budget.spend(post)
  await budget.spend(post)
  expect([await spentOf('points'), await spentOf('creates')]).toEqual([10, 2])
  const refused = await refusal(budget.spend(post))
  expect(refused).toBeInstanceOf(BudgetSpentError)
  expect(refused?.message).toContain('points')
  expect([await spentOf('points'), await spentOf('creates')]).toEqual([10, 2])
  await budget.spend(get)
  await budget.spend(get)
  expect(await refusal(budget.spend(get))).toBeInstanceOf(BudgetSpentError)
  // Another account has its own budget.
  await open(twoBuckets, 'two').spend(post)
})

test('a used-up budget says when it is available again, and we check again within an hour', async () => {
  const budget = open([{ name: 'daily', perMs: long, limit: 1, isAligned: true }])
  await budget.spend(get)
  const refused = await refusal(budget.spend(get))
  const ends = (Math.floor(Date.now() / long) + 1) * long
  expect(Math.abs(Number(refused?.askedUntil) - ends)).toBeLessThan(60_000)
  expect(refused?.retryAfterMs).toBeGreaterThan(0)
  expect(refused?.retryAfterMs).toBeLessThanOrEqual(hour)
  // People who open records meanwhile see the true reason.
  expect(explainFailedLook(refused)).toMatchObject({
    fields: { record: [expect.stringContaining('no more requests for now')] },
  })
})

test('several workers together never spend more than the budget', async () => {
  const buckets: LimitBucket[] = [
    { name: 'hourly', perMs: hour, limit: 25 },
    { name: 'writes', perMs: hour, limit: 10, cost: ({ method }) => (method === 'POST' ? 1 : 0) },
  ]
  const workers = Array.from({ length: 5 }, () => open(buckets))
  const results = await Promise.all(
    workers.flatMap((budget) =>
      Array.from({ length: 10 }, (_, at) => refusal(budget.spend(at % 2 === 0 ? post : get))),
    ),
  )
  expect(results.filter((error) => error === null)).toHaveLength(25)
  expect(results.filter((error) => error instanceof BudgetSpentError)).toHaveLength(25)
  expect(await spentOf('hourly')).toBe(25)
  expect(await spentOf('writes')).toBeLessThanOrEqual(10)
})

test('a short window is waited for in place, and no time span of its length exceeds the limit', async () => {
  const buckets: LimitBucket[] = [{ name: 'burst', perMs: 1_000, limit: 10 }]
  const workers = Array.from({ length: 3 }, () => open(buckets))
  let most = 0
  await Promise.all(
    workers.map(async (budget) => {
      for (let at = 0; at < 8; at++) {
        await budget.spend(get)
        // The slots cover at least the last second.
        most = Math.max(most, await spentOf('burst'))
      }
    }),
  )
  expect(most).toBeLessThanOrEqual(10)
  expect(most).toBeGreaterThan(0)
})

/** How long the next request for a limit of 600 a minute would wait. It is counted if it would not. */
const waitOf = async (most: number | null = 600) => {
  const { rows } = await sql<{ wait_ms: number }>`select wait_ms from spend_buckets('one', array['pace/60000'],
    array[1::float8], array[${most}::float8], array[60000::float8], array[false], false)`.execute(database.db)
  return Number(rows[0]?.wait_ms)
}
const setPace = (set: string) => sql`update account_buckets set ${sql.raw(set)}`.execute(database.db)
const nowMs = 'extract(epoch from clock_timestamp()) * 1000'

test('after a pause requests go faster, until they have made up for a quarter of the window', async () => {
  await waitOf()
  const accept = async () => {
    for (let sent = 0; sent <= 600; sent++) if ((await waitOf()) > 0) return sent
    return 600
  }
  await setPace(`even_at = 0, spent = '{}'`)
  const from = Date.now()
  const early = await accept()
  // A quarter of 600, and ten for each second that went by.
  expect(early).toBeGreaterThanOrEqual(150)
  expect(early).toBeLessThanOrEqual(161 + (Date.now() - from) / 100)
  const waitMs = await waitOf()
  expect(waitMs).toBeGreaterThan(0)
  expect(waitMs).toBeLessThanOrEqual(1_000)
  // A clock that ran ahead holds nobody back.
  await setPace(`even_at = ${nowMs} + 1e9, spent = '{}'`)
  expect(await waitOf()).toBe(0)
})

test('all but a sixtieth of a limit can be used, and no window exceeds it', async () => {
  await waitOf()
  const seconds = (spent: (second: number) => number) =>
    `even_at = 0, spent = '{${Array.from({ length: 61 }, (_, at) => spent(at)).join()}}'`
  await setPace(seconds((at) => (at === 60 ? 0 : 10)))
  expect(await waitOf()).toBeGreaterThan(0)
  await setPace(seconds((at) => (at === 59 ? 0 : 10)))
  await setPace(`spent[61] = 0`)
  expect(await waitOf()).toBe(0)
})

test('requests before the limit is known cost no time afterwards', async () => {
  expect(await waitOf(null)).toBe(0)
  expect(await waitOf(null)).toBe(0)
  expect(await waitOf()).toBe(0)
})

test('of the requests that wait for a limit, one at a time asks for it', async () => {
  let asked = 0
  const counted = database.db.withPlugin({
    transformQuery: ({ node }) => {
      asked += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const budget = openBudget(counted, 'one', [{ name: 'queue', perMs: 1_000, limit: 20 }])
  await Promise.all(Array.from({ length: 40 }, () => budget.spend(get)))
  expect(await spentOf('queue')).toBeGreaterThan(0)
  // Each asks once when it comes, when it is the first of those that wait, and after the wait.
  expect(asked).toBeLessThanOrEqual(3 * 40)
})

const learn = readLimitHeaders({ limit: 'X-Limit', remaining: 'X-Remaining', reset: 'X-Reset' })
const told = (headers: Record<string, string>) => ({ status: 200, headers })

test('headers set the remaining limit and its end for all workers', async () => {
  const buckets: LimitBucket[] = [{ name: 'told', perMs: hour, limit: null, learn }]
  const [budget, other] = [open(buckets), open(buckets)]
  await budget.spend(get)
  budget.learn(get, told({ 'x-limit': '100', 'x-remaining': '3', 'x-reset': '7200' }))
  await budget.spend(get)
  await other.spend(get)
  // Answers can overtake each other: within one window the lowest number counts.
  budget.learn(get, told({ 'x-limit': '100', 'x-remaining': '5', 'x-reset': '7200' }))
  await budget.spend(get)
  for (const one of [budget, other]) {
    const refused = await refusal(one.spend(get))
    expect(Math.abs(Number(refused?.askedUntil) - Date.now() - 2 * hour)).toBeLessThan(60_000)
  }
  // An answer from a past window is ignored; an answer from the next window starts it.
  budget.learn(get, told({ 'x-limit': '100', 'x-remaining': '50', 'x-reset': '60' }))
  expect(await refusal(budget.spend(get))).toBeInstanceOf(BudgetSpentError)
  budget.learn(get, told({ 'x-limit': '100', 'x-remaining': '1', 'x-reset': '10000' }))
  await other.close()
  await budget.spend(get)
  expect(await refusal(other.spend(get))).toBeInstanceOf(BudgetSpentError)
  // The window ends: the count restarts with the reported limit.
  await sql`update account_buckets set told_until = clock_timestamp()`.execute(database.db)
  await other.spend(get)
  expect(await spentOf('told')).toBe(1)
})

test('where no answer tells the end of a window, a higher rest begins the next one', async () => {
  const bare = readLimitHeaders({ limit: 'X-Limit', remaining: 'X-Remaining' })
  const budget = open([{ name: 'bare', perMs: hour, limit: null, learn: bare }])
  const hear = async (remaining: number) => {
    budget.learn(get, told({ 'x-limit': '400', 'x-remaining': String(remaining) }))
    await budget.spend(get)
    const { rows } = await sql<{ left: number; ends_in: number }>`
      select told_left as left, extract(epoch from told_until - clock_timestamp())::float8 as ends_in
      from account_buckets`.execute(database.db)
    return rows[0]
  }
  // We came in the middle of a window: others, or requests that do not tell, had used most of it.
  expect((await hear(30))?.left).toBe(29)
  await setPace(`told_until = told_until - interval '40 minutes'`)
  // An answer that was overtaken.
  expect((await hear(70))?.left).toBe(28)
  const next = await hear(390)
  expect(next?.left).toBe(389)
  expect(next?.ends_in).toBeGreaterThan(3_500)
})

test('where no answer tells the end of a window, it began with the first request that the tool has counted', async () => {
  const bare = readLimitHeaders({ limit: 'X-Limit', remaining: 'X-Remaining' })
  const budget = open([{ name: 'bare', perMs: hour, limit: null, learn: bare }])
  const hear = async (remaining: number) => {
    await setPace('told_left = null, told_until = null')
    budget.learn(get, told({ 'x-limit': '400', 'x-remaining': String(remaining) }))
    await budget.close()
    const { rows } = await sql<{ minutes: number }>`
      select extract(epoch from told_until - clock_timestamp())::float8 / 60 as minutes from account_buckets`.execute(
      database.db,
    )
    return Number(rows[0]?.minutes)
  }
  await budget.spend(get)
  // Slots of six minutes, the newest first: 40 requests in each of the last five, and none before.
  await setPace(`spent = '{40,40,40,40,40,0,0,0,0,0,0}'`)
  const early = await hear(200)
  expect(early).toBeGreaterThan(60 - 30)
  expect(early).toBeLessThanOrEqual(60 - 12)
  // The tool's window began after most of them.
  expect(await hear(360)).toBeGreaterThan(60 - 6)
  // Others use the account, too: nothing is known.
  expect(await hear(100)).toBeGreaterThan(60 - 1)
})

test('the plan’s own limit takes priority over the declared one', async () => {
  const budget = open([{ name: 'plan', perMs: hour, limit: 2, learn }])
  await budget.spend(get)
  budget.learn(get, told({ 'x-limit': '4' }))
  for (let at = 0; at < 3; at++) await budget.spend(get)
  expect(await refusal(budget.spend(get))).toBeInstanceOf(BudgetSpentError)
})

test('a caller that waits for a short window stops when its request is aborted', async () => {
  const budget = open([{ name: 'left', perMs: 25_000, limit: 1 }])
  await budget.spend(get)
  const gone = new AbortController()
  const waiting = refusal(budget.spend(get, gone.signal))
  gone.abort()
  expect((await waiting)?.name).toBe('AbortError')
  expect(await spentOf('left')).toBe(1)
})

test('an implausible limit is not learned, and the old limit stays in force', async () => {
  const answers: ToldLimit[] = [
    { limit: Number.NaN },
    { limit: 0 },
    { limit: -5 },
    { limit: Number.POSITIVE_INFINITY },
    { remaining: Number.NaN },
    // A window that already ended, because the tool's clock is behind ours.
    { remaining: 90, resetMs: 0 },
    { remaining: 90, resetMs: -60_000 },
  ]
  for (const [at, answer] of answers.entries()) {
    const budget = open([{ name: 'kept', perMs: hour, limit: 2, learn: () => answer }], `account ${at}`)
    for (let spent = 0; spent < 2; spent++) {
      await budget.spend(get)
      budget.learn(get, told({}))
    }
    expect(await refusal(budget.spend(get)), JSON.stringify(answer)).toBeInstanceOf(BudgetSpentError)
  }
})

test('a reset time in an unexpected unit delays us by ten windows at most', async () => {
  const byUnix = readLimitHeaders({ remaining: 'X-Remaining', reset: 'X-Reset', resetForm: 'unix' })
  const budget = open([{ name: 'units', perMs: 60_000, limit: 100, learn: byUnix }])
  await budget.spend(get)
  budget.learn(get, told({ 'x-remaining': '0', 'x-reset': String(Date.now() + 60_000) }))
  const refused = await refusal(budget.spend(get))
  expect(Number(refused?.askedUntil) - Date.now()).toBeLessThanOrEqual(10 * 60_000)
})

test('a connector that fails to read the limit from an answer loses only the limit', async () => {
  const broken = () => {
    throw new TypeError('no such header')
  }
  const budget = open([{ name: 'broken', perMs: hour, limit: 2, learn: broken }])
  await budget.spend(get)
  budget.learn(get, told({}))
  await budget.spend(get)
  expect(await refusal(budget.spend(get))).toBeInstanceOf(BudgetSpentError)
})

test('another window for the same limit starts its own count', async () => {
  const seconds = open([{ name: 'window', perMs: 1_000, limit: 100 }])
  await seconds.spend(get)
  const hours = open([{ name: 'window', perMs: hour, limit: 2 }])
  await hours.spend(get)
  await hours.spend(get)
  const refused = await refusal(hours.spend(get))
  expect(refused?.message).toContain('the limit window of')
  expect(Number(refused?.askedUntil) - Date.now()).toBeLessThanOrEqual(1.2 * hour)
})

test('a request that costs more than the whole limit goes alone, and invalid headers are ignored', async () => {
  const budget = open([{ name: 'dear', perMs: hour, limit: 3, cost: () => 5, learn }])
  for (const text of ['', '-1', 'NaN', '1e9', 'many', '0x10']) {
    budget.learn(get, told({ 'x-limit': text, 'x-remaining': text, 'x-reset': text }))
  }
  await budget.spend(get)
  expect(await refusal(budget.spend(get))).toBeInstanceOf(BudgetSpentError)
  const far = readLimitHeaders({ remaining: 'a', reset: 'b', resetForm: 'unix' })
  expect(far(told({ a: '0', b: '9'.repeat(30) }))?.resetMs).toBeGreaterThan(0)
  expect(far(told({ a: '0', b: '1' }))?.resetMs).toBe(0)
  const byDate = readLimitHeaders({ remaining: 'a', reset: 'b', resetForm: 'date' })
  expect(byDate(told({ a: '1', b: 'soon' }))).toEqual({ remaining: 1 })
})

test('a limit that returns in parts says when all of it is available again', async () => {
  // As long as a slot may be, so that hardly ever one ends within this test.
  const slotMs = 96 * hour
  const budget = open([{ name: 'parts', perMs: 10 * slotMs, limit: 11 }])
  const fill = (spent: string) => sql`update account_buckets set spent = ${spent}::float8[]`.execute(database.db)
  await budget.spend(get)
  // Ten requests in the oldest slot, one in the newest.
  await fill('{1,0,0,0,0,0,0,0,0,0,10}')
  const refused = await refusal(budget.spend(get))
  expect(Number(refused?.askedUntil) - Date.now()).toBeLessThanOrEqual(slotMs)
  expect(refused?.freeMs).toBeGreaterThan(9 * slotMs)
  await fill('{0,0,0,0,0,0,0,0,0,0,11}')
  expect((await refusal(budget.spend(get)))?.freeMs).toBeLessThanOrEqual(slotMs)
})

test('a clock that ran ahead for a while blocks nobody', async () => {
  const budget = open([{ name: 'ahead', perMs: long, limit: 2, isAligned: true, learn }])
  await budget.spend(get)
  await budget.spend(get)
  await sql`update account_buckets set slot = slot + 1000`.execute(database.db)
  // These requests count in this window, whenever they were made, and in no later window.
  const refused = await refusal(budget.spend(get))
  expect(Number(refused?.askedUntil) - Date.now()).toBeLessThanOrEqual(long)
  await sql`update account_buckets set slot = slot - 1`.execute(database.db)
  await budget.spend(get)
  await sql`update account_buckets set told_left = 0, told_until = now() + interval '100 years', has_told_end = true`.execute(
    database.db,
  )
  await budget.spend(get)
})

test('requests from before the account had a name count, with any remainder', async () => {
  const limits: LimitBucket[] = [{ name: 'checks', perMs: hour, limit: 2, learn }]
  const exchange = { request: get, answer: told({ 'x-limit': '5' }) }
  await countChecked(database.db, 'one', limits, [exchange, exchange, exchange])
  expect(await spentOf('checks')).toBe(3)
  await countChecked(database.db, 'one', limits, [{ request: get, answer: null }])
  expect(await spentOf('checks')).toBe(4)
  await open(limits).spend(get)
  expect(await refusal(open(limits).spend(get))).toBeInstanceOf(BudgetSpentError)
})

test('a limit is forgotten once its window is over, and not before', async () => {
  const budget = open([
    { name: 'short', perMs: 60_000, limit: 5 },
    { name: 'monthly', perMs: long, limit: 5 },
    { name: 'told', perMs: 60_000, limit: null, learn },
  ])
  await budget.spend(get)
  const names = async () => {
    const { rows } = await sql<{ name: string }>`select name from account_buckets order by name`.execute(database.db)
    return rows.map(({ name }) => name.split('/')[0])
  }
  await forgetOldBuckets(database.db)
  expect(await names()).toEqual(['monthly', 'short', 'told'])
  await sql`update account_buckets set touched_at = touched_at - interval '2 days'`.execute(database.db)
  await sql`update account_buckets set told_until = now() + interval '1 day' where name like 'told/%'`.execute(
    database.db,
  )
  await forgetOldBuckets(database.db)
  expect(await names()).toEqual(['monthly', 'told'])
})

test('buckets that a request is spending are left alone, so that nobody waits for anybody in a circle', async () => {
  const buckets = ['a', 'b', 'c'].map((name) => ({ name, perMs: 60_000, limit: 5 }))
  await open(buckets).spend(get)
  await sql`update account_buckets set touched_at = touched_at - interval '2 days'`.execute(database.db)
  await database.db.transaction().execute(async (tx) => {
    await sql`select from account_buckets where name like 'b/%' for update`.execute(tx)
    // Would wait for this transaction for ever.
    await forgetOldBuckets(database.db)
  })
  const { rows } = await sql<{ name: string }>`select name from account_buckets`.execute(database.db)
  expect(rows.map(({ name }) => name.split('/')[0])).toEqual(['b'])
})
