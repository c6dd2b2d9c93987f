import { afterEach, describe, expect, test } from 'vitest'
import type { CrashPoint } from '../../service/src/engine/run-context.ts'
import { compare, nothingWrong } from './check-harbour.ts'
import { expectTrueNumbers, expectTrueWarnings } from './harbour-client.ts'
import { type Journey, soonSettled, startJourney } from './journey.ts'
import { plainConnectors, plainSettleMs } from './plain-connectors.ts'
import { startPlainTool } from './plain-tool.ts'
import type { PassedAnswer, Tamper } from './tampering-proxy.ts'

const limit = { timeout: 900_000 }
let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const points: CrashPoint[] = [
  'page read',
  'intents committed',
  'first batch sent',
  'all batches sent',
  'outcomes committed',
]

/** Fernhill Desk without these tickets. */
const without =
  (gone: ReadonlySet<string>): Tamper =>
  async ({ path }, pass) => {
    const answer = await pass()
    return path === '/api/v1/tickets' ? leaveOut(answer, gone) : answer
  }

function leaveOut(answer: PassedAnswer, gone: ReadonlySet<string>): PassedAnswer {
  const page = JSON.parse(String(answer.body)) as { data: { id: number | string }[] }
  return { ...answer, body: JSON.stringify({ ...page, data: page.data.filter(({ id }) => !gone.has(String(id))) }) }
}

/**
 * Works on the run. At the point, while tickets are written, the worker ends and some tickets vanish from the source.
 */
async function workWithLoss(journey: Journey, gone: Set<string>, point: CrashPoint): Promise<void> {
  const runId = await journey.start('full')
  let isOver = false
  await journey.work(runId, async (reached) => {
    if (isOver || reached !== point) return
    const rows = await journey.db.selectFrom('id_map').select('source_id').where('entity', '=', 'tickets').execute()
    // Before the first announcement no ticket is known, so these three vanish.
    const met = rows.length === 0 ? ['3', '4', '5'] : rows.slice(0, 5).map(({ source_id }) => source_id)
    const isTickets = await journey.db
      .selectFrom('run_stages')
      .select('entity')
      .where('stage', '=', 'write')
      .where('is_done', '=', false)
      .orderBy('position')
      .limit(1)
      .executeTakeFirst()
    if (isTickets?.entity !== 'tickets') return
    isOver = true
    for (const id of met) gone.add(id)
    throw new Error('as if the process had ended here')
  })
  expect(gone.size).toBeGreaterThan(0)
}

async function expectEnded(journey: Journey): Promise<void> {
  expect((await journey.status()).status_code).toBe('migration_completed')
  const open = await journey.db.selectFrom('id_map').select('source_id').where('state', '=', 'intended').execute()
  expect(open).toEqual([])
}

describe('tickets that vanish from the source while they are written', () => {
  test.each(points)('at "%s" leave a run that ends, with correct numbers', limit, async (point) => {
    const gone = new Set<string>()
    const journey = await startJourney({ between: { source: without(gone), destination: soonSettled } })
    cleanup.defer(() => journey.close())
    await journey.connectSource()
    await journey.connectDestination()
    await workWithLoss(journey, gone, point)
    await expectEnded(journey)
    expect(await compare(journey)).toEqual(nothingWrong)
    await expectTrueNumbers(journey)
    const told = await expectTrueWarnings(journey, ['fewer_than_counted'])
    const vanished = await journey.db.selectFrom('id_map').select('source_id').where('code', '=', 'vanished').execute()
    expect(told['tickets vanished'] ?? 0).toBe(vanished.length)
  })

  test.each(points)('at "%s" are settled in a destination that can only be searched', limit, async (point) => {
    const plain = await startPlainTool({ settleMs: plainSettleMs })
    cleanup.defer(() => plain.close())
    const gone = new Set<string>()
    const journey = await startJourney({
      between: { source: without(gone) },
      destination: { tool: 'plain_c', url: plain.url, connectors: plainConnectors },
    })
    cleanup.defer(() => journey.close())
    await journey.connectSource()
    await journey.connectDestination()
    await workWithLoss(journey, gone, point)
    await expectEnded(journey)
    const rows = await journey.db.selectFrom('id_map').select(['entity', 'source_id', 'state']).execute()
    const written = rows.filter(({ state }) => state === 'written')
    const keys = [...plain.things.values()].map(({ key }) => key).sort()
    expect(keys).toEqual(written.map(({ entity, source_id }) => `${journey.importId}/${entity}/${source_id}`).sort())
  })
})
