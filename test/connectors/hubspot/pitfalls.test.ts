import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import type { OutgoingRecord, Reader } from '../../../service/src/connectors/contract/contract.ts'
import { hubspot } from '../../../service/src/connectors/crm/hubspot/index.ts'
import { openHubspot } from '../../../service/src/connectors/crm/hubspot/reader.ts'
import { keyOf } from '../../../service/src/connectors/crm/hubspot/send-batch.ts'
import { openHubspotWriter } from '../../../service/src/connectors/crm/hubspot/writer.ts'
import { RetryableError } from '../../../service/src/errors.ts'
import type { Family } from '../../../service/src/families/index.ts'
import { createClock } from '../../twins/clock.ts'
import type { Thing } from '../../twins/hubspot/account.ts'
import type { Kind } from '../../twins/hubspot/catalog.ts'
import { link } from '../../twins/hubspot/links.ts'
import { makeThing } from '../../twins/hubspot/objects.ts'
import { type HubspotTwin, startHubspotTwin } from '../../twins/hubspot/twin.ts'
import { createLoopbackOutbound } from '../desk-account.ts'
import { keepSides } from '../keep-sides.ts'
import { readAll } from '../reader-contract.ts'

// Peculiarities of HubSpot, each tested against its twin.

const outbound = createLoopbackOutbound()
afterAll(() => outbound.close())
let twin: HubspotTwin
beforeEach(async () => {
  twin = await startHubspotTwin({}, createClock({ startsAt: '2026-01-02T03:04:05.000Z', isRunning: false }))
})
afterEach(() => twin.close())

const accountOf = () => ({
  access: { username: null, ...twin.access },
  outbound,
  signal: AbortSignal.timeout(600_000),
})
const writer = (family: Family = 'crm') => openHubspotWriter(accountOf(), family)
const reader = (family: Family = 'crm', pageSize = 100): Reader => openHubspot(accountOf(), family, pageSize)
let made = 0
const record = (fields: OutgoingRecord['fields'], more: Partial<OutgoingRecord> = {}): OutgoingRecord => ({
  key: `imp/${++made}`,
  revision: made,
  destinationId: null,
  createdBy: null,
  customFields: {},
  createdAt: '2020-01-02T03:04:05.000Z',
  updatedAt: null,
  fields,
  ...more,
})
const seenAt = (path: string) => twin.seen.filter((request) => request.endsWith(path)).length
const people = (count: number) =>
  Array.from({ length: count }, (_, at) => record({ name: `Nora ${at}`, emails: `nora${at}@example.com` }))

test('a delta is complete when more records than a search shows changed at one moment', async () => {
  await writer().write('contacts', [record({ name: 'Nora' })])
  const [nora] = twin.account.things.contacts.list()
  if (!nora) throw new Error('nobody was written')
  const count = 10_050
  for (let at = 1; at < count; at += 1) {
    const id = twin.account.nextId()
    const properties = { ...nora.properties, hs_object_id: id, wherry_key: null }
    twin.account.things.contacts.put({ ...nora, id, properties })
  }
  twin.clock.advance(60_000)
  const since = '2026-01-02T03:04:05.000Z'
  const changed = await readAll((cursor) => reader().read('contacts', cursor, { since }))
  expect(changed.length).toBe(count)
  expect(new Set(changed.map(({ sourceId }) => sourceId)).size).toBe(count)
})

test('the property for our key is created once for each type, and is unique', async () => {
  await writer().write('contacts', people(2))
  await writer().write(
    'contacts',
    people(2).map((one, at) => ({ ...one, fields: { name: `Other ${at}` } })),
  )
  const made = twin.account.properties.contacts.filter(({ name }) => name === 'wherry_key')
  expect(made).toMatchObject([{ hasUniqueValue: true }])
  expect(seenAt('/crm/v3/properties/contacts/groups')).toBe(1)
})

test('a contact whose address another contact has is matched, and its neighbours are written', async () => {
  const [first] = await writer().write('contacts', [record({ name: 'Ada Byron', emails: 'Ada@Example.com' })])
  expect(first).toMatchObject({ result: 'written' })
  const outcomes = await writer().write('contacts', [
    record({ name: 'Bo', emails: 'bo@example.com' }),
    record({ name: 'A. Lovelace', emails: 'ada@example.com' }),
    record({ name: 'Cy', emails: 'cy@example.com' }),
  ])
  expect(outcomes.map(({ result }) => result)).toEqual(['written', 'matched', 'written'])
  expect(outcomes[1]).toMatchObject({ destinationId: first && 'destinationId' in first ? first.destinationId : '' })
  expect(twin.account.things.contacts.list().map(({ properties }) => properties.lastname)).toContain('Byron')
})

test('the same batch after a lost answer overwrites its records, without a search', async () => {
  const sent = people(3)
  twin.faults.next('POST', '/crm/v3/objects/contacts/batch/upsert', { kind: 'lost' })
  await expect(writer().write('contacts', sent)).rejects.toThrow(RetryableError)
  const outcomes = await writer().write('contacts', sent)
  expect(outcomes.map(({ result }) => result)).toEqual(['written', 'written', 'written'])
  expect(twin.account.things.contacts.size()).toBe(3)
  expect(seenAt('/search')).toBe(0)
})

test('where no unique property can be created, records are found by the search, and the account says so', async () => {
  const refuse = twin.faults.when(({ method, url }) =>
    method === 'POST' && url.pathname === '/crm/v3/properties/calls' && seenAt('/crm/v3/properties/calls') <= 2
      ? { kind: 'answered', status: 400, json: { category: 'VALIDATION_ERROR', message: 'no unique properties here' } }
      : null,
  )
  const call = record({ type: 'call', subject: 'Rang' })
  await expect(writer().write('activities', [call])).rejects.toThrow('HubSpot answered 400')
  refuse()
  const { activities } = (await writer().describe()).entities
  expect(activities?.capabilities).toMatchObject({ deliveryClass: 'C', settleMs: 60_000 })
  const [outcome] = await writer().write('activities', [call])
  expect(outcome).toMatchObject({ result: 'written' })
  const sought = { key: call.key, destinationId: null, parent: null }
  expect(await writer().find('activities', [sought])).toEqual([])
  twin.clock.advance(60_000)
  expect(await writer().find('activities', [sought])).toHaveLength(1)
})

test('links to other records are created, changed and removed', async () => {
  const [one, other] = await writer().write('accounts', [record({ name: 'One' }), record({ name: 'Other' })])
  const idOf = (outcome: unknown) => (outcome as { destinationId: string }).destinationId
  const to = (outcome: unknown) => [{ entity: 'accounts', key: 'k', destinationId: idOf(outcome) }]
  const ada = record({ name: 'Ada', accounts: to(one) })
  const [written] = await writer().write('contacts', [ada])
  const accountsOf = async () =>
    (await reader().readSome?.('contacts', { ids: [idOf(written)] }, null))?.items[0]?.fields.accounts
  expect(await accountsOf()).toEqual([{ entity: 'accounts', sourceId: idOf(one) }])
  await writer().write('contacts', [
    { ...ada, fields: { name: 'Ada', accounts: to(other) }, destinationId: idOf(written) },
  ])
  expect(await accountsOf()).toEqual([{ entity: 'accounts', sourceId: idOf(other) }])
  await writer().write('contacts', [{ ...ada, fields: { name: 'Ada' }, destinationId: idOf(written) }])
  expect(await accountsOf()).toEqual([])
})

test('a note or an activity of several records arrives at one of them, and the number of other links is reported', async () => {
  const thing = (kind: Kind, properties: Record<string, string>, to: Thing[] = []) => {
    const one = makeThing(twin.account, kind, { properties })
    for (const target of to) link(twin.account, kind, one.id, target.kind, target.id)
    return one
  }
  const [first, second] = ['One', 'Other'].map((name) => thing('companies', { name }))
  const ada = thing('contacts', { lastname: 'Ada' })
  const deal = thing('deals', { dealname: 'Rakes', dealstage: 'appointmentscheduled' })
  const all = [first, second, ada, deal].filter((one) => one !== undefined)
  const at = { hs_timestamp: '2024-05-06T07:08:09.000Z' }
  const spread = thing('notes', { ...at, hs_note_body: 'Of all' }, all)
  thing('notes', { ...at, hs_note_body: 'Of one' }, [ada])
  const call = thing('calls', { ...at, hs_call_title: 'Rang' }, [ada, deal])
  const lost = { code: 'relations_left_out', message: expect.any(String), field: 'related' }
  const notes = await reader().read('notes', null, {})
  expect(notes.items[0]?.fields.related).toEqual({ entity: 'deals', sourceId: deal.id })
  expect(notes.warnings).toEqual([{ ...lost, entity: 'notes', sourceId: spread.id, count: 3 }])
  const activities = await reader().read('activities', null, {})
  expect(activities.warnings).toEqual([{ ...lost, entity: 'activities', sourceId: `calls-${call.id}`, count: 1 }])
})

test('a deal or a ticket with several companies keeps the primary one, and the others are reported', async () => {
  const company = (name: string) => makeThing(twin.account, 'companies', { properties: { name } })
  const [plain, primary] = [company('Plain'), company('Primary')]
  for (const [kind, properties, typeId] of [
    ['deals', { dealname: 'Rakes', dealstage: 'appointmentscheduled' }, 5],
    ['tickets', { subject: 'Bent', hs_pipeline_stage: '1' }, 26],
  ] as const) {
    const { id } = makeThing(twin.account, kind, { properties })
    link(twin.account, kind, id, 'companies', plain.id)
    link(twin.account, kind, id, 'companies', primary.id, typeId)
  }
  const deals = await reader().read('deals', null, {})
  expect(deals.items[0]?.fields.account).toEqual({ entity: 'accounts', sourceId: primary.id })
  expect(deals.warnings).toMatchObject([{ code: 'relations_left_out', field: 'account', count: 1 }])
  const tickets = await reader('helpdesk').read('tickets', null, {})
  expect(tickets.items[0]?.fields.organization).toEqual({ entity: 'organizations', sourceId: primary.id })
  expect(tickets.warnings).toMatchObject([{ code: 'relations_left_out', field: 'organization', count: 1 }])
})

test('a record whose links were lost counts as half written, and is complete when it is sent again', async () => {
  const [company] = await writer().write('accounts', [record({ name: 'One' })])
  const destinationId = company && 'destinationId' in company ? company.destinationId : ''
  const note = record({ related: { entity: 'accounts', key: 'k', destinationId }, body: '<p>x</p>' })
  twin.faults.next('POST', '/crm/v4/associations/notes/companies/batch/associate', { kind: 'dropped' })
  await expect(writer().write('notes', [note])).rejects.toThrow(RetryableError)
  const sought = { key: note.key, destinationId: null, parent: null }
  expect(twin.account.things.notes.size()).toBe(1)
  const [half] = await writer().find('notes', [sought])
  expect(half).toMatchObject({ isUnfinished: true, fields: { related: `accounts ${destinationId}` } })
  await writer().write('notes', [{ ...note, destinationId: half?.destinationId ?? null }])
  expect(twin.account.things.notes.size()).toBe(1)
  const [whole] = await writer().find('notes', [sought])
  expect(whole).toMatchObject({ fields: { related: `accounts ${destinationId}` } })
  expect(whole?.isUnfinished).toBeUndefined()
})

test('the text of a note is limited to 65,536 characters, which is declared before anything is written', async () => {
  const { notes, activities } = (await writer().describe()).entities
  expect([notes?.fields.body?.maxLength, activities?.fields.body?.maxLength]).toEqual([65_536, 65_536])
})

test('dates that cannot be set are declared as such, and kept in another field', async () => {
  const { entities, capabilities } = await writer().describe()
  const keeps = Object.fromEntries(Object.entries(entities).map(([name, one]) => [name, one.capabilities?.backdate]))
  expect(keeps).toMatchObject({ accounts: false, contacts: false, deals: false, notes: true, activities: true })
  expect(capabilities.backdate).toBe(false)
  const one = record({ name: 'Old' })
  await writer().write('accounts', [one])
  const [company] = twin.account.things.companies.list()
  expect(company?.properties).toMatchObject({
    wherry_key: keyOf(one.key),
    wherry_created_at: '2020-01-02T03:04:05.000Z',
  })
})

test('custom fields of every type get their own property, with the choices that they need', async () => {
  const owners = twin.account.owners.list().map(({ id }) => id)
  const customFields = {
    Größe: { label: 'Größe', type: 'decimal' as const, value: 38.5 },
    rank: { label: 'Rank', type: 'option' as const, value: 'Captain' },
    likes: { label: 'Likes', type: 'option' as const, value: ['Tea', 'Rum'] },
    is_vip: { label: 'VIP', type: 'boolean' as const, value: true },
    born: { label: 'Born', type: 'date' as const, value: '2001-02-03' },
    seen_at: { label: 'Seen', type: 'datetime' as const, value: '2026-02-03T04:05:06.000Z' },
    works_for: {
      label: 'Works for',
      type: 'relation' as const,
      value: { entity: 'accounts', key: 'k', destinationId: '77' },
    },
    crew: { label: 'Crew', type: 'user' as const, value: owners },
    // HubSpot uses this name for something else.
    email: { label: 'Second address', type: 'text' as const, value: 'b@example.com' },
  }
  const first = record({ name: 'Ada', emails: 'a@example.com' }, { customFields })
  const second = record({ name: 'Bo' }, { customFields: { rank: { label: 'Rank', type: 'option', value: 'Mate' } } })
  await writer().write('contacts', [first])
  const outcomes = await writer().write('contacts', [second])
  expect(outcomes).toMatchObject([{ result: 'written' }])
  const made = twin.account.properties.contacts.filter(({ hubspotDefined }) => !hubspotDefined)
  const rank = made.find(({ name }) => name === 'rank')
  expect(rank?.options.map(({ label }) => label)).toEqual(['Captain', 'Mate'])
  const [ada] = twin.account.things.contacts.list()
  expect(ada?.properties).toMatchObject({ email: 'a@example.com', email_field: 'b@example.com', likes: 'Tea;Rum' })
  expect(ada?.properties).toMatchObject({
    works_for: expect.stringMatching(/^https:\/\/.+\/record\/0-2\/77$/),
    crew: owners.join(';'),
  })
  const [found] = await writer().find('contacts', [{ key: first.key, destinationId: null, parent: null }])
  expect(found?.customFields).toEqual((await writer().asStored('contacts', first)).customFields)
  // A field that the source no longer has is emptied.
  await writer().write('contacts', [{ ...first, customFields: {}, destinationId: found?.destinationId ?? null }])
  expect(twin.account.things.contacts.list()[0]?.properties.likes).toBeNull()
})

test('an archived record is reported as deleted, and an existing record is not', async () => {
  const outcomes = await writer().write('contacts', people(2))
  const ids = outcomes.flatMap((one) => ('destinationId' in one ? [one.destinationId] : []))
  const [gone = ''] = ids
  await writer().remove('contacts', [{ key: 'k', destinationId: gone, version: null, parent: null }])
  expect(await reader().findGone?.('contacts', ids)).toEqual([gone])
  expect(await reader().findIds?.('contacts', ids)).toEqual(ids.slice(1))
})

test('a long list of properties is sent in the body of a request', async () => {
  for (let at = 0; at < 300; at += 1) {
    const [known] = twin.account.properties.contacts.filter(({ name }) => name === 'jobtitle')
    if (known)
      twin.account.properties.contacts.push({
        ...known,
        name: `a_long_name_of_a_property_${at}`,
        hubspotDefined: false,
      })
  }
  await writer().write('contacts', people(3))
  const read = await readAll((cursor) => reader().read('contacts', cursor, {}))
  expect(read).toHaveLength(3)
  expect(seenAt('/crm/v3/objects/contacts/batch/read')).toBeGreaterThan(0)
})

test('a stage with deals stays, and an existing pipeline with the same name is used', async () => {
  const [matched] = await writer().write('pipelines', [record({ name: twin.account.pipelines.deals[0]?.label })])
  expect(matched).toMatchObject({ result: 'matched', destinationId: twin.account.pipelines.deals[0]?.id })
  const [pipeline] = await writer().write('pipelines', [record({ name: 'Boats' })])
  const relation = {
    entity: 'pipelines',
    key: 'k',
    destinationId: (pipeline as { destinationId: string }).destinationId,
  }
  const [stage] = await writer().write('stages', [record({ name: 'Afloat', pipeline: relation, probability: 30 })])
  const stageId = (stage as { destinationId: string }).destinationId
  // HubSpot requires a stage from the beginning. It has become ours.
  expect(twin.account.pipelines.deals.at(-1)?.stages.map(({ label }) => label)).toEqual(['Afloat'])
  await writer().write('deals', [
    record({ name: 'Boat', stage: { entity: 'stages', key: 's', destinationId: stageId } }),
  ])
  twin.clock.advance(60_000)
  const removable = { key: 's', destinationId: stageId, version: null, parent: null }
  expect(await writer().remove('stages', [removable])).toMatchObject([{ result: 'kept' }])
})

test('limits are learned from answers, and searches have a separate limit', () => {
  const [burst, day, search] = hubspot.limits ?? []
  const url = (path: string) => ({ method: 'POST', url: new URL(path, 'https://api.hubapi.com') })
  const headers = {
    'x-hubspot-ratelimit-max': '190',
    'x-hubspot-ratelimit-remaining': '12',
    'x-hubspot-ratelimit-daily': '650000',
    'x-hubspot-ratelimit-daily-remaining': '3',
  }
  expect(burst?.learn?.({ status: 200, headers }, url('/'))).toEqual({ limit: 190, remaining: 12 })
  expect(day?.learn?.({ status: 200, headers }, url('/'))).toEqual({ limit: 650_000, remaining: 3 })
  expect(search?.cost?.(url('/crm/v3/objects/contacts/search'))).toBe(1)
  expect(search?.cost?.(url('/crm/v3/objects/contacts/batch/read'))).toBe(0)
})

test('a pipeline and its stage are found again after a kill before their outcomes are stored, though people renamed them', async () => {
  const sides = keepSides()
  const open = () => openHubspotWriter({ ...accountOf(), sides }, 'crm')
  const before = twin.account.pipelines.deals.length
  const boats = record({ name: 'Boats' })
  const [pipeline] = await open().write('pipelines', [boats])
  const pipelineId = (pipeline as { destinationId: string }).destinationId
  const relation = { entity: 'pipelines', key: boats.key, destinationId: pipelineId }
  const afloat = record({ name: 'Afloat', pipeline: relation, probability: 30 })
  const [stage] = await open().write('stages', [afloat])
  const stageId = (stage as { destinationId: string }).destinationId
  const made = twin.account.pipelines.deals.at(-1)
  if (!made?.stages[0]) throw new Error('nothing was made')
  made.label = 'Ships'
  made.stages[0].label = 'At sea'
  const sought = ({ key }: OutgoingRecord) => [{ key, destinationId: null, parent: null }]
  expect(await open().find('pipelines', sought(boats))).toMatchObject([{ destinationId: pipelineId }])
  expect(await open().find('stages', sought(afloat))).toMatchObject([{ destinationId: stageId }])
  expect(await open().write('pipelines', [boats])).toMatchObject([{ result: 'written', destinationId: pipelineId }])
  expect(await open().write('stages', [afloat])).toMatchObject([{ result: 'written', destinationId: stageId }])
  expect(twin.account.pipelines.deals).toHaveLength(before + 1)
  expect(made.stages).toHaveLength(1)
})

test('the plan says that companies are not looked for', async () => {
  for (const family of ['crm', 'helpdesk'] as const)
    expect((await writer(family).preflight?.())?.find(({ code }) => code === 'existing_records')).toMatchObject({
      ...{ isFine: false, isBlocking: false, message: expect.stringContaining('a second time') },
      fix: expect.stringContaining('Merge the duplicates'),
    })
})

test('a pipeline whose answer was lost is ours, and is not confused with one of the same name', async () => {
  const sides = keepSides()
  const open = () => openHubspotWriter({ ...accountOf(), sides }, 'crm')
  const boats = record({ name: 'Boats' })
  const stop = twin.faults.when(({ method }) => (method === 'POST' ? { kind: 'lost' } : null))
  await open()
    .write('pipelines', [boats])
    .catch(() => null)
  stop()
  const made = twin.account.pipelines.deals.at(-1)
  expect(await open().find('pipelines', [{ key: boats.key, destinationId: null, parent: null }])).toMatchObject([
    { destinationId: made?.id },
  ])
  expect(await open().write('pipelines', [boats])).toMatchObject([{ result: 'written', destinationId: made?.id }])
})
