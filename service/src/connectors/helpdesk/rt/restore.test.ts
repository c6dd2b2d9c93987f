import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { createLoopbackOutbound } from '../../../../../test/connectors/desk-account.ts'
import {
  type FakeRt,
  type Fault,
  readRecordings,
  type SeenRequest,
  startFakeRt,
} from '../../../../../test/connectors/rt/fake.ts'
import { writeScenario } from '../../../../../test/connectors/rt/scenarios.ts'
import { RetryableError } from '../../../errors.ts'
import type { Leftover } from '../../contract/contract.ts'
import { openWriter } from './writer.ts'

const outbound = createLoopbackOutbound()
let fake: FakeRt
/** The dates of each existing ticket, by id. */
let tickets: Record<string, { Started: string | null; Resolved: string | null }>
let changes: { path: string; body: unknown }[]

const json = (value: unknown): Fault => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  answer: JSON.stringify(value),
})

beforeEach(async () => {
  tickets = {}
  changes = []
  fake = await startFakeRt({ tool: '', recordedOn: '', recordings: [] })
  fake.fault = ({ method, path, body }) => {
    if (method === 'GET' && path.startsWith('/REST/2.0/tickets?')) {
      const asked = [...decodeURIComponent(path).matchAll(/id[ +]=[ +](\d+)/g)].map(([, id]) => String(id))
      const items = asked.flatMap((id) => (tickets[id] ? [{ id, Status: 'resolved', ...tickets[id] }] : []))
      return json({ items, total: items.length, count: items.length, page: 1, pages: 1, per_page: 100 })
    }
    if (method === 'PUT') {
      changes.push({ path, body: JSON.parse(body) })
      return json(['changed'])
    }
    return { status: 500 }
  }
})
afterEach(() => fake[Symbol.asyncDispose]())
afterAll(() => outbound.close())

const account = (leftovers?: Parameters<typeof openWriter>[0]['leftovers']) => ({
  access: { instanceUrl: `${fake.url}/`, username: null, token: 'token' },
  outbound,
  signal: AbortSignal.timeout(3_600_000),
  ...(leftovers && { leftovers }),
})
const restore = (items: Leftover[]) => openWriter(account()).restore?.(items)
const dates = (id: string, Started: string | null, Resolved: string | null): Leftover => ({
  kind: 'ticket_dates',
  id,
  Started,
  Resolved,
})

test('only dates that opening and closing a ticket changed are restored', async () => {
  const now = '2026-11-01T10:00:00Z'
  tickets = {
    5: { Started: now, Resolved: now },
    6: { Started: '2018-05-01T00:00:00Z', Resolved: now },
    7: { Started: '2019-01-01T00:00:00Z', Resolved: null },
  }
  const items = [
    dates('5', '2018-05-01T00:00:00Z', '2018-06-01T00:00:00Z'),
    dates('6', '2018-05-01T00:00:00Z', null),
    dates('7', '2019-01-01T00:00:00Z', null),
  ]
  expect(await restore(items)).toEqual(items)
  expect(changes).toEqual([
    { path: '/REST/2.0/ticket/5', body: { Started: '2018-05-01 00:00:00', Resolved: '2018-06-01 00:00:00' } },
    { path: '/REST/2.0/ticket/6', body: { Resolved: '1970-01-01 00:00:00' } },
  ])
})

test('dates of a deleted ticket count as restored, and leftovers of another kind stay', async () => {
  const items = [dates('8', null, null), { kind: 'of another tool', id: '1' }]
  expect(await restore(items)).toEqual([items[0]])
  expect(changes).toEqual([])
})

test('a server error restores nothing, and is retryable', async () => {
  tickets = { 5: { Started: null, Resolved: null } }
  const answer = fake.fault
  fake.fault = (request) => (request.method === 'PUT' ? { status: 503 } : answer(request))
  await expect(restore([dates('5', '2018-05-01T00:00:00Z', null)])).rejects.toThrow(RetryableError)
})

test('dates are noted before a ticket is changed, and stay noted if the request is lost', async () => {
  await fake[Symbol.asyncDispose]()
  fake = await startFakeRt(await readRecordings('writing'))
  const noted: Leftover[] = []
  const seenAtNote: SeenRequest[][] = []
  const leftovers = {
    note: async (...items: Leftover[]) => {
      noted.push(...items)
      seenAtNote.push([...fake.seen])
    },
    forget: async (...items: Leftover[]) => {
      for (const item of items) noted.splice(noted.indexOf(item), 1)
    },
  }
  const isForm = ({ method, path }: SeenRequest) => method === 'POST' && path === '/Ticket/Update.html'
  fake.fault = (request) => (isForm(request) ? 'drop' : 'ok')
  await expect(writeScenario(openWriter(account(leftovers)))).rejects.toThrow(RetryableError)
  const resolved = { kind: 'ticket_dates', Resolved: '2018-06-01T00:00:00Z' }
  expect(noted).toMatchObject([
    { ...resolved, id: '1' },
    { ...resolved, id: '2' },
  ])
  expect(seenAtNote.flat().some(isForm)).toBe(false)
  expect(fake.seen.some(isForm)).toBe(true)
})
