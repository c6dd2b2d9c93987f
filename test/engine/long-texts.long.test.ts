import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Connector, RecordPage } from '../../service/src/connectors/contract/contract.ts'
import { callTool } from '../../service/src/outbound/call-tool.ts'
import { absoluteUrl } from '../../service/src/text/absolute-url.ts'
import { endIdleThreads } from '../../service/src/threads/run-in-thread.ts'
import { startProgram } from '../support/program.ts'
import { limitMs, watchLoop } from '../support/watch-loop.ts'
import { startJourney } from './journey.ts'

afterAll(endIdleThreads)

/** A help desk with texts in every format. */
const texts: Connector = {
  tool: 'texts',
  label: 'Texts',
  families: ['helpdesk'],
  movesBetweenInstances: false,
  source: {
    requires: ['instanceUrl'],
    checkAccount: async () => ({ name: 'Texts' }),
    open: ({ access, outbound, signal }) => ({
      count: async (only) => {
        const { json } = await callTool<Record<string, number>>(outbound, `${access.instanceUrl}/count`, { signal })
        return only === undefined ? json : { [only]: json[only] ?? 0 }
      },
      users: async () => ({ items: [], next: null }),
      customFields: async () => [],
      read: async (entity, cursor) => {
        if (entity !== 'tickets') return { items: [], warnings: [], next: null }
        const url = `${access.instanceUrl}/tickets?from=${cursor ?? 0}`
        return (await callTool<RecordPage>(outbound, url, { signal })).json
      },
      follow: (address, from) => {
        const url = absoluteUrl(address, from)
        const ticket = url?.host === 'texts.example' ? /^\/tickets\/(.+)$/.exec(url.pathname)?.[1] : undefined
        return url && ticket !== undefined ? { url: url.href, to: [{ entity: 'tickets', sourceId: ticket }] } : null
      },
      openFile: async () => {
        throw new Error('there are no files')
      },
    }),
  },
}

test('texts of 10 MB, and texts that keep a parser busy forever, never hold the event loop', {
  timeout: 900_000,
}, async () => {
  const program = startProgram(process.execPath, [join(import.meta.dirname, 'long-text-tools.ts')], {
    env: { PATH: process.env.PATH },
  })
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(async () => {
    program.child.kill()
    await program.finished
  })
  const [, said = ''] = await program.waitFor(/ready (.*)/, 120_000)
  const { source, harbour } = JSON.parse(said) as { source: string; harbour: string }
  const journey = await startJourney({
    startFull: false,
    source: { tool: 'texts', url: source },
    destination: { tool: 'open', url: harbour, connectors: [texts] },
  })
  cleanup.defer(() => journey.close())
  await journey.connectSource()
  await journey.connectDestination()

  const { longestMs } = await watchLoop(async () => {
    await journey.work(await journey.start('sample'))
    await journey.partner.call('POST', `/api/v2.1/imports/${journey.importId}/payment/accept`)
    await journey.work(await journey.start('full'))
  })

  const status = await journey.status()
  expect(journey.errors).toEqual([])
  expect(status).toMatchObject({ status_code: 'migration_completed', progress: { done: 313, total: 313 } })
  const { rows } = { rows: await journey.db.selectFrom('id_map').select(['source_id', 'state', 'warned']).execute() }
  expect(rows.filter(({ state }) => state !== 'written')).toEqual([])
  const simplified = rows.filter(({ warned }) => warned?.includes('text_too_complex')).map(({ source_id }) => source_id)
  expect(simplified.sort()).toEqual(['endless', 'endless-and-short', 'many-quotes'])
  expect(status.warnings).toContainEqual(
    expect.objectContaining({ code: 'text_too_complex', count: simplified.length }),
  )
  const left = rows.filter(({ warned }) => warned?.includes('link_to_source')).map(({ source_id }) => source_id)
  expect(left.sort()).toEqual(['endless-links', 'many-links', 'markdown-links'])
  expect(rows.every(({ warned }) => (warned ?? []).length < 30)).toBe(true)
  process.stdout.write(`longest stretch of the event loop: ${longestMs.toFixed()} ms of CPU time\n`)
  expect(longestMs).toBeLessThan(limitMs())
})
