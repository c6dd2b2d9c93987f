import { afterEach, expect, test, vi } from 'vitest'
import { crashAt } from '../../engine/crash-at.ts'
import { type Journey, startJourney } from '../../engine/journey.ts'
import { type Fault, type Faulted, unreliable } from '../../twins/faults.ts'
import { seedCrm } from '../../twins/hubspot/seed.ts'
import { type HubspotTwin, startHubspotTwin } from '../../twins/hubspot/twin.ts'

// Whole migrations through the engine, to and from HubSpot, with faults of every kind.

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

/** Expects every record of the ledger once in HubSpot, and no other record. */
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

const isRead = ({ method, url }: Faulted) => method === 'GET' || /\/(search|read)$/.test(url.pathname)

/** Loses requests for links. Links are made after the record, so a lost one leaves an unfinished record. */
function losesLinks(): (request: Faulted) => Fault | null {
  let links = 0
  return ({ url }) =>
    /associations.*batch.(associate|create)/.test(url.pathname) && ++links % 2 === 1 && links < 12
      ? { kind: 'dropped' }
      : null
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
    twin.faults.when(losesLinks())
    twin.faults.when(unreliable(7, (request) => !isRead(request)))
    await journey.work(runId)
    twin.faults.clear()
    const done = await journey.status()
    expect(done.status_code).toBe('migration_completed')
    await expectEachOnce(journey, twin)
    // The ticket without a subject gets one from the connector.
    expect(twin.account.things.tickets.size()).toBe(120)
    expect(twin.account.files.size()).toBeGreaterThan(0)
    const undo = await journey.start('undo')
    await crashAt(journey, undo, 'removal sent')
    await journey.work(undo)
    expect((await journey.status()).items).toEqual({})
    expect(objectsOf(twin)).toEqual([])
    expect(twin.account.files.size()).toBe(0)
    expect(twin.account.folders.list().map(({ path }) => path)).toEqual(['/wherry'])
  },
)

test(
  'HubSpot arrives in Harbour once, wherever a worker is killed or an answer lost, and an undo leaves nothing',
  limit,
  async () => {
    const twin = await startTwin()
    seedCrm(twin.account, twin.owners)
    // Time passes until the search has caught up with the stored records.
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
    for (const point of ['page read', 'intents committed', 'first batch sent', 'all batches sent'] as const) {
      expect(await crashAt(journey, runId, point)).toBe(true)
    }
    twin.faults.when(unreliable(5, isRead))
    await journey.work(runId)
    twin.faults.clear()
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
    const keysOf = async (wanted: string) =>
      (await journey.effects()).flatMap(({ action, external_id }) => (action === wanted ? external_id : [])).sort()
    const made = await keysOf('create')
    expect(new Set(made).size).toBe(made.length)
    expect(made.length).toBeGreaterThan(companies.size())
    twin.expectNoViolations()
    const undo = await journey.start('undo')
    expect(await crashAt(journey, undo, 'removal sent')).toBe(true)
    await journey.work(undo)
    expect((await journey.status()).items).toEqual({})
    expect(await keysOf('delete')).toEqual(made)
  },
)
