import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import type { Fault, SeenRequest } from '../../demo/harbour/faults.ts'
import type { Connector } from '../../service/src/connectors/contract/contract.ts'
import { compare, expectSumsToClose, fernhillCounts, nothingWrong } from './check-harbour.ts'
import { expectTrueNumbers, expectTrueWarnings } from './harbour-client.ts'
import { type Journey, soonSettled, startJourney } from './journey.ts'
import { plainConnectors, plainSettleMs } from './plain-connectors.ts'
import { startPlainTool } from './plain-tool.ts'

const limit = { timeout: 900_000 }
let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

async function connect(options: Parameters<typeof startJourney>[0]): Promise<Journey> {
  const { between, ...others } = options ?? {}
  const journey = await startJourney({ between: { destination: soonSettled, ...between }, ...others })
  cleanup.defer(() => journey.close())
  await journey.connectSource()
  await journey.connectDestination()
  return journey
}

/** True if the request contains one of these records. */
const holds = ({ method, path, body }: SeenRequest, ends: string[]) =>
  method === 'PUT' &&
  path.startsWith('/records/') &&
  (body as { records: { external_id: string }[] }).records.some(({ external_id }) =>
    ends.some((end) => external_id.endsWith(end)),
  )

const rowOf = ({ db }: Journey, entity: string, sourceId: string) =>
  db
    .selectFrom('id_map')
    .select(['state', 'code', 'message', 'warned'])
    .where('entity', '=', entity)
    .where('source_id', '=', sourceId)
    .executeTakeFirstOrThrow()

test(
  'a record that always fails is set aside with the answer as its reason, and a retry copies it',
  limit,
  async () => {
    let isFailing = true
    const onRequest = (request: SeenRequest): Fault =>
      isFailing && holds(request, ['/tickets/7', '/contacts/2']) ? { status: 500 } : 'ok'
    const journey = await connect({ onRequest })
    await journey.work(await journey.start('full'))
    expect((await journey.status()).status_code).toBe('migration_completed')
    for (const [entity, id] of [
      ['tickets', '7'],
      ['contacts', '2'],
    ] as const) {
      expect(await rowOf(journey, entity, id)).toMatchObject({
        state: 'refused',
        code: 'failing',
        message: expect.stringContaining('500'),
      })
    }
    await expectSumsToClose(journey, fernhillCounts)
    expect(await expectTrueWarnings(journey)).toMatchObject({ 'contacts refused': 1, 'tickets refused': 2 })
    await expectTrueNumbers(journey)
    isFailing = false
    await journey.work(await journey.start('retry'))
    expect(await rowOf(journey, 'tickets', '7')).toMatchObject({ state: 'written' })
    expect(await rowOf(journey, 'contacts', '2')).toMatchObject({ state: 'written' })
    expect(await compare(journey)).toEqual(nothingWrong)
    await expectTrueNumbers(journey)
  },
)

test('a record that arrives although its request fails is found, and nothing is duplicated', limit, async () => {
  const plain = await startPlainTool({
    settleMs: plainSettleMs,
    onRequest: ({ method, url, key }) =>
      method === 'POST' && url === '/tickets' && key?.endsWith('/tickets/7') ? 'commit_then_500' : 'ok',
  })
  cleanup.defer(() => plain.close())
  const journey = await connect({ destination: { tool: 'plain_c', url: plain.url, connectors: plainConnectors } })
  await journey.work(await journey.start('full'))
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(await rowOf(journey, 'tickets', '7')).toMatchObject({ state: 'written' })
  const keys = [...plain.things.values()].map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
})

/** A tool that loses something of its records: the records show it, or their content makes it certain. */
const tellsLosses = (one: Connector, by: 'find' | 'asStored'): Connector => {
  const { destination } = one
  if (!destination) return one
  return {
    ...one,
    destination: {
      ...destination,
      async open(account, family) {
        const writer = await destination.open(account, family)
        const losses = ['moment_not_kept'] as const
        if (by === 'find')
          return {
            ...writer,
            find: async (entity, sought) => (await writer.find(entity, sought)).map((found) => ({ ...found, losses })),
          }
        return {
          ...writer,
          asStored: async (entity, content) => ({ ...(await writer.asStored(entity, content)), losses }),
        }
      },
    },
  }
}

test.each(['find', 'asStored'] as const)(
  'a loss that %s tells is told although the answer was lost',
  limit,
  async (by) => {
    let sent = 0
    const plain = await startPlainTool({
      settleMs: plainSettleMs,
      onRequest: ({ method, key }) => {
        const isLost =
          method === 'POST' && (key?.endsWith('/tickets/7') || (key?.endsWith('/tickets/8') && ++sent === 1))
        return isLost ? 'commit_then_500' : 'ok'
      },
    })
    cleanup.defer(() => plain.close())
    const connectors = plainConnectors.map((one) => tellsLosses(one, by))
    const journey = await connect({ destination: { tool: 'plain_c', url: plain.url, connectors } })
    await journey.work(await journey.start('full'))
    expect((await journey.status()).status_code).toBe('migration_completed')
    for (const id of ['7', '8']) {
      const warned = expect.arrayContaining(['lost:moment_not_kept'])
      expect(await rowOf(journey, 'tickets', id)).toMatchObject({ state: 'written', warned })
    }
    expect(await expectTrueWarnings(journey)).toMatchObject({ 'tickets lost:moment_not_kept': 2 })
  },
)

/** A destination that shows new records only after a minute. */
const showsLate = (open: Connector): Connector => {
  const { destination } = open
  if (!destination) return open
  return {
    ...open,
    destination: {
      ...destination,
      async open(account) {
        const writer = await destination.open(account)
        return {
          ...writer,
          async describe() {
            const description = await writer.describe()
            return { ...description, capabilities: { ...description.capabilities, settleMs: 60_000 } }
          },
        }
      },
    },
  }
}

test('a record that always fails is set aside, although the destination shows new records late', limit, async () => {
  const onRequest = (request: SeenRequest): Fault => (holds(request, ['/tickets/7']) ? { status: 500 } : 'ok')
  const journey = await connect({ onRequest, writeAs: showsLate })
  const runId = await journey.start('full')
  for (let slices = 0; slices < 40 && (await journey.slice(runId)).next !== 'nothing'; slices += 1) {
    await sql`update account_paces set blocked_until = '-infinity'`.execute(journey.db)
    await sql`update id_map set sent_at = sent_at - interval '1 hour' where sent_at is not null`.execute(journey.db)
  }
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(await rowOf(journey, 'tickets', '7')).toMatchObject({ state: 'refused', code: 'failing' })
})

test('an import ends even if its last record always fails', limit, async () => {
  const journey = await connect({
    onRequest: (request) => (holds(request, ['/articles/10']) ? 'commit_then_500' : 'ok'),
  })
  await journey.work(await journey.start('full'))
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(await rowOf(journey, 'articles', '10')).toMatchObject({ state: 'written' })
  await expectTrueNumbers(journey)
})

test('a file that the source never returns is set aside', limit, async () => {
  let refused: string | null = null
  const journey = await connect({
    between: {
      source: async ({ path }, pass) => {
        const id = /attachments\/(\d+)\/content$/.exec(path)?.[1]
        if (id !== undefined) refused ??= id
        return id !== undefined && id === refused ? { status: 500, headers: {}, body: 'oh' } : pass()
      },
    },
  })
  await journey.work(await journey.start('full'))
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(refused).not.toBeNull()
  expect(await rowOf(journey, 'attachments', String(refused))).toMatchObject({ state: 'refused', code: 'failing' })
})

test('a destination that fails for every record is waited for, and no record is set aside', limit, async () => {
  let requests = 0
  const journey = await connect({
    onRequest: ({ method, path }) => {
      if (method !== 'PUT' || !path.startsWith('/records/tickets')) return 'ok'
      return ++requests < 12 ? { status: 500 } : 'ok'
    },
  })
  await journey.work(await journey.start('full'))
  await expectSumsToClose(journey, fernhillCounts)
  const { rows } = {
    rows: await journey.db.selectFrom('id_map').select('code').where('code', '=', 'failing').execute(),
  }
  expect(rows).toEqual([])
  expect(await compare(journey)).toEqual(nothingWrong)
})

test('a 429 leaves nothing in doubt, even where records cannot be looked up', limit, async () => {
  let requests = 0
  const plain = await startPlainTool({
    onRequest: ({ method }) => (method !== 'GET' && ++requests % 25 === 0 ? { status: 429 } : 'ok'),
  })
  cleanup.defer(() => plain.close())
  const journey = await connect({
    destination: { tool: 'plain_d', url: plain.url, connectors: plainConnectors },
  })
  await journey.work(await journey.start('full'))
  expect((await journey.status()).status_code).toBe('migration_completed')
  const rows = await journey.db.selectFrom('id_map').select('code').where('state', '=', 'intended').execute()
  expect(rows).toEqual([])
  const keys = [...plain.things.values()].map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
})

test('a worker that lives only for a few requests still makes progress', limit, async () => {
  // Every request takes so long that no page is finished before the worker ends.
  const journey = await connect({ latencyMs: 400 })
  const runId = await journey.start('full')
  let lives = 0
  for (let result = 'slice'; result === 'slice' && lives < 300; lives++) {
    let sent = 0
    const { next } = await journey.slice(runId, async (point) => {
      if (point === 'first batch sent' && ++sent > 3) throw new Error('as if the process had ended here')
      if (point === 'all batches sent' && sent > 3) throw new Error('as if the process had ended here')
    })
    result = next
    await journey.resume()
    if (next === 'nothing') result = (await journey.status()).status_code === 'migration_completed' ? 'done' : 'slice'
  }
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(await compare(journey)).toEqual(nothingWrong)
})

test('a record whose removal fails five times is removed in the end, like its neighbours', limit, async () => {
  let failures = 0
  const journey = await connect({
    onRequest: ({ path, body }) => {
      if (path !== '/records/tickets/delete') return 'ok'
      const { records } = body as { records: { external_id: string }[] }
      const isIt = records.some(({ external_id }) => external_id.endsWith('/tickets/7'))
      return isIt && ++failures <= 5 ? { status: 500 } : 'ok'
    },
  })
  await journey.work(await journey.start('full'))
  await journey.work(await journey.start('undo'))
  expect((await journey.status()).status_code).toBe('migration_cleaned')
  expect(failures).toBeGreaterThan(5)
  expect(await rowOf(journey, 'tickets', '7')).toMatchObject({ state: 'removed', code: null })
})
