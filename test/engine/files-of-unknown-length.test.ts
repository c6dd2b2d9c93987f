import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { type Journey, startJourney } from './journey.ts'

let journey: Journey
afterEach(() => journey.close())

test('a file of unknown length is cut off at the limit of the destination', { timeout: 900_000 }, async () => {
  const bomb = gzipSync(Buffer.alloc(80_000_000))
  let isSwollen = ''
  let largest = 0
  journey = await startJourney({
    between: {
      source: async ({ path }, pass) => {
        const answer = await pass()
        if (!/\/attachments\/\d+\/content$/.test(path)) return answer
        isSwollen ||= path
        return isSwollen === path
          ? { status: 200, headers: { ...answer.headers, 'content-encoding': 'gzip' }, body: bomb }
          : answer
      },
      destination: (request, pass) => {
        largest = Math.max(largest, request.body.length)
        return pass()
      },
    },
  })
  await journey.connectSource()
  await journey.connectDestination()
  const runId = await journey.start('full')
  await journey.work(runId)
  expect(isSwollen).not.toBe('')
  expect(largest).toBeLessThan(21_000_000)
  const { status_code, warnings } = await journey.status()
  expect(status_code).toBe('migration_completed')
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'file_too_large', entity: 'attachments' }))
  expect(journey.errors).toEqual([])
  const refused = await journey.db
    .selectFrom('id_map')
    .select(['state', 'message'])
    .where('import_id', '=', journey.importId)
    .where('entity', '=', 'attachments')
    .where('source_id', '=', String(isSwollen.match(/\d+(?=\/content)/)))
    .executeTakeFirstOrThrow()
  expect(refused).toEqual({
    state: 'refused',
    message: 'The file has more than 21 MB, which is the most that the destination accepts.',
  })
})
