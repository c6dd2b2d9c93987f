import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { crashPoints } from '../../service/src/engine/run-context.ts'
import { compare, expectSumsToClose, fernhillCounts, nothingWrong, presentIn } from './check-harbour.ts'
import { crashAt } from './crash-at.ts'
import { type Journey, startJourney } from './journey.ts'

const limit = { timeout: 900_000 }

describe('a worker killed at every named point, again and again', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney()
    await journey.connectSource()
    await journey.connectDestination()
  })
  afterAll(() => journey.close())

  test('of a full run loses and duplicates nothing, and leaves nothing unexpected or unknown', limit, async () => {
    const runId = await journey.start('full')
    let kills = 0
    // A first full run compares nothing with the source, and Harbour takes no files inside tickets. Workers are killed at
    // these points in gone-from-source.long.test.ts and carried-files.long.test.ts.
    const elsewhere = ['source compared', 'files uploaded']
    const points = crashPoints.filter((point) => !point.startsWith('removal') && !elsewhere.includes(point))
    for (const nth of [1, 2]) {
      for (const point of points) kills += Number(await crashAt(journey, runId, point, nth))
    }
    expect(kills).toBeGreaterThanOrEqual(points.length)
    await journey.work(runId)
    expect((await journey.status()).status_code).toBe('migration_completed')
    expect(await compare(journey)).toEqual(nothingWrong)
    await expectSumsToClose(journey, fernhillCounts)
    expect((await journey.status()).items).toMatchObject({ tickets: 119, comments: 510, contacts: 80, attachments: 48 })
  })

  test('of an undo leaves the destination as it was before the run', limit, async () => {
    const runId = await journey.start('undo')
    let kills = 0
    for (const nth of [1, 2]) {
      for (const point of ['removal sent', 'removal committed', 'stage done'] as const) {
        kills += Number(await crashAt(journey, runId, point, nth))
      }
    }
    expect(kills).toBeGreaterThan(2)
    await journey.work(runId)
    expect(await journey.status()).toMatchObject({ status_code: 'migration_cleaned', items: {} })
    expect(await presentIn(journey)).toEqual(new Set())
    expect(await compare(journey)).toEqual(nothingWrong)
  })
})
