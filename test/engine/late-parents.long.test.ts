import { afterEach, expect, test } from 'vitest'
import type { Connector } from '../../service/src/connectors/contract/contract.ts'
import { saveChanges } from '../../service/src/mapping/save-changes.ts'
import { crashAt } from './crash-at.ts'
import { type Hiding, hideRecords, keyOf } from './delete-in-desk.ts'
import { expectTrueNumbers, expectTrueWarnings, openHarbour } from './harbour-client.ts'
import { type Journey, startJourney } from './journey.ts'
import type { PassedAnswer, Tamper } from './tampering-proxy.ts'

// A delta that sends a record only now copies the older records below it, too.

const limit = { timeout: 900_000 }
const ticket = '2'
let journey: Journey
afterEach(() => journey.close())

const ofDesk = async (path: string, body?: object) => {
  const answer = await fetch(`${journey.fernhill.url}/api/v1${path}`, {
    method: body ? 'PATCH' : 'GET',
    headers: { authorization: 'Bearer desk-key', 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(answer.status).toBe(200)
  return answer.json() as Promise<{ data: { id: number; attachments: { id: number }[] }[] }>
}
const changeTicket = () => ofDesk(`/tickets/${ticket}`, { subject: 'Changed since' })

/** The comments and files of the ticket, as `entity/id`. */
async function belowTicket(): Promise<string[]> {
  const { data } = await ofDesk(`/tickets/${ticket}/comments`)
  return data.flatMap(({ id, attachments }) => [
    keyOf('comments', String(id)),
    ...attachments.map((file) => keyOf('attachments', String(file.id))),
  ])
}

async function connect(options: Parameters<typeof startJourney>[0] = {}) {
  journey = await startJourney(options)
  await journey.connectSource()
  await journey.connectDestination()
}
const run = async (kind: 'full' | 'delta' | 'retry') => journey.work(await journey.start(kind))

/** Migrates while the desk does not show the ticket and what is below it; then it shows them, and the ticket changes. */
async function migrateWithout(
  options: Parameters<typeof startJourney>[0] = {},
  change: Tamper = (_request, pass) => pass(),
): Promise<string[]> {
  const hiding: Hiding & { ids: Set<string> } = { ids: new Set([keyOf('tickets', ticket)]), status: 403 }
  const hide = hideRecords(hiding)
  const source: Tamper = (request, pass) => change(request, async () => (await hide(request, pass)) as PassedAnswer)
  await connect({ ...options, between: { source } })
  const below = await belowTicket()
  expect(below.length).toBeGreaterThan(2)
  for (const key of below) hiding.ids.add(key)
  await run('full')
  hiding.ids.clear()
  await changeTicket()
  return below
}

const writtenBelow = async (below: readonly string[]) => {
  const rows = await journey.db
    .selectFrom('id_map')
    .select(['entity', 'source_id'])
    .where('import_id', '=', journey.importId)
    .where('state', '=', 'written')
    .execute()
  const written = new Set(rows.map(({ entity, source_id }) => keyOf(entity, source_id)))
  return below.filter((key) => written.has(key))
}

async function expectArrived(below: readonly string[]): Promise<void> {
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(await writtenBelow(below)).toEqual(below)
  expect(await openHarbour(journey).fieldsOf('tickets', ticket)).toBeDefined()
  await expectTrueNumbers(journey)
  await expectTrueWarnings(journey, ['fewer_than_counted'])
}

/** Fernhill Desk, which cannot be asked for single records. */
function withoutReadSome(fernhill: Connector): Connector {
  const { source } = fernhill
  if (!source) throw new Error('Fernhill Desk is a source')
  return {
    ...fernhill,
    source: {
      ...source,
      async open(account, family) {
        const { readSome: _, ...reader } = await source.open(account, family)
        return reader
      },
    },
  }
}

test('a ticket that the account may see only since then arrives with its older comments and files', limit, async () => {
  const below = await migrateWithout()
  expect(await writtenBelow(below)).toEqual([])
  await run('delta')
  await expectArrived(below)
  // The next delta has nothing to send.
  const before = (await journey.effects()).length
  await run('delta')
  expect((await journey.effects()).length).toBe(before)
})

test('a source that cannot be asked for single records is read whole for it', limit, async () => {
  const below = await migrateWithout({ readAs: withoutReadSome })
  await run('delta')
  await expectArrived(below)
})

test('a ticket that a filter left out arrives with its older comments and files once it is wanted', limit, async () => {
  await connect()
  const below = await belowTicket()
  const { status } = (await ofDesk(`/tickets/${ticket}`)) as unknown as { status: string }
  const others = ['new', 'open', 'pending', 'on_hold', 'solved', 'closed'].filter((one) => one !== status)
  const filtered = { entities: { tickets: { only: { status: others } } } }
  const version = await saveChanges(journey.db, journey.importId, { version: 0 }, filtered)
  await run('full')
  expect(await writtenBelow(below)).toEqual([])
  await saveChanges(journey.db, journey.importId, { version }, {})
  await changeTicket()
  await run('delta')
  await expectArrived(below)
})

test('a worker that is killed between the older comments and the changes leaves none behind', limit, async () => {
  const below = await migrateWithout()
  const runId = await journey.start('delta')
  for (const point of ['stage done', 'intents committed', 'outcomes committed'] as const)
    await crashAt(journey, runId, point, 2)
  await journey.work(runId)
  await expectArrived(below)
})

test('the older comments of a ticket that is refused in the delta arrive with a retry', limit, async () => {
  let isBlank = true
  const below = await migrateWithout({}, async (_request, pass) => {
    const answer = await pass()
    return isBlank ? { ...answer, body: String(answer.body).replaceAll('Changed since', '') } : answer
  })
  await run('delta')
  expect(await writtenBelow(below)).toEqual([])
  isBlank = false
  await run('retry')
  await expectArrived(below)
})
