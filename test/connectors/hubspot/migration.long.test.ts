import { afterEach, expect, test, vi } from 'vitest'
import { crashAt } from '../../engine/crash-at.ts'
import { type Journey, startJourney } from '../../engine/journey.ts'
import type { Fault, Faulted } from '../../twins/faults.ts'
import { seedCrm } from '../../twins/hubspot/seed.ts'
import { type HubspotTwin, startHubspotTwin } from '../../twins/hubspot/twin.ts'

// Whole migrations through the engine, into HubSpot and out of it, with faults of every kind.

const limit = { timeout: 900_000 }
let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

async function startTwin(): Promise<HubspotTwin> {
  const twin = await startHubspotTwin()
  cleanup.defer(() => twin.close())
  return twin
}

const objectsOf = ({ account }: HubspotTwin) => Object.values(account.things).flatMap((store) => store.list())
const keysIn = (twin: HubspotTwin) => objectsOf(twin).flatMap(({ properties }) => properties.wherry_key ?? [])

const rowsOf = ({ db }: Journey) =>
  db.selectFrom('id_map').select(['entity', 'state', 'destination_id', 'code', 'message']).execute()

/** Every record of the ledger is there once, and nothing else is. */
async function expectEachOnce(journey: Journey, twin: HubspotTwin): Promise<void> {
  await vi.waitFor(() => expect(twin.isQuiet()).toBe(true), { timeout: 300_000 })
  const rows = await rowsOf(journey)
  expect(rows.filter(({ state, code }) => state === 'intended' || code === 'edited')).toEqual([])
  const keys = keysIn(twin)
  expect(new Set(keys).size).toBe(keys.length)
  const written = rows.filter(({ state, entity }) => state === 'written' && entity !== 'attachments')
  const ids = written.map(({ destination_id }) => /\d+$/.exec(String(destination_id))?.[0])
  expect(new Set(ids).size).toBe(ids.length)
  const there = new Set(objectsOf(twin).map(({ id }) => id))
  expect(ids.filter((id) => !there.has(String(id)))).toEqual([])
}

/** Twelve requests fail, each in another way; the rest succeed. */
function unreliable(): (request: Faulted) => Fault | null {
  const faults: Fault[] = [{ kind: 'lost' }, { kind: 'dropped' }, { kind: 'spoiled', status: 500 }, { kind: 'cut' }]
  let requests = 0
  let links = 0
  return ({ method, url }) => {
    // Links come after their targets: a lost one leaves a record that is half made.
    if (/associations.*batch.(associate|create)/.test(url.pathname) && ++links % 2 === 1 && links < 12) {
      return { kind: 'dropped' }
    }
    if (method === 'GET' || /\/(search|read)$/.test(url.pathname)) return null
    requests += 1
    return requests % 7 === 0 && requests <= 84 ? (faults[(requests / 7) % faults.length] ?? null) : null
  }
}

test(
  'a help desk arrives in HubSpot once, wherever a worker is killed, and an undo leaves nothing',
  limit,
  async () => {
    const twin = await startTwin()
    const journey = await startJourney({
      destination: { tool: 'hubspot', url: twin.url, connectors: [] },
    })
    cleanup.defer(() => journey.close())
    await journey.connectSource()
    await journey.connectDestination(twin.access.token)
    const runId = await journey.start('full')
    for (const point of ['intents committed', 'first batch sent', 'all batches sent'] as const) {
      expect(await crashAt(journey, runId, point)).toBe(true)
    }
    const stop = twin.faults.when(unreliable())
    await journey.work(runId)
    stop()
    const done = await journey.status()
    expect(done.status_code).toBe('migration_completed')
    await expectEachOnce(journey, twin)
    // One ticket of the desk has no subject, and HubSpot refuses it.
    expect(twin.account.things.tickets.size()).toBe(119)
    expect(twin.account.files.size()).toBeGreaterThan(0)
    const undo = await journey.start('undo')
    await crashAt(journey, undo, 'removal sent')
    await journey.work(undo)
    expect((await journey.status()).items).toEqual({})
    expect(objectsOf(twin)).toEqual([])
    expect(twin.account.files.size()).toBe(0)
  },
)

test('HubSpot arrives in Harbour whole, wherever a worker is killed, and an undo leaves nothing', limit, async () => {
  const twin = await startTwin()
  seedCrm(twin.account, twin.owners)
  // The search has caught up with the stored records.
  twin.clock.advance(60_000)
  const journey = await startJourney({
    families: ['crm'],
    source: { tool: 'hubspot', url: twin.url },
  })
  cleanup.defer(() => journey.close())
  await journey.db.updateTable('imports').set({ family: 'crm' }).execute()
  await journey.connectSource(twin.access.token)
  await journey.connectDestination()
  const runId = await journey.start('full')
  for (const point of ['intents committed', 'first batch sent'] as const) await crashAt(journey, runId, point)
  await journey.work(runId)
  expect((await journey.status()).status_code).toBe('migration_completed')
  const rows = await rowsOf(journey)
  const written = Map.groupBy(
    rows.filter(({ state }) => state === 'written'),
    ({ entity }) => entity,
  )
  const counts = Object.fromEntries([...written].map(([entity, some]) => [entity, some.length]))
  const { companies, contacts, deals, calls, meetings, tasks, emails } = twin.account.things
  expect(counts).toMatchObject({
    accounts: companies.size(),
    contacts: contacts.size(),
    deals: deals.size(),
    pipelines: twin.account.pipelines.deals.length,
    activities: calls.size() + meetings.size() + tasks.size() + emails.size(),
  })
  const effects = await journey.effects()
  expect(effects.length).toBeGreaterThan(0)
  await journey.work(await journey.start('undo'))
  expect((await journey.status()).items).toEqual({})
})
