import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Connector, OutgoingRecord, WriteOutcome, Writer } from '../../service/src/connectors/contract/contract.ts'
import { crashPoints } from '../../service/src/engine/run-context.ts'
import { ConnectorFaultError } from '../../service/src/errors.ts'
import { startProgram } from '../support/program.ts'
import { testKeys } from '../support/service.ts'
import { expectSumsToClose, fernhillCounts } from './check-harbour.ts'
import { expectTrueWarnings } from './harbour-client.ts'
import { type Journey, startJourney } from './journey.ts'
import { plainConnectors, plainLateMs, plainMostInside, plainSettleMs } from './plain-connectors.ts'
import { type PlainFault, type PlainThing, type PlainTool, startPlainTool } from './plain-tool.ts'

const limit = { timeout: 900_000 }
let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

interface Start {
  onRequest?: (request: { method: string; url: string; key: string | undefined }) => PlainFault
  refusesPart?: (key: string) => boolean
  connectors?: readonly Connector[]
  startFull?: boolean
}

async function startCarrying(tool: string, { connectors = plainConnectors, startFull = true, ...faults }: Start = {}) {
  const plain = await startPlainTool({ ...faults, settleMs: plainSettleMs })
  cleanup.defer(() => plain.close())
  const journey = await startJourney({ startFull, destination: { tool, url: plain.url, connectors } })
  cleanup.defer(() => journey.close())
  await journey.connectSource()
  await journey.connectDestination()
  return { plain, journey }
}

async function crashAt(journey: Journey, runId: string, point: string): Promise<void> {
  const worker = startProgram(
    process.execPath,
    [join(import.meta.dirname, 'crash-worker.ts'), journey.databaseUrl, runId, testKeys, point, '1'],
    { env: { PATH: process.env.PATH } },
  )
  const { code, stderr } = await worker.finished
  if (code !== null && code !== 7) throw new Error(`the worker failed: ${stderr}`)
}

type Comment = { fields: { ticket: string; is_public?: boolean }; createdAt: string | null }
const contentOf = ({ content }: PlainThing) => content as Comment
const idOf = (key: string) => Number(key.split('/').at(-1))
const ofEntity = (plain: PlainTool, name: string) => [...plain.things.values()].filter(({ entity }) => entity === name)
const rowsOf = (journey: Journey) =>
  journey.db
    .selectFrom('id_map')
    .select(['entity', 'source_id', 'state', 'code', 'carried_at', 'destination_id'])
    .execute()

/** Expects that the ledger and the tool agree about every record, and that no record exists twice. */
async function expectEachOnce(journey: Journey, plain: PlainTool): Promise<void> {
  await vi.waitFor(() => expect(plain.isQuiet()).toBe(true), { timeout: 300_000 })
  const rows = await rowsOf(journey)
  const written = rows
    .filter(({ state }) => state === 'written')
    .map(({ entity, source_id, destination_id }) => `${journey.importId}/${entity}/${source_id} ${destination_id}`)
  expect([...plain.things.values()].map(({ key, id }) => `${key} ${id}`).toSorted()).toEqual(written.toSorted())
  expect(rows.filter(({ state }) => state === 'intended')).toEqual([])
}

interface DeskComment {
  id: number
  ticket_id: number
  public: boolean
}

async function readDesk({ fernhill }: Journey): Promise<DeskComment[]> {
  const comments: DeskComment[] = []
  let after = ''
  do {
    const path = `/api/v1/comments?limit=100${after === '' ? '' : `&after=${encodeURIComponent(after)}`}`
    const answer = await fetch(`${fernhill.url}${path}`, { headers: { authorization: 'Bearer desk-key' } })
    const page = (await answer.json()) as { data: DeskComment[]; next: string | null }
    comments.push(...page.data)
    after = page.next ?? ''
  } while (after !== '')
  return comments
}

/** Expects that every thread has the order of the desk, and that a private comment stays private. */
async function expectThreads(journey: Journey, plain: PlainTool): Promise<void> {
  const comments = ofEntity(plain, 'comments')
  const desk = new Map((await readDesk(journey)).map((comment) => [comment.id, comment]))
  const tickets = new Map(ofEntity(plain, 'tickets').map(({ id, key }) => [id, idOf(key)]))
  for (const [ticket, thread] of Map.groupBy(comments, (one) => contentOf(one).fields.ticket)) {
    const ids = thread.map(({ key }) => idOf(key))
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    expect(thread.filter(({ within }) => within !== undefined).length).toBeLessThanOrEqual(plainMostInside)
    for (const id of ids) expect(desk.get(id)?.ticket_id).toBe(tickets.get(ticket))
  }
  for (const comment of comments) expect(contentOf(comment).fields.is_public).toBe(desk.get(idOf(comment.key))?.public)
}

/** Faults that fail often, but let every request through in the end. */
function unreliable(): (request: { method: string; url: string }) => PlainFault {
  const faults: PlainFault[] = [
    'commit_then_drop',
    'drop',
    'commit_then_500',
    { late: plainLateMs / 2 },
    { status: 429 },
  ]
  let requests = 0
  return ({ method, url }) => {
    if (method === 'GET') return 'ok'
    requests++
    const often = url === '/tickets' ? 6 : 25
    return requests % often === 0 ? (faults[(requests / often) % faults.length] ?? 'ok') : 'ok'
  }
}

describe.each(['plain_carrying_b', 'plain_carrying_c'])('%s: comments inside their tickets', (tool) => {
  test('arrive once, in their order and with their times; the other comments are sent separately', limit, async () => {
    const posts: string[] = []
    const onRequest: Start['onRequest'] = ({ method, url, key }) => {
      if (method === 'POST' && url === '/comments') posts.push(String(key))
      return 'ok'
    }
    const { journey, plain } = await startCarrying(tool, { onRequest })
    await journey.work(await journey.start('full'))
    expect(journey.errors).toEqual([])
    expect((await journey.status()).status_code).toBe('migration_completed')
    await expectEachOnce(journey, plain)
    await expectThreads(journey, plain)
    await expectSumsToClose(journey, fernhillCounts)
    expect((await journey.status()).items).toMatchObject({ tickets: 119, comments: 510, attachments: 48 })
    const comments = ofEntity(plain, 'comments')
    const inside = comments.filter(({ within }) => within !== undefined)
    expect(inside.length).toBeGreaterThan(250)
    expect(inside.every((one) => contentOf(one).createdAt !== null)).toBe(true)
    // Each of the other comments was sent once, and no comment that was inside a ticket was sent again.
    expect(posts.length).toBe(new Set(posts).size)
    expect(posts.toSorted()).toEqual(
      comments
        .filter(({ within }) => within === undefined)
        .map(({ key }) => key)
        .toSorted(),
    )
    await journey.work(await journey.start('check'))
    const told = await expectTrueWarnings(journey, ['entity_not_taken'])
    expect(Object.keys(told).filter((code) => /differs|edited|unknown|doubled/.test(code))).toEqual([])
    await journey.work(await journey.start('undo'))
    expect(await journey.status()).toMatchObject({ status_code: 'migration_cleaned', items: {} })
    expect([...plain.things]).toEqual([])
  })

  test('exist once after any fault of the answers', limit, async () => {
    const { journey, plain } = await startCarrying(tool, { onRequest: unreliable() })
    await journey.work(await journey.start('full'))
    expect((await journey.status()).status_code).toBe('migration_completed')
    expect(journey.errors.length).toBeGreaterThan(10)
    await expectEachOnce(journey, plain)
    await expectThreads(journey, plain)
    await expectSumsToClose(journey, fernhillCounts)
    await journey.work(await journey.start('undo'))
    expect([...plain.things]).toEqual([])
  })
})

test('comments inside their tickets exist once wherever a worker is killed', limit, async () => {
  const { journey, plain } = await startCarrying('plain_carrying_c')
  const runId = await journey.start('full')
  // Groups, organizations and contacts come first, so that the kill happens while tickets are written.
  while (ofEntity(plain, 'tickets').length === 0) await journey.slice(runId, undefined, 1)
  for (const point of crashPoints.filter((name) => !name.startsWith('removal'))) await crashAt(journey, runId, point)
  await journey.work(runId)
  await expectEachOnce(journey, plain)
  await expectThreads(journey, plain)
  await expectSumsToClose(journey, fernhillCounts)
  const undo = await journey.start('undo')
  for (const point of ['removal sent', 'removal committed']) await crashAt(journey, undo, point)
  await journey.work(undo)
  expect([...plain.things]).toEqual([])
})

test('where records cannot be looked up, no ticket and no comment arrives twice', limit, async () => {
  const { journey, plain } = await startCarrying('plain_carrying_d', { onRequest: unreliable() })
  await journey.work(await journey.start('full'))
  expect((await journey.status()).status_code).toBe('migration_completed')
  await vi.waitFor(() => expect(plain.isQuiet()).toBe(true), { timeout: 300_000 })
  const keys = [...plain.things.values()].map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
  const rows = await rowsOf(journey)
  const unknown = rows.filter(({ state, code }) => state === 'intended' && code === 'unknown')
  expect(unknown.length).toBeGreaterThan(3)
  expect(rows.filter(({ state, code }) => state === 'intended' && code !== 'unknown')).toEqual([])
  await expectSumsToClose(journey, {
    ...fernhillCounts,
    ...Object.fromEntries(
      [...Map.groupBy(unknown, ({ entity }) => entity)].map(([entity, some]) => [
        entity,
        fernhillCounts[entity as keyof typeof fernhillCounts] - some.length,
      ]),
    ),
  })
})

test('a part that the destination refuses is listed, and its neighbours stay', limit, async () => {
  const refused = new Set<string>()
  const refusesPart = (key: string) => {
    const isRefused = idOf(key) % 50 === 7
    if (isRefused) refused.add(String(idOf(key)))
    return isRefused
  }
  const { journey, plain } = await startCarrying('plain_carrying_c', { refusesPart })
  await journey.work(await journey.start('full'))
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(refused.size).toBeGreaterThan(2)
  const rows = await rowsOf(journey)
  const told = rows.filter(
    ({ entity, state, code }) => entity === 'comments' && state === 'refused' && code === 'not_taken',
  )
  expect(new Set(told.map(({ source_id }) => source_id))).toEqual(refused)
  expect(journey.errors).toEqual([])
  await expectEachOnce(journey, plain)
  await expectThreads(journey, plain)
  await expectTrueWarnings(journey, ['entity_not_taken'])
  // A retry sends these comments separately.
  await journey.work(await journey.start('retry'))
  await expectEachOnce(journey, plain)
  expect(ofEntity(plain, 'comments').length).toBe(510)
})

test(
  'a sample copies tickets with their comments inside, and the full run adds the other comments once',
  limit,
  async () => {
    const { journey, plain } = await startCarrying('plain_carrying_c', { startFull: false })
    await journey.work(await journey.start('sample'))
    expect((await journey.status()).status_code).toBe('sample_migration_completed')
    await expectEachOnce(journey, plain)
    await expectThreads(journey, plain)
    expect(ofEntity(plain, 'comments').filter(({ within }) => within !== undefined).length).toBeGreaterThan(20)
  },
)

test(
  'later changes: a new ticket arrives with its comments, a new comment of an old ticket arrives separately',
  limit,
  async () => {
    const { journey, plain } = await startCarrying('plain_carrying_c')
    await journey.work(await journey.start('full'))
    const before = new Set(plain.things.keys())
    const add = (path: string, body: object) =>
      fetch(`${journey.fernhill.url}/api/v1${path}`, {
        method: 'POST',
        headers: { authorization: 'Bearer desk-key', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).then((answer) => answer.json() as Promise<{ id: number }>)
    const comment = { author_type: 'contact', author_id: 1, body: '<p>And more</p>' }
    const ticket = await add('/tickets', { subject: 'New since', description: '<p>Hello</p>', requester_id: 1 })
    const inside = [
      await add(`/tickets/${ticket.id}/comments`, comment),
      await add(`/tickets/${ticket.id}/comments`, comment),
    ]
    const alone = await add('/tickets/1/comments', comment)
    await journey.work(await journey.start('delta'))
    const added = [...plain.things.values()].filter(({ id }) => !before.has(id))
    expect(added.map(({ key, within }) => [idOf(key), within === undefined]).toSorted()).toEqual(
      [[ticket.id, true], [alone.id, true], ...inside.map(({ id }) => [id, false])].toSorted(),
    )
    await expectEachOnce(journey, plain)
    await expectThreads(journey, plain)
  },
)

test('a comment inside a ticket that people changed survives the undo', limit, async () => {
  const { journey, plain } = await startCarrying('plain_carrying_c')
  await journey.work(await journey.start('full'))
  const changed = ofEntity(plain, 'comments').find(({ within }) => within !== undefined)
  if (!changed) throw new Error('no comment came inside a ticket')
  changed.content = { ...contentOf(changed), fields: { ...contentOf(changed).fields, body: '<p>Edited by hand</p>' } }
  await journey.work(await journey.start('undo'))
  expect(plain.things.get(changed.id)?.content).toEqual(changed.content)
  expect(plain.things.has(String(changed.within))).toBe(true)
})

/** The plain tools, with connectors that falsify the outcomes for tickets. */
const lying = (lie: (outcomes: WriteOutcome[], records: OutgoingRecord[]) => WriteOutcome[]): Connector[] =>
  plainConnectors.map((connector) => {
    const { destination } = connector
    if (!destination) return connector
    const open = async (...asked: Parameters<typeof destination.open>): Promise<Writer> => {
      const writer = await destination.open(...asked)
      const write: Writer['write'] = async (entity, records) => {
        const outcomes = await writer.write(entity, records)
        return entity === 'tickets' ? lie(outcomes, records) : outcomes
      }
      return { ...writer, write }
    }
    return { ...connector, destination: { ...destination, open } }
  })

test('a part for which a connector gives no outcome is searched under its ticket, and found', limit, async () => {
  const left = new Set<string>()
  const connectors = lying((outcomes, records) => {
    const last = records.at(-1)?.parts?.at(-1)?.key
    if (last !== undefined) left.add(last)
    return outcomes.filter(({ key }) => key !== last)
  })
  const { journey, plain } = await startCarrying('plain_carrying_c', { connectors })
  await journey.work(await journey.start('full'))
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(left.size).toBeGreaterThan(10)
  expect(journey.errors.some((error) => error instanceof ConnectorFaultError)).toBe(true)
  await expectEachOnce(journey, plain)
  await expectThreads(journey, plain)
  const there = new Map([...plain.things.values()].map((thing) => [thing.key, thing]))
  const arrived = [...left].filter((key) => there.has(key))
  expect(arrived.length).toBeGreaterThan(10)
  for (const key of arrived) expect(there.get(key)?.within).toBeDefined()
})

test(
  'an outcome for a part that was not sent is an error of the connector, and the ledger stays correct',
  limit,
  async () => {
    let isLying = true
    const stranger = (key: string): WriteOutcome => ({
      key,
      result: 'written',
      destinationId: '1',
      url: null,
      version: null,
    })
    const connectors = lying((outcomes, records) =>
      isLying ? [...outcomes, stranger(`${records[0]?.key.replace('tickets', 'comments')}9999`)] : outcomes,
    )
    const { journey, plain } = await startCarrying('plain_carrying_c', { connectors })
    const runId = await journey.start('full')
    await journey.work(runId)
    const { warnings } = await journey.status()
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'connector_broken', entity: 'run' }))
    expect((await rowsOf(journey)).filter(({ entity, state }) => entity === 'comments' && state === 'written')).toEqual(
      [],
    )
    isLying = false
    expect(await journey.resume()).toBe(true)
    await journey.work(runId)
    expect((await journey.status()).status_code).toBe('migration_completed')
    await expectEachOnce(journey, plain)
    await expectThreads(journey, plain)
  },
)

test(
  'comments inside a ticket with unknown outcome are unknown too, and its other comments wait for it',
  limit,
  async () => {
    const lost = new Set<string>()
    const { journey, plain } = await startCarrying('plain_carrying_d', {
      onRequest: ({ method, url, key = '' }) => {
        if (method !== 'POST' || url !== '/tickets' || lost.has(key) || idOf(key) > 12) return 'ok'
        lost.add(key)
        return idOf(key) % 2 === 0 ? 'commit_then_drop' : 'drop'
      },
    })
    await journey.work(await journey.start('full'))
    const rows = await rowsOf(journey)
    const unknown = rows.filter(({ state, code }) => state === 'intended' && code === 'unknown')
    // Every stored record without a written row is reported as unknown, and none as missing.
    const keyOf = ({ entity, source_id }: { entity: string; source_id: string }) =>
      `${journey.importId}/${entity}/${source_id}`
    const said = new Set([...unknown, ...rows.filter(({ state }) => state === 'written')].map(keyOf))
    expect([...plain.things.values()].filter(({ key }) => !said.has(key))).toEqual([])
    expect(unknown.filter(({ entity }) => entity === 'tickets')).toHaveLength(11)
    expect(
      unknown.filter(({ entity, carried_at }) => entity === 'comments' && carried_at !== null).length,
    ).toBeGreaterThan(20)
    // Comments beyond the limit of a request were never sent.
    const held = rows.filter(({ entity, state }) => entity === 'comments' && state === 'held')
    expect(held.length).toBeGreaterThan(5)
    expect(held.filter(({ carried_at }) => carried_at !== null)).toEqual([])
    // The customer checks and has them sent again: all arrive, and only records that had arrived before exist twice.
    await journey.work(await journey.start('retry', { send_unknown: true }))
    const after = (await rowsOf(journey)).filter(({ state, entity }) => state !== 'written' && entity !== 'attachments')
    expect(after.map(({ entity, source_id }) => `${entity}/${source_id}`).toSorted()).toEqual([
      'comments/22',
      'tickets/6',
    ])
    const keys = new Set([...plain.things.values()].map(({ key }) => key))
    expect(rows.filter((row) => row.state === 'intended' && !keys.has(keyOf(row)))).toEqual([])
  },
)
