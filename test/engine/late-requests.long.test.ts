import { afterEach, expect, test } from 'vitest'
import type { Connector, RecordPage } from '../../service/src/connectors/contract/contract.ts'
import { compare, expectSumsToClose, fernhillCounts, nothingWrong, presentIn } from './check-harbour.ts'
import { type Journey, startJourney } from './journey.ts'
import type { PassedAnswer, PassedRequest, Tamper } from './tampering-proxy.ts'

const limit = { timeout: 900_000 }
let journey: Journey
afterEach(() => journey.close())

interface Found {
  external_id: string
  version: string
  fields: Record<string, unknown>
}
type Result = { result: string }

const isWrite = ({ method, path }: PassedRequest) =>
  method === 'PUT' && (path === '/files' || path.startsWith('/records/'))

/**
 * Breaks the connection for each request that `isHeld` selects, as after a time-out. The destination executes the
 * request when the test says so.
 */
function holdRequests(isHeld: (request: PassedRequest) => boolean) {
  const held: (() => Promise<PassedAnswer>)[] = []
  const tamper: Tamper = async (request, pass) => {
    if (!isHeld(request)) return pass()
    held.push(pass)
    return 'drop'
  }
  return {
    tamper,
    held,
    async execute(): Promise<string[]> {
      const answers = await Promise.all(held.splice(0).map((pass) => pass()))
      return answers.flatMap(({ status, body }) => {
        expect(status).toBe(200)
        const parsed = JSON.parse(String(body)) as Result & { results?: Result[] }
        return (parsed.results ?? [parsed]).map(({ result }) => result)
      })
    },
  }
}

/** Selects the first request to each of these paths. */
const firstOf = (...paths: string[]) => {
  const left = new Set(paths)
  return (request: PassedRequest) => isWrite(request) && left.delete(request.path)
}

async function ticketsInHarbour(): Promise<Found[]> {
  const ids = Array.from({ length: fernhillCounts.tickets }, (_, index) => `${journey.importId}/tickets/${index + 1}`)
  const found: Found[] = []
  for (let start = 0; start < ids.length; start += 100) {
    const answer = await fetch(`${journey.harbour.baseUrl}/records/tickets/find`, {
      method: 'POST',
      headers: { authorization: 'Bearer harbour-token', 'content-type': 'application/json' },
      body: JSON.stringify({ external_ids: ids.slice(start, start + 100) }),
    })
    found.push(...((await answer.json()) as { records: Found[] }).records)
  }
  return found
}
const parentsIn = (tickets: Found[]) => tickets.filter(({ fields }) => fields.parent_ticket !== undefined).length

/**
 * Every ticket except the last has the next one as its parent. The parent is written later, so the link stage sets all
 * of these.
 */
function withParents(fernhill: Connector): Connector {
  const { source } = fernhill
  if (!source) throw new Error('Fernhill Desk is a source')
  const addParents = ({ items, ...page }: RecordPage): RecordPage => ({
    ...page,
    items: items.map((item) => {
      const next = Number(item.sourceId) + 1
      if (item.entity !== 'tickets' || next > fernhillCounts.tickets) return item
      return { ...item, fields: { ...item.fields, parent_ticket: { entity: 'tickets', sourceId: String(next) } } }
    }),
  })
  return {
    ...fernhill,
    source: {
      ...source,
      async open(account) {
        const reader = await source.open(account)
        return {
          ...reader,
          read: async (...wanted) => addParents(await reader.read(...wanted)),
          readSome: async (...wanted) => addParents((await reader.readSome?.(...wanted)) as RecordPage),
        }
      },
    },
  }
}

/** Leaves out all entities after tickets, so that the link stage follows at once. */
function withoutThreads(fernhill: Connector): Connector {
  const { source } = fernhill
  if (!source) throw new Error('Fernhill Desk is a source')
  const later = ['comments', 'categories', 'articles', 'attachments']
  return {
    ...fernhill,
    source: {
      ...source,
      async open(account) {
        const reader = await source.open(account)
        return {
          ...reader,
          count: async () => ({ ...(await reader.count()), ...Object.fromEntries(later.map((name) => [name, 0])) }),
          read: async (entity, ...wanted) =>
            later.includes(entity) ? { items: [], warnings: [], next: null } : reader.read(entity, ...wanted),
        }
      },
    },
  }
}

async function migrate(between: Tamper, readAs = withParents) {
  journey = await startJourney({ readAs, between: { destination: between } })
  await journey.connectSource()
  await journey.connectDestination()
  return journey.start('full')
}

test('batches and files that the destination executes after the link stage overwrite nothing', limit, async () => {
  const { tamper, held, execute } = holdRequests(
    firstOf('/records/contacts', '/records/tickets', '/records/comments', '/files'),
  )
  const runId = await migrate(tamper)
  await journey.work(runId)
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(held).toHaveLength(4)
  const before = await ticketsInHarbour()
  expect(parentsIn(before)).toBeGreaterThan(110)
  const late = await execute()
  expect(late.length).toBeGreaterThan(100)
  expect(new Set(late)).toEqual(new Set(['outdated']))
  expect(await ticketsInHarbour()).toEqual(before)
  expect(await compare(journey)).toEqual(nothingWrong)
  await expectSumsToClose(journey, fernhillCounts)
  // Nothing differs from our writes, so an undo removes all of it as ours.
  await journey.work(await journey.start('undo'))
  expect(await presentIn(journey)).toEqual(new Set())
})

test('a record that the destination executes after its run was undone is not created', limit, async () => {
  let isHolding = true
  const { tamper, held, execute } = holdRequests(
    (request) => isHolding && isWrite(request) && request.path === '/records/organizations',
  )
  const runId = await migrate(async (request, pass) => {
    if (request.path !== '/describe') return tamper(request, pass)
    // The undo waits until nothing can arrive any more. Harbour declares too short a time here.
    const answer = await pass()
    const { limits, ...rest } = JSON.parse(String(answer.body)) as { limits: object }
    return { ...answer, body: JSON.stringify({ ...rest, limits: { ...limits, late_ms: 0 } }) }
  })
  while (held.length === 0) await journey.slice(runId)
  await journey.work(await journey.start('undo'))
  isHolding = false
  expect(await presentIn(journey)).toEqual(new Set())
  expect(new Set(await execute())).toEqual(new Set(['outdated']))
  expect(await presentIn(journey)).toEqual(new Set())
})

interface Sent {
  external_id: string
  revision: number
  fields: { parent_ticket?: string }
}

test('without revisions the link stage waits until a doubtful record can no longer arrive', limit, async () => {
  const lateMs = 15_000
  const isFirst = firstOf('/records/tickets')
  const late = { ids: new Set<string>(), executed: null as Promise<unknown> | null, execute: async () => {} }
  const forgetful: Tamper = async (request, pass) => {
    if (request.path === '/describe') {
      const answer = await pass()
      const { limits, capabilities, ...rest } = JSON.parse(String(answer.body)) as Record<string, object>
      const said = { limits: { ...limits, late_ms: lateMs }, capabilities: { ...capabilities, revisions: false } }
      return { ...answer, body: JSON.stringify({ ...rest, ...said }) }
    }
    if (!isWrite(request)) return pass()
    const { records } = JSON.parse(String(request.body)) as { records: Sent[] }
    const body = JSON.stringify({ records: records.map(({ revision: _revision, ...record }) => record) })
    if (isFirst(request)) {
      late.ids = new Set(records.map(({ external_id }) => external_id))
      late.execute = async () => {
        late.executed ??= pass(body)
        await late.executed
      }
      // The request arrives late, but within the declared `late_ms`.
      setTimeout(() => void late.execute(), lateMs * 0.6)
      return 'drop'
    }
    // On a busy machine, too, the destination executes requests in the order of their arrival.
    await late.executed
    const answer = await pass(body)
    // A link stage that did not wait would be overtaken here.
    const linked = records.filter(({ external_id, fields }) => late.ids.has(external_id) && fields.parent_ticket)
    if (linked.length > late.ids.size / 2) await late.execute()
    return answer
  }
  const runId = await migrate(forgetful, (fernhill) => withoutThreads(withParents(fernhill)))
  await journey.work(runId)
  expect(late.executed).not.toBeNull()
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(await compare(journey)).toEqual(nothingWrong)
  expect(parentsIn(await ticketsInHarbour())).toBeGreaterThan(110)
})
