import { afterEach, expect, test } from 'vitest'
import { type Journey, startJourney } from './journey.ts'

const limit = { timeout: 900_000 }
let journey: Journey
afterEach(() => journey.close())

/** Fernhill Desk refuses the first file that it is asked for. With `isClosed`, it then refuses everything. */
async function startRefusing(isClosed: boolean) {
  let refused = ''
  const refusal = { status: 403, headers: { 'content-type': 'application/json' }, body: '{}' }
  journey = await startJourney({
    between: {
      async source({ path }, pass) {
        const [, id] = /\/attachments\/(\d+)\/content$/.exec(path) ?? []
        refused ||= id ?? ''
        const isRefused = refused !== '' && (isClosed || id === refused)
        return isRefused ? refusal : pass()
      },
    },
  })
  await journey.connectSource()
  await journey.connectDestination()
  await journey.work(await journey.start('full'))
  return refused
}

test('a file that the source refuses to hand out is listed, and the run goes on', limit, async () => {
  const refused = await startRefusing(false)
  const { status_code, warnings } = await journey.status()
  expect(status_code).toBe('migration_completed')
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'file_missing', entity: 'attachments', count: 1 }))
  const row = await journey.db
    .selectFrom('id_map')
    .select(['state', 'message'])
    .where('entity', '=', 'attachments')
    .where('source_id', '=', refused)
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ state: 'refused', message: 'The source does not hand out this file.' })
})

test('if the source refuses everything else too, the customer is asked to connect it again', limit, async () => {
  await startRefusing(true)
  const { status_code, warnings } = await journey.status()
  expect(status_code).not.toBe('migration_completed')
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'authorization_lost' }))
})
