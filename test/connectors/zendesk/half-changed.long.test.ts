import { afterEach, expect, test } from 'vitest'
import type { Tamper } from '../../engine/tampering-proxy.ts'
import { rowsOf, smallDesk, startToZendesk, workThrough } from './to-zendesk.ts'

// Zendesk changes an article with two requests: its place, then its words.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

type Article = { id: number; title: string; category_id: number; updated_at: string }

test('an article whose change broke off between its place and its words is finished, and not told as edited', async () => {
  let desk = ''
  let isChanged = false
  /** The desk, in which the first article has another title and category. */
  const changing: Tamper = async (request, pass) => {
    const { method, path } = request
    if (!isChanged || method !== 'GET' || !/^\/api\/v1\/articles\b/.test(path)) return smallDesk(request, pass)
    const answer = await pass()
    const all = await fetch(`${desk}/api/v1/articles`, { headers: { authorization: 'Bearer desk-key' } })
    const { data } = (await all.json()) as { data: Article[] }
    const [first, ...others] = data as [Article, ...Article[]]
    const category = others.find(({ category_id }) => category_id !== first.category_id)?.category_id
    expect(category).toBeDefined()
    const changed = { ...first, title: 'Another title', category_id: category, updated_at: new Date().toISOString() }
    return { ...answer, body: JSON.stringify({ ...JSON.parse(String(answer.body)), data: [changed] }) }
  }
  const { twin, journey } = await startToZendesk(cleanup, changing)
  desk = journey.fernhill.url
  await workThrough(journey, await journey.start('full'))
  isChanged = true
  let broken = 0
  const stop = twin.faults.when(({ method, url }) => {
    const isWords = method === 'PUT' && /\/articles\/\d+\/translations\//.test(url.pathname)
    if (!isWords || broken > 0) return null
    broken += 1
    return { kind: 'dropped' }
  })
  await workThrough(journey, await journey.start('delta'))
  stop()
  expect(broken).toBe(1)
  expect((await rowsOf(journey, 'articles')).filter(({ code }) => code !== null)).toEqual([])
  expect(JSON.stringify((await journey.status()).warnings)).not.toContain('"edited"')
  const titles = twin.guide.list('articles').flatMap((one) => Object.values(one.translations).map(({ title }) => title))
  expect(titles).toContain('Another title')
  twin.expectNoViolations()
})
