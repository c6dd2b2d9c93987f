import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { crashAt } from '../../engine/crash-at.ts'
import { type Journey, startJourney } from '../../engine/journey.ts'
import { unreliable } from '../../twins/faults.ts'
import { linksOf } from '../../twins/hubspot/links.ts'
import { seedCrm as seedHubspot } from '../../twins/hubspot/seed.ts'
import { startHubspotTwin } from '../../twins/hubspot/twin.ts'
import { isLive, type Thing } from '../../twins/pipedrive/account.ts'
import { optionsOf } from '../../twins/pipedrive/catalog.ts'
import { makeThing } from '../../twins/pipedrive/records.ts'
import { seedCrm } from '../../twins/pipedrive/seed.ts'
import { type PipedriveTwin, startPipedriveTwin } from '../../twins/pipedrive/twin.ts'

// Whole migrations through the engine, to and from Pipedrive, with faults of every kind.

const limit = { timeout: 900_000 }
let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

async function startTwins() {
  const pipedrive = await startPipedriveTwin()
  cleanup.defer(() => pipedrive.close())
  const hubspot = await startHubspotTwin()
  cleanup.defer(() => hubspot.close())
  return { pipedrive, hubspot }
}

const storesOf = ({ account }: PipedriveTwin) => ({
  accounts: account.organizations,
  contacts: account.persons,
  deals: account.deals,
  activities: account.activities,
  notes: account.notes,
  attachments: account.files,
  pipelines: account.pipelines,
  stages: account.stages,
})
const liveIn = (twin: PipedriveTwin): Thing[] => Object.values(storesOf(twin)).flatMap((store) => store.list(isLive))
const labelsIn = ({ account }: PipedriveTwin) =>
  (['persons', 'organizations'] as const).flatMap((kind) => optionsOf(account, kind, 'label_ids'))

const rowsOf = ({ db }: Journey) =>
  db.selectFrom('id_map').select(['entity', 'state', 'destination_id', 'code', 'message']).execute()
const writtenIn = async (journey: Journey) => {
  const rows = await rowsOf(journey)
  expect(rows.filter(({ state }) => state === 'intended')).toEqual([])
  return rows.filter(({ state }) => state === 'written')
}
async function beginRun(journey: Journey, sourceToken: string, destinationToken: string): Promise<string> {
  cleanup.defer(() => journey.close())
  await journey.connectSource(sourceToken)
  await journey.connectDestination(destinationToken)
  return journey.start('full')
}

/** Works to the end of the run. The twins answer at once, so the run need not wait a minute for late requests. */
async function workSoon(journey: Journey, runId: string): Promise<void> {
  while ((await journey.slice(runId)).next !== 'nothing') {
    await sql`update account_paces set blocked_until = '-infinity'`.execute(journey.db)
    await sql`update id_map set sent_at = sent_at - interval '2 minutes' where sent_at is not null`.execute(journey.db)
  }
}

/** Removes most companies, because fewer are enough. */
function leaveOut({ account }: PipedriveTwin): void {
  for (const { id } of account.organizations.list().slice(30)) account.organizations.change(id, { deletedAt: 0 })
}

test('HubSpot arrives in Pipedrive once, wherever a worker is killed, and an undo leaves nothing', limit, async () => {
  const { pipedrive, hubspot } = await startTwins()
  seedHubspot(hubspot.account, hubspot.owners)
  hubspot.clock.advance(60_000)
  const [before, labelsBefore] = [liveIn(pipedrive).length, labelsIn(pipedrive).length]
  const journey = await startJourney({
    families: ['crm'],
    source: { tool: 'hubspot', url: hubspot.url },
    destination: { tool: 'pipedrive', url: pipedrive.url, connectors: [] },
  })
  const runId = await beginRun(journey, hubspot.access.token, pipedrive.access.token)
  for (const point of ['intents committed', 'first batch sent', 'all batches sent'] as const) {
    expect(await crashAt(journey, runId, point)).toBe(true)
  }
  const stop = pipedrive.faults.when(unreliable(7))
  await workSoon(journey, runId)
  stop()
  expect((await journey.status()).status_code).toBe('migration_completed')
  await vi.waitFor(() => expect(pipedrive.isQuiet()).toBe(true), { timeout: 300_000 })
  const written = await writtenIn(journey)
  for (const [entity, store] of Object.entries(storesOf(pipedrive))) {
    const ids = written.filter((row) => row.entity === entity).map(({ destination_id }) => String(destination_id))
    expect(new Set(ids).size, entity).toBe(ids.length)
    expect(
      ids.filter((id) => store.list(isLive).every((one) => one.id !== id)),
      entity,
    ).toEqual([])
  }
  // Every other record existed before, or is ours and in the ledger.
  const ours = written.filter(({ entity }) => entity in storesOf(pipedrive)).length
  expect(liveIn(pipedrive).length).toBe(before + ours)
  expect(pipedrive.account.invitations).toBe(0)
  pipedrive.expectNoViolations()
  const undo = await journey.start('undo')
  await crashAt(journey, undo, 'removal sent')
  await workSoon(journey, undo)
  expect((await journey.status()).items).toEqual({})
  expect([liveIn(pipedrive).length, labelsIn(pipedrive).length]).toEqual([before, labelsBefore])
})

test(
  'Pipedrive arrives in HubSpot complete, wherever a worker is killed, and an undo leaves nothing',
  limit,
  async () => {
    const { pipedrive, hubspot } = await startTwins()
    seedCrm(pipedrive.account, pipedrive.users)
    leaveOut(pipedrive)
    const pipelines = structuredClone(hubspot.account.pipelines.deals)
    const journey = await startJourney({
      families: ['crm'],
      source: { tool: 'pipedrive', url: pipedrive.url },
      destination: { tool: 'hubspot', url: hubspot.url, connectors: [] },
    })
    const runId = await beginRun(journey, pipedrive.access.token, hubspot.access.token)
    for (const point of ['intents committed', 'first batch sent', 'all batches sent'] as const) {
      expect(await crashAt(journey, runId, point)).toBe(true)
    }
    const stop = hubspot.faults.when(unreliable(7))
    await workSoon(journey, runId)
    stop()
    expect((await journey.status()).status_code).toBe('migration_completed')
    const rows = Map.groupBy(await writtenIn(journey), ({ entity }) => entity)
    const { accounts, contacts, deals } = storesOf(pipedrive)
    const { companies, contacts: people, deals: sales } = hubspot.account.things
    const counts = (name: string) => rows.get(name)?.length ?? 0
    expect(counts('accounts')).toBe(accounts.list(isLive).length)
    expect(companies.size()).toBe(accounts.list(isLive).length)
    expect(people.size()).toBe(counts('contacts'))
    expect(counts('contacts')).toBeGreaterThan(contacts.list(isLive).length - 2)
    expect([counts('deals'), sales.size()]).toEqual([deals.list(isLive).length, deals.list(isLive).length])
    expect(counts('attachments')).toBeGreaterThan(0)
    pipedrive.expectNoViolations()
    const undo = await journey.start('undo')
    await crashAt(journey, undo, 'removal sent')
    await workSoon(journey, undo)
    expect((await journey.status()).items).toEqual({})
    expect(hubspot.account.pipelines.deals).toEqual(pipelines)
    expect(Object.values(hubspot.account.things).flatMap((store) => store.list())).toEqual([])
  },
)

test('a used-up daily budget pauses the run, and the customer is told until when', limit, async () => {
  const pipedrive = await startPipedriveTwin({ plan: { burst: 1_000, tokensPerDay: 90 } })
  cleanup.defer(() => pipedrive.close())
  const journey = await startJourney({ families: ['crm'], source: { tool: 'pipedrive', url: pipedrive.url } })
  cleanup.defer(() => journey.close())
  await journey.connectSource(pipedrive.access.token)
  await journey.connectDestination()
  const runId = await journey.start('full')
  let isWaiting = false
  while (!isWaiting) {
    const result = await journey.slice(runId)
    expect(result.next).toBe('slice')
    isWaiting = result.next === 'slice' && result.afterMs > 0
  }
  const { obstacle, failures } = await journey.db
    .selectFrom('runs')
    .select(['obstacle', 'failures'])
    .where('id', '=', runId)
    .executeTakeFirstOrThrow()
  expect(obstacle).toMatchObject({ code: 'budget_spent', must_act: 'nobody', role: 'source' })
  expect(Date.parse(String(obstacle?.until))).toBeGreaterThan(Date.now())
  expect(failures).toBe(0)
  // No request exceeded the budget.
  const asked = pipedrive.seen.length
  await journey.slice(runId)
  expect(pipedrive.seen.length).toBe(asked)
})

test(
  'a record that arrived without a refused value is changed by a later run, and removed by an undo',
  limit,
  async () => {
    const { pipedrive, hubspot } = await startTwins()
    const emails = [{ value: 'nord@@example', primary: true, label: 'work' }]
    const nora = makeThing(pipedrive.account, 'persons', { name: 'Nora Nord', emails })
    const journey = await startJourney({
      families: ['crm'],
      source: { tool: 'pipedrive', url: pipedrive.url },
      destination: { tool: 'hubspot', url: hubspot.url, connectors: [] },
    })
    await workSoon(journey, await beginRun(journey, pipedrive.access.token, hubspot.access.token))
    const { rows } = await sql`select entity, code from warnings where code like 'lost:%' order by entity`.execute(
      journey.db,
    )
    // HubSpot's open stages have at most 99 percent.
    const isAdjusted = { entity: 'stages', code: 'lost:probability_adjusted' }
    expect(rows).toEqual([{ entity: 'contacts', code: 'lost:address_refused' }, isAdjusted])
    const update_time = `${new Date(Date.now() + 60_000).toISOString().slice(0, 19)}Z`
    pipedrive.account.persons.change(nora.id, {
      body: { ...nora.body, name: 'Nora Sued', last_name: 'Sued', update_time },
    })
    await workSoon(journey, await journey.start('delta'))
    const people = hubspot.account.things.contacts
    expect(people.list().map(({ properties }) => properties.lastname)).toEqual(['Sued'])
    await workSoon(journey, await journey.start('undo'))
    expect(people.size()).toBe(0)
  },
)

test(
  'a later run that loses answers between the links of a record finishes it, and an undo removes it',
  limit,
  async () => {
    const { pipedrive, hubspot } = await startTwins()
    const [one, two] = ['One', 'Two'].map((name) => makeThing(pipedrive.account, 'organizations', { name }))
    const nora = makeThing(pipedrive.account, 'persons', { name: 'Nora Nord', org_id: Number(one?.id) })
    const journey = await startJourney({
      families: ['crm'],
      source: { tool: 'pipedrive', url: pipedrive.url },
      destination: { tool: 'hubspot', url: hubspot.url, connectors: [] },
    })
    await workSoon(journey, await beginRun(journey, pipedrive.access.token, hubspot.access.token))
    const update_time = `${new Date(Date.now() + 60_000).toISOString().slice(0, 19)}Z`
    pipedrive.account.persons.change(nora.id, { body: { ...nora.body, org_id: Number(two?.id), update_time } })
    const lost = new Set<string>()
    hubspot.faults.when(({ url }) => {
      const [, step] = /\/contacts\/companies\/batch\/(archive|associate|create)/.exec(url.pathname) ?? []
      if (step === undefined || lost.has(step)) return null
      lost.add(step)
      return { kind: 'lost' }
    })
    await workSoon(journey, await journey.start('delta'))
    expect([...lost].sort()).toEqual(['archive', 'associate', 'create'])
    const rows = await rowsOf(journey)
    expect(rows.filter(({ code }) => code !== null)).toEqual([])
    const [contact] = hubspot.account.things.contacts.list()
    const placed = rows.filter(({ entity }) => entity === 'accounts').map(({ destination_id }) => destination_id)
    const linked = linksOf(hubspot.account, 'contacts', String(contact?.id), 'companies').map(({ id }) => id)
    expect(linked).toHaveLength(1)
    expect(hubspot.account.things.companies.get(String(linked[0]))?.properties.name).toBe('Two')
    expect(placed).toContain(linked[0])
    await workSoon(journey, await journey.start('undo'))
    expect(Object.values(hubspot.account.things).flatMap((store) => store.list())).toEqual([])
  },
)
