import { afterEach, expect, test } from 'vitest'
import { crashAt } from '../../engine/crash-at.ts'
import { type Journey, startJourney } from '../../engine/journey.ts'
import { type FreshdeskTwin, startFreshdeskTwin } from '../../twins/freshdesk/twin.ts'
import { moreArticles, startGuide } from '../zendesk/start-guide.ts'
import { rowsOf, workThrough } from '../zendesk/to-zendesk.ts'

// A Zendesk Help Center is migrated to a Freshdesk knowledge base, while workers are killed and answers are lost.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const holdings = ({ account: { categories, folders, articles, attachments } }: FreshdeskTwin) => [
  categories.size(),
  folders.size(),
  articles.size(),
  attachments.size(),
]
const writtenOf = async (journey: Journey, entity: string) =>
  (await rowsOf(journey, entity)).filter(({ state }) => state === 'written')

test('a Help Center arrives in Freshdesk once, wherever a worker is killed or an answer lost, and an undo leaves only what people changed', {
  timeout: 900_000,
}, async () => {
  const source = await startGuide(cleanup)
  const twin = await startFreshdeskTwin({ hasNotifications: false })
  cleanup.defer(() => twin.close())
  const before = holdings(twin)
  const journey = await startJourney({
    source: { tool: 'zendesk', url: source.url, username: source.access.username },
    destination: { tool: 'freshdesk', url: twin.url, connectors: [] },
  })
  cleanup.defer(() => journey.close())
  await journey.connectSource(source.access.token)
  await journey.connectDestination(twin.access.token)
  twin.faults.next('POST', '/api/v2/solutions/categories', { kind: 'lost' }, 2)
  twin.faults.next('POST', '/api/v2/solutions/folders', { kind: 'lost' }, 3)
  twin.faults.next('PUT', '/api/v2/solutions/articles', { kind: 'lost' }, 2)
  const runId = await journey.start('full')
  for (const point of ['intents committed', 'first batch sent', 'all batches sent'] as const) {
    expect(await crashAt(journey, runId, point, 2)).toBe(true)
  }
  await workThrough(journey, runId)
  const { status_code, warnings } = await journey.status()
  expect(status_code, JSON.stringify(warnings)).toBe('migration_completed')
  expect(JSON.stringify(warnings)).not.toMatch(/"(unknown|doubled|differs)"/)

  const { articles, folders, categories, attachments } = twin.account
  const written = await writtenOf(journey, 'articles')
  expect(written).toHaveLength(source.guide.list('articles').length)
  expect(
    articles
      .list()
      .map(({ id }) => id)
      .sort(),
  ).toEqual(written.map(({ destination_id }) => destination_id).sort())
  expect(categories.list().map(({ name }) => name)).toEqual(['Manuals'])
  expect(new Set(folders.list().map(({ name }) => name))).toEqual(
    new Set(['Printers', 'Printers (internal)', 'Laser', 'Laser (internal)']),
  )
  expect(attachments.list().map(({ name }) => name)).toEqual(['plan.txt'])
  // Drafts stay drafts, articles for agents stay restricted, and all others are published.
  const isOut = ({ status, folder_id }: { status: number; folder_id: number }) =>
    status === 2 && folders.get(String(folder_id))?.visibility === 1
  const wanted = source.guide
    .list('articles')
    .map((one) => source.guide.present(one) as Record<string, unknown>)
    .filter(({ draft, user_segment_id }) => draft === false && user_segment_id === null)
  expect(
    articles
      .list(isOut)
      .map(({ title }) => title)
      .sort(),
  ).toEqual(wanted.map(({ title }) => title).sort())
  // Links between articles point to the copies.
  const [first] = articles.list(({ title }) => title === 'Put it out')
  const linked = articles.list(({ description }) => description.includes(`/support/solutions/articles/${first?.id}`))
  expect(linked).toHaveLength(moreArticles)
  expect(first?.tags.filter((tag) => !tag.startsWith('wherry-'))).toEqual(['fire', 'safety'])
  twin.expectNoViolations()

  // An undo keeps an article that people changed, and its folder.
  articles.change(String(first?.id), { description: '<p>Mine now</p>' })
  const undo = await journey.start('undo')
  await crashAt(journey, undo, 'removal sent')
  await journey.work(undo)
  expect(articles.list().map(({ title }) => title)).toEqual(['Put it out'])
  expect(folders.list().map(({ name }) => name)).toEqual(['Printers'])
  expect(holdings(twin).slice(0, 3)).toEqual([before[0] ?? 0, 0, 0].map((count) => count + 1))
  twin.expectNoViolations()
})
