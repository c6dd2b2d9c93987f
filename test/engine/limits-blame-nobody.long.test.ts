import { afterEach, expect, test } from 'vitest'
import { type Journey, soonSettled, startJourney } from './journey.ts'

const limit = { timeout: 900_000 }
let journey: Journey
afterEach(() => journey.close())

const given = async () => {
  const rows = await journey.db.selectFrom('id_map').select(['entity', 'state', 'code', 'message']).execute()
  return rows.filter(({ code }) => code === 'failing')
}

test('a file whose transfer meets a limit again and again is not refused', limit, async () => {
  let left = 40
  let chosen = ''
  journey = await startJourney({
    between: {
      destination: soonSettled,
      source: async ({ path }, pass) => {
        if (left === 0 || !/\/attachments\/.+\/content$/.test(path)) return pass()
        chosen ||= path
        if (path !== chosen) return pass()
        left -= 1
        return { status: 429, headers: {}, body: '{}' }
      },
    },
  })
  await journey.connectSource()
  await journey.connectDestination()
  await journey.work(await journey.start('full'))
  expect(left).toBe(0)
  expect(await given()).toEqual([])
  expect((await journey.status()).status_code).toBe('migration_completed')
})

test('a record whose removal meets a limit again and again is removed once the limit lets it', limit, async () => {
  let left = 0
  let chosen = ''
  journey = await startJourney({
    onRequest: ({ path, body }) => {
      if (left === 0 || !path.endsWith('/delete')) return 'ok'
      const ids = (body as { records: { external_id: string }[] }).records.map((record) => record.external_id)
      chosen ||= ids[0] ?? ''
      if (!ids.includes(chosen)) return 'ok'
      left -= 1
      return { status: 429 }
    },
    between: { destination: soonSettled },
  })
  await journey.connectSource()
  await journey.connectDestination()
  await journey.work(await journey.start('full'))
  left = 12
  await journey.work(await journey.start('undo'))
  expect(left).toBe(0)
  expect(await given()).toEqual([])
  expect(await journey.status()).toMatchObject({ status_code: 'migration_cleaned', items: {} })
})
