import { afterEach, expect, test, vi } from 'vitest'
import { crashAt } from './crash-at.ts'
import type { Journey } from './journey.ts'
import { type NotedDesk, notedDesks, rowsIn, startNoted, workNoted } from './noted-desks.ts'

// Other programs write notes into tickets by the API, as the import does. An undo keeps these tickets.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

async function addComment({ fernhill }: Journey, ticketId: string, body: string): Promise<void> {
  const answer = await fetch(`${fernhill.url}/api/v1/tickets/${ticketId}/comments`, {
    method: 'POST',
    headers: { authorization: 'Bearer desk-key', 'content-type': 'application/json' },
    body: JSON.stringify({ author_type: 'agent', author_id: 1, body }),
  })
  expect(answer.status, await answer.text()).toBe(201)
}

const tools = Object.keys(notedDesks) as (keyof typeof notedDesks)[]

async function migrate(
  tool: keyof typeof notedDesks,
  begin: (desk: NotedDesk, journey: Journey) => () => Promise<void> = () => async () => {},
) {
  const desk = await notedDesks[tool](cleanup)
  const journey = await startNoted(cleanup, desk)
  await workNoted(journey, desk, await journey.start('full'), begin(desk, journey))
  const { status_code, warnings } = await journey.status()
  expect(status_code, JSON.stringify(warnings)).toBe('migration_completed')
  expect(desk.tickets().length).toBeGreaterThan(2)
  return { desk, journey }
}

async function expectKept(journey: Journey, desk: NotedDesk, noted: string, text: string) {
  expect(desk.all()).toEqual([noted])
  expect(desk.textsOf(noted).join()).toContain(text)
  const tickets = await rowsIn(journey, 'tickets')
  expect(tickets.filter(({ state }) => state === 'written')).toMatchObject([
    { destination_id: noted, code: 'edited', message: expect.stringContaining('people or programs have added') },
  ])
  // Its requester stays with it.
  const { items } = await journey.status()
  expect(items).toMatchObject({ tickets: 1, contacts: expect.any(Number) })
}

test.each(tools)('an undo in %s keeps and lists the ticket with a note of another program alone', async (tool) => {
  const { desk, journey } = await migrate(tool)
  const noted = String(desk.tickets()[1])
  desk.addNote(noted, 'Three hours were spent')
  const preview = await journey.start('preview')
  await workNoted(journey, desk, preview)
  const foreseen = await journey.db
    .selectFrom('id_map')
    .select(['destination_id', 'undo_finding'])
    .where('entity', '=', 'tickets')
    .where('state', '=', 'written')
    .execute()
  expect(foreseen.filter(({ undo_finding }) => undo_finding === 'edited')).toEqual([
    { destination_id: noted, undo_finding: 'edited' },
  ])
  await workNoted(journey, desk, await journey.start('undo'))
  await expectKept(journey, desk, noted, 'Three hours were spent')
})

test.each(tools)('a note that comes to %s while a killed undo waits keeps its ticket', async (tool) => {
  const { desk, journey } = await migrate(tool)
  const undo = await journey.start('undo')
  // All tickets were looked at, and one page of records is gone.
  expect(await crashAt(journey, undo, 'removal committed')).toBe(true)
  const noted = String(desk.tickets().at(-1))
  desk.addNote(noted, 'Three hours were spent')
  await workNoted(journey, desk, undo)
  await expectKept(journey, desk, noted, 'Three hours were spent')
})

test.each(tools)('comments of a later run do not keep a ticket of %s from an undo', async (tool) => {
  const { desk, journey } = await migrate(tool)
  for (const { source_id } of (await rowsIn(journey, 'tickets')).slice(0, 3))
    await addComment(journey, source_id, 'Added later')
  await workNoted(journey, desk, await journey.start('delta'))
  expect(desk.tickets().some((id) => desk.textsOf(id).join().includes('Added later'))).toBe(true)
  await workNoted(journey, desk, await journey.start('undo'))
  expect(desk.all()).toEqual([])
})

/** The request that adds a comment to a ticket. */
const adding = {
  zendesk: (id: string) => ['PUT', `/api/v2/tickets/${id}`],
  helpscout: (id: string) => ['POST', `/v2/conversations/${id}/`],
  intercom: (id: string) => ['POST', `/tickets/${id}/reply`],
} as const

test.each(tools)(
  'a comment that %s adds once more after the run does not keep its ticket, unless a note of others does',
  async (tool) => {
    const { desk, journey } = await migrate(tool)
    const [plain = '', noted = ''] = desk.tickets()
    const rows = await rowsIn(journey, 'tickets')
    for (const id of [plain, noted]) {
      const sourceId = String(rows.find(({ destination_id }) => destination_id === id)?.source_id)
      await addComment(journey, sourceId, 'Added later')
      // Both connections break, and the tool carries the requests out when the run is over.
      const [method = '', path = ''] = adding[tool](id)
      desk.faults.next(method, path, { kind: 'late', ms: 25_000 })
    }
    await workNoted(journey, desk, await journey.start('delta'))
    const copiesIn = (id: string) => desk.textsOf(id).filter((text) => text.includes('Added later')).length
    await vi.waitFor(() => expect([plain, noted].map(copiesIn)).toEqual([2, 2]), { timeout: 60_000, interval: 100 })
    desk.addNote(noted, 'Three hours were spent')
    await workNoted(journey, desk, await journey.start('undo'))
    await expectKept(journey, desk, noted, 'Three hours were spent')
  },
)

test('the second copy of a comment, which Help Scout did not let us remove, does not keep its ticket', async () => {
  const { desk, journey } = await migrate('helpscout')
  const [first, second] = (await rowsIn(journey, 'tickets')).filter(({ state }) => state === 'written')
  for (const { source_id } of [first, second].flatMap((row) => row ?? []))
    await addComment(journey, source_id, 'Added later')
  await workNoted(journey, desk, await journey.start('delta'))
  const noted = String(second?.destination_id)
  for (const id of [String(first?.destination_id), noted]) {
    const comment = (await rowsIn(journey, 'comments')).findLast((row) => row.destination_id?.startsWith(`${id}-`))
    desk.addNote(id, 'Added later')
    await journey.db
      .updateTable('id_map')
      .set({ code: 'doubled', attempts: 2 })
      .where('entity', '=', 'comments')
      .where('source_id', '=', String(comment?.source_id))
      .execute()
  }
  desk.addNote(noted, 'Three hours were spent')
  await workNoted(journey, desk, await journey.start('undo'))
  await expectKept(journey, desk, noted, 'Three hours were spent')
})

const cases = tools.flatMap((tool) => [false, true].map((isNoted) => [tool, isNoted] as const))

test.each(cases)(
  'the second copy of a ticket in %s stays and is told if others wrote into it (%j)',
  async (tool, isNoted) => {
    let double = ''
    const { desk, journey } = await migrate(tool, ({ faults, making, all, keyOf, addNote }, { db }) => {
      let requests = 0
      faults.when(({ method, url }) => {
        if (method !== 'POST' || url.pathname !== making) return null
        requests += 1
        // The connection breaks, and the tool carries the first request out when all records were sent.
        return requests === 1 ? { kind: 'late', ms: 30_000 } : null
      })
      const isWriting = async () =>
        (
          await db
            .selectFrom('run_stages')
            .select('entity')
            .where('stage', '=', 'write')
            .where('is_done', '=', false)
            .execute()
        ).length > 0
      return async () => {
        if (double !== '' || (await isWriting())) return
        const copies = () => [...Map.groupBy(all(), keyOf).values()].find(({ length }) => length > 1) ?? []
        await vi.waitFor(() => expect(copies()).toHaveLength(2), { timeout: 90_000, interval: 50 })
        double = copies().at(-1) ?? ''
        if (isNoted) addNote(double, 'Three hours were spent')
      }
    })
    expect(double).not.toBe('')
    const rows = await rowsIn(journey, 'tickets')
    expect(desk.all()).toHaveLength(rows.length + (isNoted ? 1 : 0))
    expect(desk.all().includes(double)).toBe(isNoted)
    expect(rows.flatMap(({ code, message }) => (code === 'doubled' ? [message] : []))).toEqual(
      isNoted ? [expect.stringContaining('other people or programs have added messages to the other one')] : [],
    )
    await workNoted(journey, desk, await journey.start('undo'))
    expect(desk.all().includes(double)).toBe(isNoted)
    const kept = (await rowsIn(journey, 'tickets')).filter(({ state }) => state === 'written')
    expect(kept.map(({ code }) => code)).toEqual(isNoted ? ['edited'] : [])
  },
)
