import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { fernhill } from '../../service/src/connectors/helpdesk/fernhill/index.ts'
import { type Journey, startJourney } from './journey.ts'

let journey: Journey
afterEach(() => journey.close())

test('a source is asked for as many files at once as its connector says', { timeout: 900_000 }, async () => {
  const atOnce = Number(fernhill.source?.requestsAtOnce)
  const together = Promise.withResolvers<void>()
  let underWay = 0
  let most = 0
  journey = await startJourney({
    between: {
      // Nobody gets a file before enough of them were asked for.
      source: async ({ path }, pass) => {
        if (!/\/attachments\/\d+\/content$/.test(path)) return pass()
        underWay++
        most = Math.max(most, underWay)
        if (underWay === atOnce) together.resolve()
        await Promise.race([together.promise, sleep(20_000).then(together.resolve)])
        underWay--
        return pass()
      },
      destination: async ({ path }, pass) => {
        const answer = await pass()
        if (path !== '/describe') return answer
        const json = JSON.parse(String(answer.body))
        return { ...answer, body: JSON.stringify({ ...json, limits: { ...json.limits, concurrency: atOnce + 4 } }) }
      },
    },
  })
  await journey.connectSource()
  await journey.connectDestination()
  await journey.work(await journey.start('full'))
  expect(journey.errors).toEqual([])
  expect(most).toBe(atOnce)
})
