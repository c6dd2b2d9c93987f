import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { crashPoints } from '../../service/src/engine/run-context.ts'
import { startProgram } from '../support/program.ts'
import { testKeys } from '../support/service.ts'
import { type Journey, startJourney } from './journey.ts'
import { plainConnectors, plainLateMs, plainSettleMs } from './plain-connectors.ts'
import { type PlainFault, type PlainTool, startPlainTool } from './plain-tool.ts'

const limit = { timeout: 900_000 }
let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

async function startPlain(tool: string, onRequest: (request: { method: string; url: string }) => PlainFault) {
  const plain = await startPlainTool({ onRequest, settleMs: plainSettleMs })
  cleanup.defer(() => plain.close())
  const journey = await startJourney({
    destination: { tool, url: plain.url, connectors: plainConnectors },
  })
  cleanup.defer(() => journey.close())
  await journey.connectSource()
  await journey.connectDestination()
  return { plain, journey }
}

/** What the ledger says against what the tool has. Unknown are those that the customer is told of as such. */
async function compare(journey: Journey, plain: PlainTool) {
  await vi.waitFor(() => expect(plain.isQuiet()).toBe(true), { timeout: 300_000 })
  const rows = await journey.db.selectFrom('id_map').select(['entity', 'source_id', 'state', 'code']).execute()
  const keyOf = ({ entity, source_id }: (typeof rows)[number]) => `${journey.importId}/${entity}/${source_id}`
  const written = new Set(rows.filter(({ state }) => state === 'written').map(keyOf))
  const unknown = new Set(rows.filter(({ state }) => state === 'intended').map(keyOf))
  const there = [...plain.things.values()].map(({ key }) => key)
  return {
    lost: [...written].filter((key) => !there.includes(key)).length,
    doubled: there.filter((key, index) => there.indexOf(key) !== index).length,
    unexpected: there.filter((key) => !written.has(key) && !unknown.has(key)).length,
    unknown: unknown.size,
    unlisted: rows.filter(({ state, code }) => state === 'intended' && code !== 'unknown').length,
  }
}

const nothingWrong = { lost: 0, doubled: 0, unexpected: 0, unknown: 0, unlisted: 0 }

/** Goes wrong often, but in the end lets everything through. */
function unreliable(): (request: { method: string; url: string }) => PlainFault {
  const faults: PlainFault[] = ['commit_then_drop', 'drop', 'commit_then_500', { late: plainLateMs / 2 }]
  let requests = 0
  return ({ method }) => {
    if (method === 'GET') return 'ok'
    requests++
    return requests % 25 === 0 ? (faults[(requests / 25) % faults.length] ?? 'ok') : 'ok'
  }
}

const sumsOf = async (journey: Journey) => {
  const rows = await journey.db
    .selectFrom('id_map')
    .select((eb) => ['entity', eb.fn.countAll<string>().as('count')])
    .groupBy('entity')
    .execute()
  return Object.fromEntries(rows.map(({ entity, count }) => [entity, Number(count)]))
}

describe.each(['plain_b', 'plain_c'])('%s: a destination that does not upsert', (tool) => {
  test('holds each record once, whatever happens to its answers', limit, async () => {
    const { journey, plain } = await startPlain(tool, unreliable())
    await journey.work(await journey.start('full'))
    expect((await journey.status()).status_code).toBe('migration_completed')
    expect(journey.errors.length).toBeGreaterThan(10)
    expect(await compare(journey, plain)).toEqual(nothingWrong)
    expect(await sumsOf(journey)).toMatchObject({ tickets: 120 })
    await journey.work(await journey.start('undo'))
    expect(await journey.status()).toMatchObject({ status_code: 'migration_cleaned', items: {} })
    expect([...plain.things]).toEqual([])
  })

  test('holds each record once, wherever a worker is killed', limit, async () => {
    const { journey, plain } = await startPlain(tool, () => 'ok')
    const runId = await journey.start('full')
    for (const point of crashPoints.filter((name) => !name.startsWith('removal'))) await crashAt(journey, runId, point)
    await journey.work(runId)
    expect(await compare(journey, plain)).toEqual(nothingWrong)
    const undo = await journey.start('undo')
    for (const point of ['removal sent', 'removal committed']) await crashAt(journey, undo, point)
    await journey.work(undo)
    expect([...plain.things]).toEqual([])
  })
})

describe('plain_d: a destination where nothing can be looked up', () => {
  test('never gets a record twice, and what nobody can know is listed', limit, async () => {
    const { journey, plain } = await startPlain('plain_d', unreliable())
    await journey.work(await journey.start('full'))
    const done = await journey.status()
    expect(done.status_code).toBe('migration_completed')
    const result = await compare(journey, plain)
    expect(result).toEqual({ ...nothingWrong, unknown: result.unknown })
    expect(result.unknown).toBeGreaterThan(3)
    const told = done.warnings.filter(({ code }: { code: string }) => code === 'unknown')
    expect(told.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(result.unknown)
    expect(await sumsOf(journey)).toMatchObject({ tickets: 120 })
    // An undo leaves only what nobody can find, and goes on saying so.
    await journey.work(await journey.start('undo'))
    expect(await compare(journey, plain)).toMatchObject({ lost: 0, doubled: 0, unexpected: 0, unlisted: 0 })
    expect((await journey.status()).items).toEqual({})
  })

  test('sends what is unknown again only when the customer asks, and then once', limit, async () => {
    let isFaulty = true
    const faults = unreliable()
    const { journey, plain } = await startPlain('plain_d', (request) => (isFaulty ? faults(request) : 'ok'))
    await journey.work(await journey.start('full'))
    isFaulty = false
    const { unknown } = await compare(journey, plain)
    await journey.work(await journey.start('retry'))
    expect((await compare(journey, plain)).unknown).toBe(unknown)
    await journey.work(await journey.start('retry', { send_unknown: true }))
    const after = await compare(journey, plain)
    expect(after).toMatchObject({ lost: 0, unexpected: 0, unknown: 0 })
    // Those that had arrived are there twice now, as the customer was told.
    expect(after.doubled).toBeLessThanOrEqual(unknown)
    expect(JSON.stringify((await journey.status()).warnings)).not.toContain('"unknown"')
  })

  test('is left in doubt by a killed worker only about what was under way', limit, async () => {
    const { journey, plain } = await startPlain('plain_d', () => 'ok')
    const runId = await journey.start('full')
    for (const point of ['first batch sent', 'all batches sent', 'intents committed'])
      await crashAt(journey, runId, point)
    await journey.work(runId)
    const result = await compare(journey, plain)
    expect(result).toEqual({ ...nothingWrong, unknown: result.unknown })
    // Two requests of three records at a time, and three kills.
    expect(result.unknown).toBeLessThanOrEqual(18)
  })
})

async function crashAt(journey: Journey, runId: string, point: string): Promise<void> {
  const worker = startProgram(
    process.execPath,
    [join(import.meta.dirname, 'crash-worker.ts'), journey.databaseUrl, runId, testKeys, point, '1'],
    { env: { PATH: process.env.PATH } },
  )
  const { code, stderr } = await worker.finished
  if (code !== null && code !== 7) throw new Error(`the worker failed: ${stderr}`)
}
