import { afterEach, expect, test } from 'vitest'
import { rowsOf, workThrough } from '../connectors/zendesk/to-zendesk.ts'
import { startZendeskTwin } from '../twins/zendesk/twin.ts'
import { startJourney } from './journey.ts'

const cleanup = new AsyncDisposableStack()
afterEach(() => cleanup.disposeAsync())

/** How often the comments of each ticket were requested. */
const asksIn = (seen: readonly string[]) =>
  Map.groupBy(
    seen.flatMap((line) => /^GET \/api\/v2\/tickets\/(\d+)\/comments$/.exec(line)?.[1] ?? []),
    (id) => id,
  )

test('a record is read back with all its parts: of one ticket in ten, and of all tickets by a check', {
  timeout: 600_000,
}, async () => {
  const twin = await startZendeskTwin()
  cleanup.defer(() => twin.close())
  const { url, access } = twin
  const journey = await startJourney({
    tickets: 120,
    destination: { tool: 'zendesk', url, username: access.username, connectors: [] },
  })
  cleanup.defer(() => journey.close())
  await journey.connectSource()
  await journey.connectDestination(access.token)
  await workThrough(journey, await journey.start('full'))
  expect((await journey.status()).status_code).toBe('migration_completed')
  const comments = await journey.db
    .selectFrom('id_map')
    .select(['parent_source_id', 'is_verified'])
    .where('import_id', '=', journey.importId)
    .where('entity', '=', 'comments')
    .where('state', '=', 'written')
    .execute()
  const byTicket = [...Map.groupBy(comments, ({ parent_source_id }) => parent_source_id).values()]
  const read = byTicket.filter((some) => some.some(({ is_verified }) => is_verified))
  expect(read.length).toBeGreaterThan(0)
  expect(read.length).toBeLessThan(byTicket.length / 3)
  expect(read.flat().filter(({ is_verified }) => !is_verified)).toEqual([])

  twin.seen.splice(0)
  await workThrough(journey, await journey.start('check'))
  const after = await rowsOf(journey, 'comments')
  expect(after.filter(({ state }) => state === 'written')).toHaveLength(comments.length)
  const asks = asksIn(twin.seen)
  expect(asks.size).toBeGreaterThan(100)
  // Once for the ticket's description, once for its comments, once for its files; again only where a page ends.
  expect([...asks].filter(([, asked]) => asked.length > 3).length).toBeLessThan(asks.size / 10)
})
