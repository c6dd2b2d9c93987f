import { afterEach, expect, test, vi } from 'vitest'
import { crashPoints } from '../../service/src/engine/run-context.ts'
import { expectSumsToClose, fernhillCounts } from './check-harbour.ts'
import { crashAt } from './crash-at.ts'
import { expectTrueWarnings } from './harbour-client.ts'
import { type Journey, startJourney } from './journey.ts'
import { plainConnectors, plainLateMs, plainMostFiles, plainSettleMs } from './plain-connectors.ts'
import { type PlainFault, type PlainTool, startPlainTool } from './plain-tool.ts'
import type { PassedAnswer, Tamper } from './tampering-proxy.ts'

// Files that are uploaded first, and then sent inside their ticket.

const limit = { timeout: 900_000 }
const tool = 'plain_carrying_files'
let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

interface Start {
  onRequest?: (request: { method: string; url: string; key: string | undefined }) => PlainFault
  source?: Tamper
}

async function start({ source, ...faults }: Start = {}) {
  const plain = await startPlainTool({ ...faults, settleMs: plainSettleMs })
  cleanup.defer(() => plain.close())
  const journey = await startJourney({
    destination: { tool, url: plain.url, connectors: plainConnectors },
    ...(source && { between: { source } }),
  })
  cleanup.defer(() => journey.close())
  await journey.connectSource()
  await journey.connectDestination()
  return { plain, journey }
}

const rowsOf = (journey: Journey) =>
  journey.db
    .selectFrom('id_map')
    .select(['entity', 'source_id', 'state', 'carried_at', 'destination_id', 'parent_entity', 'parent_source_id'])
    .execute()

/** Expects every record once, each file below its comment, and returns the files that came inside a ticket. */
async function expectEachOnce(journey: Journey, plain: PlainTool) {
  await vi.waitFor(() => expect(plain.isQuiet()).toBe(true), { timeout: 300_000 })
  const rows = await rowsOf(journey)
  const written = rows.filter(({ state }) => state === 'written')
  const things = [...plain.things.values()]
  expect(things.map(({ key, id }) => `${key} ${id}`).toSorted()).toEqual(
    written
      .map(({ entity, source_id, destination_id }) => `${journey.importId}/${entity}/${source_id} ${destination_id}`)
      .toSorted(),
  )
  expect(rows.filter(({ state }) => state === 'intended')).toEqual([])
  const idOf = new Map(written.map((row) => [`${row.entity}/${row.source_id}`, row.destination_id]))
  const files = written.filter(({ entity }) => entity === 'attachments')
  for (const { destination_id, parent_entity, parent_source_id } of files) {
    const parent = idOf.get(`${parent_entity}/${parent_source_id}`)
    expect(plain.things.get(String(destination_id))?.content).toMatchObject({ fields: { parent } })
  }
  await expectSumsToClose(journey, fernhillCounts)
  return things.filter(({ entity, within }) => entity === 'attachments' && within !== undefined)
}

test('files arrive inside their ticket, each below its own comment, and go with it', limit, async () => {
  const { journey, plain } = await start()
  await journey.work(await journey.start('full'))
  expect(journey.errors).toEqual([])
  const inside = await expectEachOnce(journey, plain)
  expect(inside.length).toBeGreaterThan(20)
  const most = Math.max(...[...Map.groupBy(inside, ({ within }) => within).values()].map((some) => some.length))
  expect(most).toBeLessThanOrEqual(plainMostFiles)
  await journey.work(await journey.start('check'))
  const told = await expectTrueWarnings(journey, ['entity_not_taken'])
  expect(Object.keys(told).filter((code) => /differs|edited|unknown|doubled/.test(code))).toEqual([])
  await journey.work(await journey.start('undo'))
  expect([...plain.things]).toEqual([])
})

test('files inside their tickets exist once wherever a worker is killed', limit, async () => {
  const { journey, plain } = await start()
  const runId = await journey.start('full')
  while ([...plain.things.values()].every(({ entity }) => entity !== 'tickets'))
    await journey.slice(runId, undefined, 1)
  for (const point of crashPoints.filter((name) => !name.startsWith('removal'))) await crashAt(journey, runId, point)
  await journey.work(runId)
  expect((await expectEachOnce(journey, plain)).length).toBeGreaterThan(10)
})

test('files inside their tickets exist once after any fault of the answers', limit, async () => {
  const faults: PlainFault[] = [
    'commit_then_drop',
    'drop',
    'commit_then_500',
    { late: plainLateMs / 2 },
    { status: 429 },
  ]
  let requests = 0
  const { journey, plain } = await start({
    onRequest({ method, url }) {
      if (method === 'GET') return 'ok'
      requests++
      const often = url === '/comments' ? 25 : 6
      return requests % often === 0 ? (faults[(requests / often) % faults.length] ?? 'ok') : 'ok'
    },
  })
  await journey.work(await journey.start('full'))
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(journey.errors.length).toBeGreaterThan(10)
  expect((await expectEachOnce(journey, plain)).length).toBeGreaterThan(10)
})

test('a file that the source lost is listed, and its neighbours arrive', limit, async () => {
  const lost = new Set<string>()
  const { journey, plain } = await start({
    async source({ path }, pass) {
      const [, id] = /\/attachments\/(\d+)\/content$/.exec(path) ?? []
      if (id === undefined || Number(id) % 5 !== 0) return pass()
      lost.add(id)
      return { status: 404, headers: { 'content-type': 'application/json' }, body: '{}' }
    },
  })
  await journey.work(await journey.start('full'))
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(lost.size).toBeGreaterThan(3)
  const rows = (await rowsOf(journey)).filter(({ entity }) => entity === 'attachments')
  const refused = new Set(rows.filter(({ state }) => state === 'refused').map(({ source_id }) => source_id))
  expect([...lost].filter((id) => !refused.has(id))).toEqual([])
  // One more is too large.
  expect(refused.size).toBe(lost.size + 1)
  expect(rows.filter(({ state }) => state === 'written')).toHaveLength(rows.length - refused.size)
  expect(await expectEachOnce(journey, plain)).not.toEqual([])
})

test('a file that an earlier attempt sent with its ticket is not taken for its neighbour', limit, async () => {
  let pair: { ticket: number; file: number } | undefined
  let sends = 0
  let handedOut = 0
  const { journey, plain } = await start({
    // The first attempt does not arrive.
    onRequest({ method, url, key }) {
      const isTicket = method === 'POST' && url === '/tickets' && key?.endsWith(`/tickets/${pair?.ticket}`)
      if (isTicket) sends++
      return isTicket && sends === 1 ? 'drop' : 'ok'
    },
    // Then the source fails to hand out one of its files, until the ticket arrived without it.
    async source({ path }, pass) {
      const answer = await pass()
      if (path.startsWith('/api/v1/comments')) pair ??= pairIn(answer)
      if (path !== `/api/v1/attachments/${pair?.file}/content`) return answer
      handedOut++
      const fails = handedOut > 1 && sends < 2
      return fails ? { status: 500, headers: { 'content-type': 'application/json' }, body: '{}' } : answer
    },
  })
  await journey.work(await journey.start('full'))
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(sends).toBe(2)
  const row = (await rowsOf(journey)).find((one) => one.entity === 'attachments' && one.source_id === `${pair?.file}`)
  expect(row).toMatchObject({ state: 'written', carried_at: null })
  expect(handedOut).toBe(5)
  await expectEachOnce(journey, plain)
})

test('a file that fails once arrives inside its ticket, though other requests failed before', limit, async () => {
  let pair: { ticket: number; file: number } | undefined
  let sends = 0
  let handedOut = 0
  const { journey, plain } = await start({
    onRequest({ method, url, key }) {
      const isTicket = method === 'POST' && url === '/tickets' && key?.endsWith(`/tickets/${pair?.ticket}`)
      if (isTicket) sends++
      return isTicket && sends <= 2 ? 'drop' : 'ok'
    },
    async source({ path }, pass) {
      const answer = await pass()
      if (path.startsWith('/api/v1/comments')) pair ??= pairIn(answer)
      if (path !== `/api/v1/attachments/${pair?.file}/content`) return answer
      handedOut++
      return handedOut === 3 ? { ...answer, status: 500, body: '{}' } : answer
    },
  })
  await journey.work(await journey.start('full'))
  expect(sends).toBe(3)
  expect(handedOut).toBe(4)
  const row = (await rowsOf(journey)).find((one) => one.entity === 'attachments' && one.source_id === `${pair?.file}`)
  expect(row).toMatchObject({ state: 'written', carried_at: 0 })
  await expectEachOnce(journey, plain)
})

/** The first file of a comment with several, and its ticket. */
function pairIn({ status, body }: PassedAnswer) {
  const { data = [] } = (status === 200 ? JSON.parse(String(body)) : {}) as { data?: Comment[] }
  const found = data.find(({ attachments }) => attachments.length > 1)
  return found && { ticket: found.ticket_id, file: found.attachments[0]?.id ?? 0 }
}

interface Comment {
  ticket_id: number
  attachments: { id: number }[]
}
