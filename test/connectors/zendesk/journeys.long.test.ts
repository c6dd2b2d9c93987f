import { afterEach, expect, test } from 'vitest'
import { crashAt } from '../../engine/crash-at.ts'
import { minuteMs } from '../../twins/clock.ts'
import { commentsOf } from '../../twins/zendesk/comments.ts'
import { deskTickets, rowsOf, startToZendesk, workThrough } from './to-zendesk.ts'

// Faults at the worst moments of a migration to Zendesk.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

test('a desk arrives in Zendesk once, though workers are killed, and an undo leaves the account as it was', async () => {
  const { twin, journey } = await startToZendesk(cleanup)
  const before = [twin.account.users.size(), twin.account.organizations.size(), twin.account.groups.size()]
  const runId = await journey.start('full')
  for (const point of ['intents committed', 'first batch sent', 'all batches sent'] as const) {
    await crashAt(journey, runId, point, 2)
  }
  await workThrough(journey, runId)
  const { status_code, warnings } = await journey.status()
  expect(status_code, JSON.stringify(warnings)).toBe('migration_completed')
  expect(JSON.stringify(warnings)).not.toMatch(/"(unknown|doubled|differs)"/)

  const written = (await rowsOf(journey, 'tickets')).filter(({ state }) => state === 'written')
  expect(written.length).toBeGreaterThanOrEqual(deskTickets - 1)
  const there = twin.account.tickets.list()
  expect(there.map(({ external_id }) => external_id).sort()).toEqual(
    [...new Set(there.map(({ external_id }) => external_id))].sort(),
  )
  expect(there.length).toBe(written.length)
  // Comments have the times and authors of the desk.
  const comments = there.flatMap(({ id }) => commentsOf(twin.account, Number(id)))
  const old = comments.filter(({ created_at }) => Date.parse(created_at) < Date.now() - 30 * 24 * 60 * minuteMs)
  expect(old.length).toBeGreaterThan(comments.length / 2)
  expect(there.some(({ status }) => status === 'closed')).toBe(true)
  expect(twin.account.mails).toEqual([])
  twin.expectNoViolations()
  // The knowledge base arrived too: each article once, under our label, with its files.
  const articles = twin.guide.list('articles')
  const titles = articles.map((one) => twin.guide.present(one)).map((shown) => ('title' in shown ? shown.title : ''))
  const copied = (await rowsOf(journey, 'articles')).filter(({ state }) => state === 'written')
  expect(copied.length).toBeGreaterThan(3)
  expect(articles.length).toBe(copied.length)
  expect(new Set(titles).size).toBe(titles.length)
  const files = (await rowsOf(journey, 'attachments')).filter(({ destination_id: id }) => id?.startsWith('a'))
  expect(twin.account.attachments.list(({ article_id }) => article_id !== undefined).length).toBe(files.length)

  const undo = await journey.start('undo')
  await crashAt(journey, undo, 'removal sent')
  await journey.work(undo)
  expect(twin.account.tickets.size()).toBe(0)
  expect(twin.guide.pieces.size()).toBe(0)
  expect([twin.account.users.size(), twin.account.organizations.size(), twin.account.groups.size()]).toEqual(before)
})

test('a ticket whose answer is lost is found again with the comments inside it', async () => {
  const { twin, journey } = await startToZendesk(cleanup)
  twin.faults.next('POST', '/api/v2/imports/tickets', { kind: 'lost' }, 3)
  twin.faults.next('POST', '/api/v2/users', { kind: 'lost' }, 2)
  twin.faults.next('PUT', '/api/v2/tickets/', { kind: 'lost' }, 2)
  twin.faults.next('POST', '/api/v2/help_center/categories', { kind: 'lost' }, 2)
  twin.faults.next('POST', '/api/v2/help_center/en-us/sections', { kind: 'lost' }, 2)
  await workThrough(journey, await journey.start('full'))
  const { status_code, warnings } = await journey.status()
  expect(status_code).toBe('migration_completed')
  expect(JSON.stringify(warnings)).not.toMatch(/"(unknown|doubled)"/)
  const ids = twin.account.tickets.list().map(({ external_id }) => external_id)
  expect(new Set(ids).size).toBe(ids.length)
  const shelves = [...twin.guide.list('categories'), ...twin.guide.list('sections')]
  const named = shelves.map(
    (one) => `${one.parent} ${one.parent_section_id} ${Object.values(one.translations)[0]?.title}`,
  )
  expect(new Set(named).size).toBe(named.length)
  const labels = twin.guide.list('articles').map(({ more }) => String(more.label_names))
  expect(new Set(labels).size).toBe(labels.length)
  expect(labels.length).toBe((await rowsOf(journey, 'articles')).filter(({ state }) => state === 'written').length)
  const users = twin.account.users.list().flatMap(({ external_id }) => external_id ?? [])
  expect(new Set(users).size).toBe(users.length)
  const texts = twin.account.tickets
    .list()
    .map(({ id }) => commentsOf(twin.account, Number(id)).map(({ html }) => html))
  for (const said of texts) expect(new Set(said).size).toBe(said.length)
})
