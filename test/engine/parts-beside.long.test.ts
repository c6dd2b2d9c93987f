import { afterEach, expect, test } from 'vitest'
import { rowsOf, workThrough } from '../connectors/zendesk/to-zendesk.ts'
import { startFreshdeskTwin } from '../twins/freshdesk/twin.ts'
import { crashAt } from './crash-at.ts'
import { startJourney } from './journey.ts'

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const newTicket = 'POST /api/v2/tickets'
const isNote = (line: string) => /^POST \/api\/v2\/tickets\/\d+\/notes$/.test(line)

async function start() {
  const twin = await startFreshdeskTwin({ hasNotifications: false })
  cleanup.defer(() => twin.close())
  const journey = await startJourney({
    tickets: 120,
    destination: { tool: 'freshdesk', url: twin.url, connectors: [] },
  })
  cleanup.defer(() => journey.close())
  await journey.connectSource()
  await journey.connectDestination(twin.access.token)
  // Slow new tickets stand for their own limit.
  twin.faults.when((request) =>
    request.method === 'POST' && request.url.pathname === '/api/v2/tickets' ? { kind: 'slow', ms: 150 } : null,
  )
  return { twin, journey }
}

type Started = Awaited<ReturnType<typeof start>>

/** Everything arrived once, each note in the copy of its ticket. */
async function expectAll({ twin, journey }: Started): Promise<void> {
  const { status_code, warnings } = await journey.status()
  expect(status_code, JSON.stringify(warnings)).toBe('migration_completed')
  expect(JSON.stringify(warnings)).not.toMatch(/"(unknown|doubled|differs|held|fewer_than_counted)"/)
  const { tickets, conversations } = twin.account
  const texts = [...tickets.list(), ...conversations.list()].map((one) => ('body' in one ? one.body : one.description))
  const marks = texts.flatMap((text) => /wherry-[0-9a-f]{16}/.exec(text)?.[0] ?? [])
  expect(marks).toHaveLength(tickets.size() + conversations.size())
  expect(new Set(marks).size).toBe(marks.length)
  const [copies, notes] = [await rowsOf(journey, 'tickets'), await rowsOf(journey, 'comments')]
  for (const rows of [copies, notes]) expect(rows.filter(({ state }) => state !== 'written')).toEqual([])
  expect([copies.length, notes.length]).toEqual([tickets.size(), conversations.size()])
  const parents = await journey.db
    .selectFrom('id_map as note')
    .innerJoin('id_map as ticket', (join) =>
      join
        .onRef('ticket.import_id', '=', 'note.import_id')
        .on('ticket.entity', '=', 'tickets')
        .onRef('ticket.source_id', '=', 'note.parent_source_id'),
    )
    .select(['note.destination_id as note', 'ticket.destination_id as ticket'])
    .where('note.entity', '=', 'comments')
    .execute()
  expect(parents).toHaveLength(notes.length)
  expect(parents.filter(({ note, ticket }) => !note?.startsWith(`${ticket}-`))).toEqual([])
  const stages = await journey.db
    .selectFrom('run_stages')
    .select('done')
    .where('entity', '=', 'comments')
    .where('stage', 'in', ['write', 'link'])
    .execute()
  expect(stages.reduce((sum, { done }) => sum + done, 0)).toBe(notes.length)
}

test('notes go to Freshdesk while tickets still do, each after its ticket', { timeout: 600_000 }, async () => {
  const started = await start()
  const { twin, journey } = started
  await workThrough(journey, await journey.start('full'))
  // The run asked once whether the first ticket caused a mail.
  expect(journey.errors).toHaveLength(1)
  await expectAll(started)
  const firstNote = twin.seen.findIndex(isNote)
  expect(firstNote).toBeGreaterThan(-1)
  expect(firstNote).toBeLessThan(twin.seen.lastIndexOf(newTicket))
})

test('wherever a worker is killed, and whichever answer is lost, both arrive once', { timeout: 900_000 }, async () => {
  const started = await start()
  const { twin, journey } = started
  const runId = await journey.start('full')
  for (const nth of [5, 3, 4]) {
    twin.faults.next('POST', '/api/v2/tickets', { kind: 'lost' }, nth)
    await crashAt(journey, runId, 'first batch sent', 12 + nth)
    await crashAt(journey, runId, 'outcomes committed', nth)
  }
  await workThrough(journey, runId)
  await expectAll(started)
})
