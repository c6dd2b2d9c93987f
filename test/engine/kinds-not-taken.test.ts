import { afterEach, expect, test } from 'vitest'
import type { Connector } from '../../service/src/connectors/contract/contract.ts'
import { startJourney } from './journey.ts'
import type { Tamper } from './tampering-proxy.ts'

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

/** Harbour without a knowledge base. */
const withoutArticles: Tamper = async ({ path }, pass) => {
  const answer = await pass()
  if (path !== '/describe') return answer
  const json = JSON.parse(String(answer.body))
  const { articles: _, ...entities } = json.entities
  return { ...answer, body: JSON.stringify({ ...json, entities }) }
}

/** A source that does not tell how many articles it has. */
const withoutCounts = (fernhill: Connector): Connector => {
  const source = fernhill.source as NonNullable<Connector['source']>
  const open: typeof source.open = async (account) => {
    const reader = await source.open(account)
    return { ...reader, count: async (only) => ({ ...(await reader.count(only)), articles: null }) }
  }
  return { ...fernhill, source: { ...source, open } }
}

test.each([
  ['tells', (one: Connector) => one],
  ['does not tell', withoutCounts],
])(
  'records of a kind that the destination lacks are reported where the source %s how many it has',
  async (_, readAs) => {
    const journey = await startJourney({ readAs, between: { destination: withoutArticles } })
    cleanup.defer(() => journey.close())
    await journey.connectSource()
    await journey.connectDestination()
    await journey.work(await journey.start('plan'))
    const articles = await journey.db
      .selectFrom('plan_entities')
      .select('looked_at')
      .where('entity', '=', 'articles')
      .executeTakeFirstOrThrow()
    const full = await journey.db.selectFrom('runs').select('id').where('kind', '=', 'full').executeTakeFirstOrThrow()
    await journey.work(full.id)
    const { warnings } = await journey.status()
    const told = warnings.filter(({ entity }: { entity: string }) => entity === 'articles')
    expect(told).toEqual([expect.objectContaining({ code: 'entity_not_taken', count: articles.looked_at })])
    expect(articles.looked_at).toBeGreaterThan(1)
  },
)
