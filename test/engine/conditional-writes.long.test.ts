import { afterEach, expect, test } from 'vitest'
import type { Fault, SeenRequest } from '../../demo/harbour/faults.ts'
import { presentIn } from './check-harbour.ts'
import { expectTrueNumbers, expectTrueWarnings, openHarbour } from './harbour-client.ts'
import { type Journey, startJourney } from './journey.ts'
import { linkTickets } from './linked-desk.ts'

const limit = { timeout: 900_000 }
let journey: Journey
afterEach(() => journey.close())

interface SentTicket {
  external_id: string
  version?: string
}
type People = ReturnType<typeof openHarbour>

/**
 * Makes a whole migration. `onSecondPass` chooses the fault of the first request of the second pass, before Harbour
 * executes it.
 */
async function migrate(
  onSecondPass: (tickets: SentTicket[]) => Fault | Promise<Fault>,
  options: Parameters<typeof startJourney>[0] = {},
): Promise<People> {
  const written = new Set<string>()
  let isOver = false
  const onRequest = ({ method, path, body }: SeenRequest): Fault | Promise<Fault> => {
    if (isOver || method !== 'PUT' || path !== '/records/tickets') return 'ok'
    const { records } = body as { records: SentTicket[] }
    const again = records.filter(({ external_id }) => written.has(external_id))
    for (const { external_id } of records) written.add(external_id)
    if (again.length === 0) return 'ok'
    isOver = true
    return onSecondPass(again)
  }
  journey = await startJourney({ readAs: linkTickets, onRequest, ...options })
  await journey.connectSource()
  await journey.connectDestination()
  await journey.work(await journey.start('full'))
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(isOver).toBe(true)
  return openHarbour(journey)
}

const idsOf = (tickets: SentTicket[]) => tickets.map(({ external_id }) => String(external_id.split('/').at(-1)))

const rowOf = (sourceId: string) =>
  journey.db
    .selectFrom('id_map')
    .select(['state', 'code', 'warned', 'destination_id'])
    .where('entity', '=', 'tickets')
    .where('source_id', '=', sourceId)
    .executeTakeFirstOrThrow()

const edit = async (ids: string[]) => {
  for (const id of ids) await openHarbour(journey).change('tickets', id, { subject: `Edited ${id}` })
}

async function expectEdited(people: People, ids: string[]): Promise<void> {
  for (const id of ids) {
    expect(await people.fieldsOf('tickets', id)).toMatchObject({ subject: `Edited ${id}` })
    expect(await rowOf(id)).toMatchObject({ state: 'written', warned: expect.arrayContaining(['edited']) })
  }
  expect(await expectTrueWarnings(journey)).toMatchObject({ 'tickets edited': ids.length })
  await expectTrueNumbers(journey)
}

test('an edit made while our write is on its way survives the write and the undo, and is listed', limit, async () => {
  let touched: string[] = []
  const people = await migrate(async (tickets): Promise<Fault> => {
    touched = idsOf(tickets).slice(0, 3)
    await edit(touched)
    return 'ok'
  })
  expect(touched).toHaveLength(3)
  await expectEdited(people, touched)
  await journey.work(await journey.start('undo'))
  for (const id of touched) {
    expect(await people.fieldsOf('tickets', id)).toMatchObject({ subject: `Edited ${id}` })
  }
  await expectTrueNumbers(journey)
})

test('a deletion made while our write is on its way stays, and is listed', limit, async () => {
  let touched: string[] = []
  const people = await migrate(async (tickets): Promise<Fault> => {
    touched = idsOf(tickets).slice(-2)
    for (const id of touched) await openHarbour(journey).remove('tickets', id)
    return 'ok'
  })
  expect(touched).toHaveLength(2)
  for (const id of touched) {
    expect(await people.fieldsOf('tickets', id)).toBeUndefined()
    expect(await rowOf(id)).toMatchObject({ state: 'deleted', code: 'deleted', warned: ['deleted'] })
  }
  expect(await expectTrueWarnings(journey)).toMatchObject({ 'tickets deleted': touched.length })
  await expectTrueNumbers(journey)
  await journey.work(await journey.start('undo'))
  expect(await presentIn(journey)).toEqual(new Set())
})

test('a write whose answer was lost does not count as an edit', limit, async () => {
  let lost: SentTicket[] = []
  await migrate((tickets) => {
    lost = tickets
    return 'commit_then_drop'
  })
  const unversioned = lost.filter(({ version }) => version === undefined)
  expect(lost.length - unversioned.length).toBeGreaterThan(2)
  // Harbour never accepted these tickets, so they have no version.
  for (const id of idsOf(unversioned)) expect(await rowOf(id)).toMatchObject({ state: 'refused' })
  expect(Object.keys(await expectTrueWarnings(journey))).not.toContain('tickets edited')
  await expectTrueNumbers(journey)
  await journey.work(await journey.start('undo'))
  expect(await presentIn(journey)).toEqual(new Set())
})

test('a destination without conditional writes is read first, and never gets a version', limit, async () => {
  let touched: string[] = []
  let sent: SentTicket[] = []
  const people = await migrate(
    (tickets) => {
      sent = tickets
      return 'ok'
    },
    {
      between: {
        async destination({ path, body }, pass) {
          // This search sees the changes that people made until now.
          if (touched.length === 0 && path === '/records/tickets/find') {
            const { external_ids } = JSON.parse(String(body)) as { external_ids: string[] }
            touched = idsOf(external_ids.map((external_id) => ({ external_id }))).slice(0, 2)
            await edit(touched)
          }
          const answer = await pass()
          if (path !== '/describe') return answer
          const { capabilities, ...description } = JSON.parse(String(answer.body))
          return {
            ...answer,
            body: JSON.stringify({ ...description, capabilities: { ...capabilities, conditional: false } }),
          }
        },
      },
    },
  )
  for (const ticket of sent) expect(ticket).not.toHaveProperty('version')
  expect(touched).toHaveLength(2)
  await expectEdited(people, touched)
})
