import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { createRandom } from '../../demo/fernhill/seed/random.ts'
import { ObstacleError } from '../../service/src/errors.ts'
import { crashAt } from './crash-at.ts'
import {
  all,
  creationsOf,
  expectThreads,
  type Fate,
  messagesIn,
  numbersIn,
  refusedComments,
  startRefusing,
  subjects,
  tickets,
  words,
  workThrough,
} from './refusing-tools.ts'

const limit = { timeout: 900_000 }
let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

describe.each(['zendesk', 'helpscout'] as const)('%s', (name) => {
  test('a refused comment inside a ticket is refused alone, and the others keep their times', limit, async () => {
    const started = await startRefusing(cleanup, name)
    await workThrough(started, await started.journey.start('full'))
    expect(started.journey.errors.filter((error) => !(error instanceof ObstacleError))).toEqual([])
    const threads = expectThreads(started, [7])
    expect(await refusedComments(started)).toEqual([
      { source_id: expect.any(String), code: expect.any(String), message: expect.stringContaining(words) },
    ])
    const { items } = await started.journey.status()
    expect(items.tickets).toBe(tickets + 2)
    // All others went inside their ticket, so none has the time of its arrival.
    const [first, second] = subjects.map((subject) => creationsOf(started, subject))
    expect(numbersIn(first?.at(-1)?.map((text) => ({ text, at: '' })))).toEqual(all.filter((number) => number !== 7))
    expect(second).toHaveLength(1)
    expect(first?.length).toBeLessThanOrEqual(name === 'helpscout' ? 2 : 22)
    for (const subject of subjects)
      expect(new Set(messagesIn(threads.get(subject)).map(({ at }) => at.slice(0, 4)))).toEqual(new Set(['2024']))
    expect(started.refusedAlone).toEqual([])
    // A retry sends the comment by itself, and doubles nothing.
    await workThrough(started, await started.journey.start('retry'))
    expect(started.refusedAlone).toHaveLength(1)
    expectThreads(started, [7])
  })

  test('a ticket that is refused itself is refused once, and costs few requests', limit, async () => {
    const refusesTicket = ([text]: readonly string[]) => (text?.includes(subjects[0]) ? 'ticket' : null)
    const started = await startRefusing(cleanup, name, { refusesTicket })
    await workThrough(started, await started.journey.start('full'))
    expect(creationsOf(started, subjects[0])).toHaveLength(1)
    const rows = await started.journey.db
      .selectFrom('id_map')
      .select(['entity', 'state'])
      .where('state', '<>', 'written')
      .execute()
    expect(rows.filter(({ entity }) => entity === 'tickets').map(({ state }) => state)).toEqual(['refused'])
    expect(rows.filter(({ entity }) => entity === 'comments').map(({ state }) => state)).toEqual(all.map(() => 'held'))
  })

  test('a refusal without a clear reason costs a limited number of requests', limit, async () => {
    const refusesTicket = ([text]: readonly string[]) =>
      subjects.some((subject) => text?.includes(subject)) ? 'something' : null
    const started = await startRefusing(cleanup, name, { refusesTicket })
    await workThrough(started, await started.journey.start('full'))
    for (const subject of subjects) {
      expect(creationsOf(started, subject).length).toBeGreaterThan(1)
      expect(creationsOf(started, subject).length).toBeLessThanOrEqual(21)
    }
    const rows = await started.journey.db.selectFrom('id_map').select('entity').where('state', '=', 'refused').execute()
    expect(rows).toEqual([{ entity: 'tickets' }, { entity: 'tickets' }])
    expect(started.tool.threads().size).toBe(tickets)
  })

  test.each(['lost', 'dropped'] as const)('nothing is lost or doubled if answers are %s', limit, async (fate) => {
    const onCreation = (number: number) => (number % 2 === 1 && number < 12 ? fate : 'ok')
    const started = await startRefusing(cleanup, name, {
      onCreation,
      isBad: (number, subject) => subject === subjects[0] && [3, 11].includes(number),
    })
    await workThrough(started, await started.journey.start('full'))
    expectThreads(started, [3, 11])
    expect(await refusedComments(started)).toHaveLength(2)
  })

  test('nothing is lost or doubled if workers are killed', limit, async () => {
    const started = await startRefusing(cleanup, name)
    const { journey } = started
    const runId = await journey.start('full')
    for (const point of ['intents committed', 'first batch sent', 'all batches sent'] as const)
      for (const nth of [3, 9]) {
        await journey.resume()
        await crashAt(journey, runId, point, nth)
        started.tool.clock.advance(3 * 60_000)
        await sql`update id_map set sent_at = sent_at - interval '10 minutes' where sent_at is not null`.execute(
          journey.db,
        )
      }
    await workThrough(started, runId)
    expectThreads(started, [7])
    expect(await refusedComments(started)).toHaveLength(1)
  })

  test.each([1, 2, 3, 4])('nothing is lost or doubled after faults at random (%i)', limit, async (seed) => {
    const random = createRandom(seed)
    const badOf = new Map(
      subjects.map((subject) => [subject as string, all.filter(() => random.chance(0.04 * seed))] as const),
    )
    let faults = 0
    const fate = (): Fate => {
      // The first request always fails, so that no seed is without faults.
      if (faults > 12 || (faults > 0 && !random.chance(0.3))) return 'ok'
      faults++
      return random.chance(0.5) ? 'lost' : 'dropped'
    }
    const isBad = (number: number, subject: string) => badOf.get(subject)?.includes(number) === true
    const started = await startRefusing(cleanup, name, { onCreation: fate, onAlone: fate, isBad })
    let crashes = 0
    await workThrough(started, await started.journey.start('full'), async (point) => {
      if (!/intents|batch/.test(point) || crashes >= 6 || !random.chance(0.05)) return
      crashes++
      throw new Error('as if the process had ended here')
    })
    expect(faults).toBeGreaterThan(0)
    const [first = [], second = []] = subjects.map((subject) => badOf.get(subject))
    const threads = started.tool.threads()
    expect(threads.size).toBe(tickets + 2)
    // A comment that failed twice is sent after the others, so the order may differ.
    for (const [subject, left] of [
      [subjects[0], first],
      [subjects[1], second],
    ] as const)
      expect(numbersIn(threads.get(subject)).toSorted((a, b) => a - b)).toEqual(
        all.filter((one) => !left.includes(one)),
      )
    const refused = await refusedComments(started)
    expect(refused.length).toBe(first.length + second.length)
    expect(refused.every(({ message }) => message?.includes(words))).toBe(true)
  })
})
