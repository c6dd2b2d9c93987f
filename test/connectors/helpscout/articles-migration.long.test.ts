import { afterEach, expect, test } from 'vitest'
import { crashAt } from '../../engine/crash-at.ts'
import { type Journey, startJourney } from '../../engine/journey.ts'
import { startHelpScoutTwin } from '../../twins/helpscout/twin.ts'
import { moreArticles, startGuide } from '../zendesk/start-guide.ts'
import { rowsOf } from '../zendesk/to-zendesk.ts'
import { hurry, letTimePass, workThrough } from './work-through.ts'

// A Zendesk Help Center is migrated to Help Scout Docs, while workers are killed and answers are lost.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const writtenOf = async (journey: Journey, entity: string) =>
  (await rowsOf(journey, entity)).filter(({ state }) => state === 'written')

test('a Help Center arrives in Help Scout once, wherever a worker is killed or an answer lost, and an undo leaves only what people changed', {
  timeout: 900_000,
}, async () => {
  const source = await startGuide(cleanup)
  const twin = await startHelpScoutTwin()
  cleanup.defer(() => twin.close())
  const { docs, docsTwin } = twin
  docs.sites.put({ id: docs.nextId(), title: 'Help', subDomain: 'help' })
  const { username, token, more } = twin.access
  const journey = await startJourney({
    source: { tool: 'zendesk', url: source.url, username: source.access.username },
    destination: { tool: 'helpscout', url: twin.url, username, more, connectors: [] },
  })
  cleanup.defer(() => journey.close())
  await journey.connectSource(source.access.token)
  await journey.connectDestination(token)
  docsTwin.faults.next('POST', '/v1/collections', { kind: 'lost' })
  docsTwin.faults.next('POST', '/v1/categories', { kind: 'lost' }, 2)
  docsTwin.faults.next('POST', '/v1/articles', { kind: 'lost' }, 3)
  docsTwin.faults.next('PUT', '/v1/articles', { kind: 'lost' }, 2)
  const runId = await journey.start('full')
  const hurried = hurry(journey)
  for (const point of ['intents committed', 'first batch sent', 'all batches sent'] as const) {
    expect(await crashAt(journey, runId, point, 2)).toBe(true)
    await letTimePass(journey, twin)
  }
  hurried()
  await workThrough(journey, twin, runId)
  const { status_code, warnings } = await journey.status()
  expect(status_code, JSON.stringify(warnings)).toBe('migration_completed')
  expect(JSON.stringify(warnings)).not.toMatch(/"(unknown|doubled|differs)"/)

  const { articles, collections, categories } = docs
  const written = await writtenOf(journey, 'articles')
  expect(written).toHaveLength(source.guide.list('articles').length)
  expect(
    articles
      .list()
      .map(({ id }) => id)
      .sort(),
  ).toEqual(written.map(({ destination_id }) => destination_id).sort())
  expect(collections.list().map(({ name }) => name)).toEqual(['Manuals'])
  expect(
    categories
      .list()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['Laser', 'Laser (internal)', 'Printers', 'Printers (internal)', 'Uncategorized'])
  // Drafts stay drafts, articles for agents stay restricted, and all others are published.
  const isOut = (one: { status: string; categories: string[] }) =>
    one.status === 'published' && one.categories.every((id) => categories.get(id)?.visibility === 'public')
  const wanted = source.guide
    .list('articles')
    .map((one) => source.guide.present(one) as Record<string, unknown>)
    .filter(({ draft, user_segment_id }) => draft === false && user_segment_id === null)
  const plain = (name: unknown) => String(name).replace(/ \(\d\)$/, '')
  expect(
    articles
      .list(isOut)
      .map(({ name }) => plain(name))
      .sort(),
  ).toEqual(wanted.map(({ title }) => title).sort())
  // Links between articles point to the copies, and the file is linked once.
  const [first] = articles.list(({ name }) => name === 'Put it out')
  const linked = articles.list(({ text }) => text.includes(`/article/${first?.number}-`))
  expect(linked).toHaveLength(moreArticles)
  expect(first?.text.match(/📎/gu)).toHaveLength(1)
  expect(first?.keywords.filter((word) => !word.startsWith('wherry'))).toEqual(['fire', 'safety'])

  // An undo keeps an article that people changed, with its category and collection.
  articles.change(String(first?.id), { text: '<p>Mine now</p>' })
  await letTimePass(journey, twin)
  const undo = await journey.start('undo')
  await crashAt(journey, undo, 'removal sent')
  await workThrough(journey, twin, undo)
  expect(articles.list().map(({ name }) => name)).toEqual(['Put it out'])
  expect(
    categories
      .list()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['Printers', 'Uncategorized'])
  expect(collections.size()).toBe(1)
})
