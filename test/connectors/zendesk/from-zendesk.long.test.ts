import { afterEach, expect, test } from 'vitest'
import { crashAt } from '../../engine/crash-at.ts'
import { startJourney } from '../../engine/journey.ts'
import { createClock, minuteMs } from '../../twins/clock.ts'
import type { Fault } from '../../twins/faults.ts'
import { commentsOf } from '../../twins/zendesk/comments.ts'
import { seedDesk, seedGuide } from '../../twins/zendesk/seed.ts'
import { startTwin, workThrough } from './to-zendesk.ts'

// Migrations from Zendesk, with faults of every kind.

const limit = { timeout: 900_000 }
let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

async function startSource() {
  const clock = createClock()
  const twin = await startTwin(cleanup, clock)
  seedDesk(twin.account, twin.staff)
  return { clock, twin, source: { tool: 'zendesk', url: twin.url, username: twin.access.username } }
}

test(
  'Zendesk arrives in Harbour once, wherever a worker is killed or an answer lost, and an undo leaves nothing',
  limit,
  async () => {
    const { clock, twin, source } = await startSource()
    seedGuide(twin.account, twin.guide, twin.staff)
    clock.advance(10 * minuteMs)
    const journey = await startJourney({ source })
    cleanup.defer(() => journey.close())
    await journey.connectSource(twin.access.token)
    await journey.connectDestination()
    const runId = await journey.start('full')
    for (const point of ['page read', 'intents committed', 'first batch sent', 'all batches sent'] as const) {
      expect(await crashAt(journey, runId, point, 2)).toBe(true)
    }
    const faults: Fault[] = [{ kind: 'lost' }, { kind: 'dropped' }, { kind: 'spoiled', status: 500 }, { kind: 'cut' }]
    let requests = 0
    const stop = twin.faults.when(() =>
      ++requests % 9 === 0 && requests <= 72 ? (faults[(requests / 9) % faults.length] ?? null) : null,
    )
    await journey.work(runId)
    stop()
    expect(requests).toBeGreaterThan(72)
    const { status_code, items, warnings } = await journey.status()
    expect(status_code, JSON.stringify(warnings)).toBe('migration_completed')
    expect(items).toMatchObject({ contacts: 123, organizations: 3, tickets: 21, articles: 3, attachments: 4 })
    expect(JSON.stringify(warnings)).not.toMatch(/"(unknown|doubled|differs)"/)
    const made = (await journey.effects()).filter(({ action }) => action === 'create')
    expect(new Set(made.map(({ external_id }) => external_id)).size).toBe(made.length)
    twin.expectNoViolations()
    const undo = await journey.start('undo')
    await crashAt(journey, undo, 'removal sent')
    await journey.work(undo)
    expect((await journey.status()).items).toEqual({})
  },
)

test('the files and pictures of a closed ticket arrive in their messages', limit, async () => {
  const { clock, twin, source } = await startSource()
  const { tickets } = twin.account
  const [full] = tickets.list(({ id }) =>
    commentsOf(twin.account, Number(id)).some((one) => one.attachments.length > 1),
  )
  for (const { id } of tickets.list()) if (id !== full?.id) tickets.remove(id)
  tickets.change(String(full?.id), { status: 'closed', generatedAt: clock.now(), updated_at: twin.account.now() })
  clock.advance(10 * minuteMs)
  const destination = await startTwin(cleanup)
  const { url, access } = destination
  const journey = await startJourney({
    source,
    destination: { tool: 'zendesk', url, username: access.username, connectors: [] },
  })
  cleanup.defer(() => journey.close())
  await journey.connectSource(twin.access.token)
  await journey.connectDestination(access.token)
  await workThrough(journey, await journey.start('full'))
  const { warnings } = await journey.status()
  const [ticket] = destination.account.tickets.list()
  expect(ticket?.status).toBe('closed')
  const before = commentsOf(twin.account, Number(full?.id))
  expect(commentsOf(destination.account, Number(ticket?.id))).toHaveLength(before.length)
  const copies = commentsOf(destination.account, Number(ticket?.id))
  const namesIn = (account: typeof twin.account, ids: readonly string[]) =>
    ids.map((id) => account.attachments.get(id)).map((file) => `${file?.file_name} ${file?.bytes.length}`)
  expect(copies.map(({ attachments }) => namesIn(destination.account, attachments))).toEqual(
    before.map(({ attachments }) => namesIn(twin.account, attachments)),
  )
  // One comment shows the picture.
  expect(copies.filter(({ html }) => html.includes(`<img src="${url}/attachments/token/`))).toHaveLength(1)
  expect(
    warnings?.filter(({ code }: { code: string }) => code === 'refused' || code === 'link_not_rewritten') ?? [],
  ).toEqual([])
  expect(destination.account.mails).toEqual([])
})

test('an article shows the copy of its picture, and links to the copy of another article', limit, async () => {
  const { clock, twin, source } = await startSource()
  const { account, guide, staff } = twin
  for (const { id } of account.tickets.list()) account.tickets.remove(id)
  seedGuide(account, guide, staff)
  const [first] = guide.list('articles')
  const [last] = guide.list('articles').slice(-1)
  const [file] = account.attachments.list(({ article_id }) => article_id === Number(first?.id))
  if (!first || !last || !file) throw new Error('the guide has changed')
  const shown = `<img src="${twin.url}/hc/article_attachments/${file.id}/plan.txt">`
  const link = `<a href="${twin.url}/hc/en-us/articles/${last.id}-Later">later</a>`
  guide.translate(first, 'en-us', { body: `<p>${shown} ${link}</p>` })
  clock.advance(10 * minuteMs)
  const destination = await startTwin(cleanup)
  const { url, access } = destination
  const to = { tool: 'zendesk', url, username: access.username, connectors: [] }
  const journey = await startJourney({ source, destination: to })
  cleanup.defer(() => journey.close())
  await journey.connectSource(twin.access.token)
  await journey.connectDestination(access.token)
  await workThrough(journey, await journey.start('full'))
  const copies = destination.guide.list('articles').map(({ translations }) => translations['en-us'])
  const { body } = copies.find((one) => one?.title === 'Put it out') ?? {}
  expect(body).not.toContain(twin.url)
  expect(body).toContain(`<img src="${url}/hc/article_attachments/`)
  expect(body).toContain(`<a href="${url}/hc/en-us/articles/`)
  expect(destination.account.mails).toEqual([])
})
