import { afterEach, expect, test } from 'vitest'
import { RetryableError } from '../../service/src/errors.ts'
import { startOver } from '../../service/src/imports/start-over.ts'
import { compare, expectSumsToClose, fernhillCounts, nothingWrong } from './check-harbour.ts'
import { type Journey, startJourney } from './journey.ts'
import type { PassedAnswer, PassedRequest, Tamper } from './tampering-proxy.ts'

const limit = { timeout: 900_000 }
let journey: Journey
afterEach(() => journey.close())

async function connect(source: Tamper): Promise<void> {
  journey = await startJourney({ between: { source } })
  await journey.connectSource()
  await journey.connectDestination()
}

async function expectAllThere(): Promise<void> {
  const status = await journey.status()
  expect(status).toMatchObject({ status_code: 'migration_completed', progress: { done: 788, total: 788 } })
  expect(JSON.stringify(status.warnings)).not.toContain('fewer_than_counted')
  expect(await compare(journey)).toEqual(nothingWrong)
  await expectSumsToClose(journey, fernhillCounts)
  const created = (await journey.effects()).filter(({ action }) => action === 'create')
  expect(new Set(created.map(({ external_id }) => external_id)).size).toBe(created.length)
}

const isPageOf = ({ path, query }: PassedRequest, lists: string[]) =>
  lists.includes(path.replace('/api/v1/', '')) && !query.has('ids')

/** Leaves out records of a page, once for each list, like a list whose first records were deleted. */
function shiftOnce(lists: string[]): { tamper: Tamper; dropped: string[] } {
  const dropped: string[] = []
  return {
    dropped,
    tamper: async (request, pass) => {
      const answer = await pass()
      if (!isPageOf(request, lists) || dropped.includes(request.path)) return answer
      dropped.push(request.path)
      return without(answer, 3)
    },
  }
}

function without(answer: PassedAnswer, position: number): PassedAnswer {
  const page = JSON.parse(String(answer.body)) as { data: unknown[] }
  return { ...answer, body: JSON.stringify({ ...page, data: page.data.toSpliced(position, 1) }) }
}

test('a source that repeats pages duplicates nothing', limit, async () => {
  const before = new Map<string, PassedAnswer>()
  const repeated = new Set<string>()
  await connect(async (request, pass) => {
    const { path } = request
    const last = before.get(path)
    // The second page of a list is answered with the first one, which names the second page as next again.
    if (isPageOf(request, ['tickets', 'comments']) && request.query.has('after') && last && !repeated.has(path)) {
      repeated.add(path)
      return last
    }
    const answer = await pass()
    before.set(path, answer)
    return answer
  })
  await journey.work(await journey.start('full'))
  expect([...repeated]).toEqual(['/api/v1/tickets', '/api/v1/comments'])
  await expectAllThere()
})

test('a source that shifts its pages is read again, and nothing is lost', limit, async () => {
  const { tamper, dropped } = shiftOnce(['organizations', 'contacts', 'tickets', 'comments', 'articles'])
  await connect(tamper)
  await journey.work(await journey.start('full'))
  expect(dropped).toHaveLength(5)
  await expectAllThere()
})

test(
  'the source is also read again when the worker dies at that moment, or the source gives no counts',
  limit,
  async () => {
    const { tamper } = shiftOnce(['contacts', 'tickets', 'comments'])
    let counts = 0
    await connect(async (request, pass) => {
      if (request.path === '/api/v1/account' && ++counts > 3 && counts % 2 === 0) {
        return { status: 500, headers: {}, body: 'oh' }
      }
      return tamper(request, pass)
    })
    const runId = await journey.start('full')
    await journey.work(runId, async (point) => {
      // The code after the commit of a page never runs.
      if (point === 'outcomes committed') throw new RetryableError('as if the process had ended here')
    })
    await expectAllThere()
  },
)

test('after an undo a removed record does not count as read, so every record is copied again', limit, async () => {
  let isShifting = false
  const { tamper, dropped } = shiftOnce(['tickets'])
  await connect((request, pass) => (isShifting ? tamper(request, pass) : pass()))
  await journey.work(await journey.start('full'))
  await journey.work(await journey.start('undo'))
  expect((await journey.status()).status_code).toBe('migration_cleaned')
  await startOver(journey.db, journey.importId)
  isShifting = true
  await journey.work(await journey.start('full'))
  // Records that are refused again are reported again.
  const { warnings } = await journey.status()
  for (const [code, entity] of [
    ['refused', 'tickets'],
    ['held', 'comments'],
    ['file_too_large', 'attachments'],
  ]) {
    expect(warnings).toContainEqual(expect.objectContaining({ code, entity, count: 1 }))
  }
  expect(dropped).toEqual(['/api/v1/tickets'])
  expect(await compare(journey)).toEqual(nothingWrong)
  await expectSumsToClose(journey, fernhillCounts)
})
