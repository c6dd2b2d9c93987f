import { Client } from '@hubspot/api-client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createClock, minuteMs } from '../clock.ts'
import { kinds } from './catalog.ts'
import { oauthClient } from './oauth.ts'
import { type HubspotTwin, startHubspotTwin } from './twin.ts'

// The twin's answers are valid for HubSpot's own client.

let twin: HubspotTwin
let client: Client
beforeAll(async () => {
  twin = await startHubspotTwin({}, createClock({ startsAt: '2026-03-01T12:00:00Z' }))
  client = new Client({ accessToken: twin.access.token, basePath: twin.url, numberOfApiCallRetries: 0 })
})
afterEach(() => twin.expectNoViolations())
afterAll(() => twin.close())

const property = (objectType: string, more: Record<string, unknown> = {}) =>
  client.crm.properties.coreApi.create(objectType, {
    name: 'wherry_key',
    label: 'Key',
    groupName: 'contactinformation',
    type: 'string',
    fieldType: 'text',
    hasUniqueValue: true,
    ...more,
  } as never)

test('it renews an expired token, and gets an error when the app was removed', async () => {
  const { access_token, refresh_token } = twin.oauth.install()
  const signedIn = new Client({ accessToken: access_token, basePath: twin.url, numberOfApiCallRetries: 0 })
  const look = () => signedIn.crm.companies.basicApi.getPage(1)
  await look()
  twin.clock.advance(30 * minuteMs)
  await expect(look()).rejects.toMatchObject({ code: 401, body: { category: 'EXPIRED_AUTHENTICATION' } })
  const renew = () =>
    signedIn.oauth.tokensApi.create(
      'refresh_token',
      undefined,
      undefined,
      oauthClient.id,
      oauthClient.secret,
      refresh_token,
    )
  const renewed = await renew()
  expect(renewed).toMatchObject({ refreshToken: refresh_token, expiresIn: 1800, tokenType: 'bearer' })
  signedIn.setAccessToken(renewed.accessToken)
  await look()
  twin.oauth.uninstall()
  await expect(renew()).rejects.toMatchObject({ code: 400, body: { status: 'BAD_REFRESH_TOKEN' } })
})

test('it creates, reads, changes and archives a record', async () => {
  const { basicApi } = client.crm.companies
  const made = await basicApi.create({ properties: { name: 'Acme', numberofemployees: '5' } })
  expect(made).toMatchObject({ properties: { name: 'Acme' }, createdAt: expect.any(Date), archived: false })
  const changed = await basicApi.update(made.id, { properties: { name: 'Acme Ltd' } })
  expect(changed.properties.name).toBe('Acme Ltd')
  const read = await basicApi.getById(made.id, ['name', 'numberofemployees', 'no_such_property'])
  expect(read.properties).toMatchObject({ name: 'Acme Ltd', numberofemployees: '5', hs_object_id: made.id })
  expect(read.properties).not.toHaveProperty('no_such_property')
  await basicApi.archive(made.id)
  await expect(basicApi.getById(made.id)).rejects.toMatchObject({ code: 404 })
})

test('it pages through all records, with their associations', async () => {
  const firm = await client.crm.companies.basicApi.create({ properties: { name: 'With people' } })
  const to = { to: { id: firm.id }, types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 279 }] }
  for (let at = 0; at < 5; at += 1)
    await client.crm.contacts.basicApi.create({ properties: { firstname: `P${at}` }, associations: [to] } as never)
  const all = await client.crm.contacts.getAll(2, undefined, ['firstname'], undefined, ['companies'])
  expect(all.map(({ properties }) => properties.firstname)).toEqual(['P0', 'P1', 'P2', 'P3', 'P4'])
  expect(all[0]?.associations?.companies?.results.map(({ id, type }) => `${id} ${type}`)).toEqual([
    `${firm.id} contact_to_company_unlabeled`,
    `${firm.id} contact_to_company`,
  ])
})

test('it upserts by a property that it created, and the answer says which records are new', async () => {
  await property('contacts')
  const { batchApi } = client.crm.contacts
  const input = (id: string, lastname: string) => ({ id, idProperty: 'wherry_key', properties: { lastname } })
  const first = await batchApi.upsert({ inputs: [input('k1', 'One')] })
  expect(first).toMatchObject({ status: 'COMPLETE', results: [{ _new: true, properties: { wherry_key: 'k1' } }] })
  const second = await batchApi.upsert({ inputs: [input('k1', 'Uno'), input('k2', 'Two')] })
  expect(second.results.map((one) => [one.properties.lastname, '_new' in one && one._new])).toEqual([
    ['Uno', false],
    ['Two', true],
  ])
  const read = await batchApi.read({
    inputs: [{ id: 'k2' }, { id: 'nobody' }],
    idProperty: 'wherry_key',
    properties: ['lastname'],
    propertiesWithHistory: [],
  })
  expect(read).toMatchObject({ results: [{ properties: { lastname: 'Two' } }], numErrors: 1 })
  await batchApi.archive({ inputs: second.results.map(({ id }) => ({ id })) })
  const gone = await batchApi.read({
    inputs: second.results.map(({ id }) => ({ id })),
    properties: [],
    propertiesWithHistory: [],
  })
  expect(gone.results).toEqual([])
})

test('it upserts records of every kind', async () => {
  const given: Record<string, Record<string, string>> = {
    companies: { name: 'C' },
    deals: { dealname: 'D', dealstage: 'closedwon' },
    tickets: { subject: 'T', hs_pipeline_stage: '1' },
    emails: { hs_timestamp: '2020-01-01T00:00:00Z', hs_email_direction: 'EMAIL' },
    communications: { hs_timestamp: '2020-01-01T00:00:00Z', hs_communication_channel_type: 'SMS' },
  }
  for (const kind of kinds.filter((one) => one !== 'contacts')) {
    const groupName = (await client.crm.properties.groupsApi.getAll(kind)).results[0]?.name
    await property(kind, { groupName })
    const properties = given[kind] ?? { hs_timestamp: '1577836800000' }
    const done = await client.crm.objects.batchApi.upsert(kind, {
      inputs: [{ id: 'k', idProperty: 'wherry_key', properties }],
    })
    expect(done.results, kind).toHaveLength(1)
  }
})

test('it searches the index', async () => {
  const made = await client.crm.deals.basicApi.create({ properties: { dealname: 'Needle', dealstage: 'closedwon' } })
  const search = () =>
    client.crm.deals.searchApi.doSearch({
      filterGroups: [{ filters: [{ propertyName: 'dealname', operator: 'EQ' as never, value: 'needle' }] }],
      sorts: ['hs_object_id'],
      properties: ['dealname'],
      limit: 100,
      after: '0',
    })
  expect(await search()).toMatchObject({ total: 0, results: [] })
  twin.clock.advance(minuteMs)
  expect(await search()).toMatchObject({ total: 1, results: [{ id: made.id, properties: { dealname: 'Needle' } }] })
})

describe('connections', () => {
  test('are created, read and removed in both directions', async () => {
    const firm = await client.crm.companies.basicApi.create({ properties: { name: 'A' } })
    const person = await client.crm.contacts.basicApi.create({ properties: { lastname: 'B' } })
    const { basicApi, batchApi } = client.crm.associations.v4
    await basicApi.createDefault('contacts', person.id, 'companies', firm.id)
    const page = await basicApi.getPage('companies', firm.id, 'contacts')
    expect(page.results).toMatchObject([{ toObjectId: person.id, associationTypes: [{ typeId: 280 }, { typeId: 2 }] }])
    const read = await batchApi.getPage('contacts', 'companies', { inputs: [{ id: person.id }] })
    expect(read.results).toMatchObject([{ _from: { id: person.id }, to: [{ toObjectId: firm.id }] }])
    await basicApi.archive('contacts', person.id, 'companies', firm.id)
    expect((await basicApi.getPage('companies', firm.id, 'contacts')).results).toEqual([])
    const types = [{ associationCategory: 'HUBSPOT_DEFINED' as never, associationTypeId: 14 }]
    const parent = await client.crm.companies.basicApi.create({ properties: { name: 'Parent' } })
    await batchApi.create('companies', 'companies', {
      inputs: [{ _from: { id: firm.id }, to: { id: parent.id }, types }],
    })
    const labels = (await basicApi.getPage('companies', parent.id, 'companies')).results[0]?.associationTypes
    expect(labels?.map(({ typeId }) => typeId)).toEqual([450, 13])
  })
})

test('it reads and creates pipelines and stages, and reads owners', async () => {
  const { pipelinesApi, pipelineStagesApi } = client.crm.pipelines
  const made = await pipelinesApi.create('deals', {
    label: 'Other',
    displayOrder: 3,
    stages: [{ label: 'Begun', displayOrder: 0, metadata: { probability: '0.1' } }],
  })
  const stage = await pipelineStagesApi.create('deals', made.id, {
    label: 'Done',
    displayOrder: 1,
    metadata: { probability: '1.0' },
  })
  expect((await pipelinesApi.getById('deals', made.id)).stages.map(({ id }) => id)).toContain(stage.id)
  expect((await pipelinesApi.getAll('tickets')).results).toMatchObject([{ id: '0' }])
  await pipelineStagesApi.archive('deals', made.id, stage.id)
  await pipelinesApi.archive('deals', made.id)
  const { results } = await client.crm.owners.ownersApi.getPage()
  expect(results).toMatchObject([{ email: 'una@example.test', archived: false }, { email: 'otto@example.test' }])
})

test('it uploads a file, and gets an address that opens it for a while', async () => {
  const file = await client.files.filesApi.upload(
    { data: Buffer.from('A plan'), name: 'plan.txt' } as never,
    undefined,
    '/wherry',
    'plan.txt',
    undefined,
    JSON.stringify({ access: 'PRIVATE' }),
  )
  expect(file).toMatchObject({ name: 'plan', extension: 'txt', size: 6, access: 'PRIVATE' })
  const signed = await client.files.filesApi.getSignedUrl(file.id)
  expect(await (await fetch(signed.url)).text()).toBe('A plan')
  await client.files.filesApi.archive(file.id)
  await expect(client.files.filesApi.getById(file.id)).rejects.toMatchObject({ code: 404 })
})
