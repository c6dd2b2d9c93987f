import { afterEach, expect, test } from 'vitest'
import { type Journey, startJourney } from '../../engine/journey.ts'
import { hourMs, minuteMs } from '../../twins/clock.ts'
import type { Thing } from '../../twins/hubspot/account.ts'
import { archiveThing, makeThing } from '../../twins/hubspot/objects.ts'
import { seedCrm } from '../../twins/hubspot/seed.ts'
import { type HubspotTwin, startHubspotTwin } from '../../twins/hubspot/twin.ts'

// HubSpot as a source of samples and of later runs, through the engine.

const limit = { timeout: 900_000 }
let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

/** An import from HubSpot to Harbour. `prepare` fills the account before it is connected. */
async function start(
  startFull: boolean,
  prepare: (twin: HubspotTwin) => void,
): Promise<{ twin: HubspotTwin; journey: Journey }> {
  const twin = await startHubspotTwin({ searchWall: 120 })
  cleanup.defer(() => twin.close())
  prepare(twin)
  twin.clock.advance(hourMs)
  const journey = await startJourney({ startFull, families: ['crm'], source: { tool: 'hubspot', url: twin.url } })
  cleanup.defer(() => journey.close())
  await journey.db.updateTable('imports').set({ family: 'crm' }).execute()
  await journey.connectSource(twin.access.token)
  await journey.connectDestination()
  return { twin, journey }
}

/** Copies one record, each copy with its own id, all changed at the same moment. */
function copies({ account }: HubspotTwin, thing: Thing, count: number): Thing[] {
  return Array.from({ length: count }, () => {
    const id = account.nextId()
    return account.things[thing.kind].put({ ...thing, id, properties: { ...thing.properties, hs_object_id: id } })
  })
}

const idsIn = async ({ db }: Journey, entity: string, state = 'written') => {
  const rows = await db
    .selectFrom('id_map')
    .select('source_id')
    .where('entity', '=', entity)
    .where('state', '=', state as 'written')
    .execute()
  return rows.map(({ source_id }) => source_id).sort()
}
const idsOf = (things: readonly Thing[]) => things.map(({ id }) => id).sort()
const requests = ({ seen }: HubspotTwin, request: string) => seen.filter((one) => one === request).length

test(
  'a sample copies some records of each kind with all records they refer to, and reads only a part of the account',
  limit,
  async () => {
    const { twin, journey } = await start(false, (one) => {
      seedCrm(one.account, one.owners)
      copies(one, makeThing(one.account, 'contacts', { properties: { lastname: 'Plain' } }), 2_000)
    })
    const before = requests(twin, 'GET /crm/v3/objects/contacts')
    await journey.work(await journey.start('sample'))
    expect((await journey.status()).status_code).toBe('sample_migration_completed')
    // 2,008 contacts are 21 pages.
    expect(requests(twin, 'GET /crm/v3/objects/contacts') - before).toBeLessThan(21)
    const contacts = await idsIn(journey, 'contacts')
    expect(contacts.length).toBeGreaterThan(10)
    expect(contacts.length).toBeLessThan(100)
    expect(await idsIn(journey, 'deals')).toEqual(idsOf(twin.account.things.deals.list()))
    const rows = await journey.db.selectFrom('id_map').select(['entity', 'state', 'code']).execute()
    expect(rows.filter(({ state }) => state === 'held' || state === 'intended')).toEqual([])
  },
)

test('a later run copies changed and new records once, and names the deleted ones', limit, async () => {
  const { twin, journey } = await start(true, (one) => seedCrm(one.account, one.owners))
  const { account } = twin
  await journey.work(await journey.start('full'))
  expect((await journey.status()).status_code).toBe('migration_completed')
  const effects = (await journey.effects()).length
  // The search returns records changed before the run again, and Harbour gets none of them twice.
  const [changed, deleted] = account.things.companies.list(({ properties }) =>
    /^Company 1[01]$/.test(String(properties.name)),
  )
  if (!changed || !deleted) throw new Error('the seed has no such companies')
  twin.clock.advance(minuteMs)
  const properties = { ...changed.properties, name: 'Company no more', hs_lastmodifieddate: account.now() }
  account.things.companies.change(changed.id, { properties, updatedAt: account.now() })
  archiveThing(account, 'companies', deleted.id)
  const [note] = account.things.notes.list()
  archiveThing(account, 'notes', String(note?.id))
  const fresh = makeThing(account, 'contacts', { properties: { lastname: 'Fresh' } })
  // More records changed at one moment than a search shows.
  const equal = [fresh, ...copies(twin, fresh, 250)]
  twin.clock.advance(minuteMs)
  const listed = requests(twin, 'GET /crm/v3/objects/companies')
  await journey.work(await journey.start('delta'))
  const done = (await journey.effects()).slice(effects)
  const keys = (action: string) =>
    done.flatMap((one) => (one.action === action ? [String(one.external_id)] : [])).sort()
  expect(keys('update')).toEqual([expect.stringContaining(`accounts/${changed.id}`)])
  expect(keys('create')).toEqual(idsOf(equal).map((id) => expect.stringContaining(`contacts/${id}`)))
  expect(requests(twin, 'GET /crm/v3/objects/companies')).toBe(listed)
  const gone = await journey.db
    .selectFrom('id_map')
    .select('source_id')
    .where('gone_from_source_at', 'is not', null)
    .where('entity', '!=', 'attachments')
    .execute()
  expect(gone.map(({ source_id }) => source_id).sort()).toEqual([deleted.id, String(note?.id)].sort())
  // A second later run finds nothing to do.
  const sofar = (await journey.effects()).length
  await journey.work(await journey.start('delta'))
  expect((await journey.effects()).length).toBe(sofar)
})
