import { afterAll, test } from 'vitest'
import { startToZendesk, workThrough } from '../connectors/zendesk/to-zendesk.ts'
const cleanup = new AsyncDisposableStack()
afterAll(() => cleanup.disposeAsync())
test('plan', async () => {
  const { journey } = await startToZendesk(cleanup)
  await journey.plan?.()
  const codes = (w: any[]) => w.map((x) => `${x.entity}:${x.code}=${x.count}`).sort().join('\n')
  console.log('PLAN\n' + codes((await journey.status()).warnings))
  console.log(JSON.stringify((await journey.db.selectFrom('plan_findings' as never).selectAll().execute().catch(() => []))).slice(0, 3000))
  await workThrough(journey, await journey.start('full'))
  console.log('RUN\n' + codes((await journey.status()).warnings))
}, 300000)
