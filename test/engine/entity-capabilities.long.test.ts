import { afterEach, expect, test } from 'vitest'
import { startJourney } from './journey.ts'
import { plainConnectors, plainSettleMs } from './plain-connectors.ts'
import { type PlainFault, startPlainTool } from './plain-tool.ts'

const limit = { timeout: 900_000 }
let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

async function startMixed(onRequest: (request: { method: string; url: string }) => PlainFault) {
  const plain = await startPlainTool({ onRequest, settleMs: plainSettleMs })
  cleanup.defer(() => plain.close())
  const journey = await startJourney({
    destination: { tool: 'plain_mixed', url: plain.url, connectors: plainConnectors },
  })
  cleanup.defer(() => journey.close())
  await journey.connectSource()
  await journey.connectDestination()
  return { plain, journey }
}

test('each entity is settled as its own delivery class allows', limit, async () => {
  const posts: Record<string, number> = {}
  const { journey, plain } = await startMixed(({ method, url }) => {
    if (method !== 'POST') return 'ok'
    posts[url] = (posts[url] ?? 0) + 1
    return posts[url] % 40 === 7 ? 'commit_then_drop' : 'ok'
  })
  await journey.work(await journey.start('full'))
  expect((await journey.status()).status_code).toBe('migration_completed')
  const rows = await journey.db.selectFrom('id_map').select(['entity', 'state', 'code']).execute()
  const unknown = rows.filter(({ code }) => code === 'unknown')
  expect(unknown.length).toBeGreaterThanOrEqual(3)
  expect(new Set(unknown.map(({ entity }) => entity))).toEqual(new Set(['tickets']))
  const sought = new Set([...plain.sought].map((key) => key.split('/').at(-2)))
  expect(sought).toContain('comments')
  expect(sought).not.toContain('tickets')
  const keys = [...plain.things.values()].map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
})

test('records of one lane arrive in order, and lanes do not wait for each other', limit, async () => {
  let requests = 0
  let open = 0
  let mostOpen = 0
  const { journey, plain } = await startMixed(({ method, url }) => {
    if (method !== 'POST' || url !== '/comments') return 'ok'
    const delay = [1, 30, 5, 18, 9][++requests % 5] ?? 1
    open++
    mostOpen = Math.max(mostOpen, open)
    setTimeout(() => open--, delay)
    return { delay }
  })
  await journey.work(await journey.start('full'))
  expect((await journey.status()).status_code).toBe('migration_completed')
  const comments = [...plain.things.values()].filter(({ entity }) => entity === 'comments')
  expect(comments.length).toBeGreaterThan(400)
  const byTicket = Map.groupBy(comments, ({ content }) => (content as { fields: { ticket: string } }).fields.ticket)
  for (const thread of byTicket.values()) {
    const arrived = thread.map(({ key }) => Number(key.split('/').at(-1)))
    expect(arrived).toEqual(arrived.toSorted((a, b) => a - b))
  }
  expect(mostOpen).toBeGreaterThan(2)
})
