import { afterEach, expect, test } from 'vitest'
import { startJourney } from '../../engine/journey.ts'
import { createClock, minuteMs } from '../../twins/clock.ts'
import { commentsOf } from '../../twins/zendesk/comments.ts'
import { seedDesk, seedGuide } from '../../twins/zendesk/seed.ts'
import { startToZendesk, startTwin, workThrough } from './to-zendesk.ts'

// Whole migrations from and to Zendesk, through the engine.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

test('a Zendesk account arrives in Harbour, and a later run copies later changes', async () => {
  const clock = createClock()
  const twin = await startTwin(cleanup, clock)
  seedDesk(twin.account, twin.staff)
  seedGuide(twin.account, twin.guide, twin.staff)
  clock.advance(10 * minuteMs)
  const journey = await startJourney({ source: { tool: 'zendesk', url: twin.url, username: twin.access.username } })
  cleanup.defer(() => journey.close())
  await journey.connectSource(twin.access.token)
  await journey.connectDestination()
  await journey.work(await journey.start('full'))
  const { status_code, items, warnings } = await journey.status()
  expect(status_code, JSON.stringify(warnings)).toBe('migration_completed')
  // 120 contacts and 4 agents, without one deleted agent; 21 tickets, including an archived one, without the deleted
  // one.
  expect(items).toMatchObject({ contacts: 123, organizations: 3, tickets: 21, articles: 3 })
  expect(JSON.stringify(warnings)).toContain('skipped:deleted_tickets')
  expect(items.comments).toBeGreaterThan(100)
  expect(items.attachments).toBe(4)
  twin.expectNoViolations()

  // The later run copies a change of the last minute, a new ticket and a deletion.
  clock.advance(10 * minuteMs)
  const [changed, deleted] = twin.account.tickets.list(({ subject }) => /^Plain [12]$/.test(String(subject)))
  twin.account.tickets.change(String(changed?.id), {
    subject: 'Plain no more',
    updated_at: twin.account.now(),
    generatedAt: clock.now(),
  })
  twin.account.tickets.remove(String(deleted?.id), { isKept: true })
  twin.account.deletedAt.set(`ticket ${deleted?.id}`, clock.now())
  const before = (await journey.effects()).length
  await journey.work(await journey.start('delta'))
  const effects = (await journey.effects()).slice(before).filter(({ entity }) => entity === 'tickets')
  expect(effects.map(({ action }) => action)).toEqual(['update'])
  expect(effects[0]?.external_id).toContain(`tickets/${changed?.id}`)
  const gone = await journey.db
    .selectFrom('id_map')
    .select('source_id')
    .where('gone_from_source_at', 'is not', null)
    .execute()
  expect(gone.map(({ source_id }) => source_id)).toContain(String(deleted?.id))
})

test('an undo keeps a ticket that somebody has answered in Zendesk', async () => {
  const { twin, journey } = await startToZendesk(cleanup)
  await workThrough(journey, await journey.start('full'))
  const open = twin.account.tickets.list(({ status }) => status !== 'closed').at(0)
  const path = `${twin.url}/api/v2/tickets/${open?.id}`
  const comment = { html_body: '<p>I look into it</p>', public: false }
  const headers = {
    authorization: `Basic ${Buffer.from(`${twin.access.username}/token:${twin.access.token}`).toString('base64')}`,
    'content-type': 'application/json',
  }
  await fetch(path, { method: 'PUT', headers, body: JSON.stringify({ ticket: { comment } }) })
  const said = commentsOf(twin.account, Number(open?.id)).at(-1)
  if (said) said.via = { channel: 'web', source: {} }
  await journey.work(await journey.start('undo'))
  expect(twin.account.tickets.list().map(({ id }) => id)).toEqual([open?.id])
})
