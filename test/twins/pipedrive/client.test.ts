import { v1, v2 } from 'pipedrive'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClock, dayMs, minuteMs } from '../clock.ts'
import { oauthClient } from './settings.ts'
import { type PipedriveTwin, startPipedriveTwin } from './twin.ts'

// The vendor's own client works with the twin.

let twin: PipedriveTwin
let older: v1.Configuration
let newer: v2.Configuration
beforeEach(async () => {
  twin = await startPipedriveTwin({}, createClock({ startsAt: '2026-03-01T12:00:00Z', isRunning: false }))
  const { instanceUrl, token } = twin.access
  older = new v1.Configuration({ apiKey: token, basePath: `${instanceUrl}/v1` })
  newer = new v2.Configuration({ apiKey: token, basePath: `${instanceUrl}/api/v2` })
})
afterEach(() => twin.close())

test('it creates, reads, changes and deletes an organization', async () => {
  const api = new v2.OrganizationsApi(newer)
  const made = await api.addOrganization({
    AddOrganizationRequest: { name: 'Acme', add_time: '2019-01-02T03:04:05Z', address: { value: '1 Quay Street' } },
  })
  const id = Number(made.data?.id)
  expect(made).toMatchObject({ success: true, data: { name: 'Acme', add_time: '2019-01-02T03:04:05Z' } })
  await api.updateOrganization({ id, UpdateOrganizationRequest: { name: 'Acme Ltd', employee_count: 12 } })
  const read = await api.getOrganization({ id })
  expect(read.data).toMatchObject({
    name: 'Acme Ltd',
    employee_count: 12,
    address: { value: '1 Quay Street', route: null },
    is_deleted: false,
  })
  await api.deleteOrganization({ id })
  expect((await api.getOrganizations()).data).toEqual([])
  expect((await api.getOrganization({ id })).data?.is_deleted).toBe(true)
  twin.clock.advance(30 * dayMs)
  await expect(api.getOrganization({ id })).rejects.toMatchObject({ success: false })
})

test('it pages through persons with several addresses each', async () => {
  const api = new v2.PersonsApi(newer)
  for (let at = 0; at < 5; at += 1)
    await api.addPerson({
      AddPersonRequest: {
        name: `P ${at}`,
        emails: [{ value: `${at}@a.test` }, { value: `${at}@b.test`, primary: true }],
      },
    })
  const seen: unknown[] = []
  let cursor: string | undefined
  do {
    const page = await api.getPersons({
      limit: 2,
      sort_by: 'update_time',
      sort_direction: 'desc',
      ...(cursor && { cursor }),
    })
    seen.push(
      ...(page.data ?? []).map(({ name, emails }) => `${name} ${emails?.find(({ primary }) => primary)?.value}`),
    )
    cursor = page.additional_data?.next_cursor ?? undefined
  } while (cursor)
  expect(seen).toEqual([4, 3, 2, 1, 0].map((at) => `P ${at} ${at}@b.test`))
})

test('it creates a deal with custom fields, wins it, archives it and restores it', async () => {
  const fields = new v2.DealFieldsApi(newer)
  const money = await fields.addDealField({ AddDealFieldRequest: { field_name: 'Fee', field_type: 'monetary' } })
  const choice = await fields.addDealField({
    AddDealFieldRequest: { field_name: 'Size', field_type: 'set', options: [{ label: 'S' }, { label: 'M' }] },
  })
  const more = await fields.addDealFieldOptions({
    field_code: String(choice.data?.field_code),
    AddDealFieldOptionsRequestInner: [{ label: 'L' }],
  })
  const [fee, size] = [String(money.data?.field_code), String(choice.data?.field_code)]
  expect(fee).toMatch(/^[0-9a-f]{40}$/)
  const option = Number(more.data?.[0]?.id)
  const deals = new v2.DealsApi(newer)
  const made = await deals.addDeal({
    AddDealRequest: {
      title: 'Rakes',
      value: 5,
      currency: 'USD',
      status: 'won',
      won_time: '2020-02-03T04:05:06Z',
      custom_fields: { [fee]: { value: 1.5, currency: 'EUR' }, [size]: [option] },
    },
  })
  const id = Number(made.data?.id)
  expect(made.data).toMatchObject({
    status: 'won',
    won_time: '2020-02-03T04:05:06Z',
    close_time: '2020-02-03T04:05:06Z',
  })
  const read = await deals.getDeal({ id, include_option_labels: true })
  expect(read.data?.custom_fields).toEqual({
    [fee]: { value: 1.5, currency: 'EUR' },
    [size]: [{ id: option, label: 'L' }],
  })
  await deals.updateDeal({ id, UpdateDealRequest: { is_archived: true } })
  expect((await deals.getDeals({})).data).toEqual([])
  expect((await deals.getArchivedDeals({})).data).toMatchObject([{ id, is_archived: true }])
  await deals.updateDeal({ id, UpdateDealRequest: { is_archived: false } })
  await deals.deleteDeal({ id })
  expect((await deals.getDeals({ status: 'deleted' })).data).toMatchObject([{ id, is_deleted: true }])
  await deals.updateDeal({ id, UpdateDealRequest: { is_deleted: false } })
  expect((await deals.getDeals({})).data).toMatchObject([{ id, status: 'won' }])
})

test('it reads pipelines, stages, users, types and currencies', async () => {
  const pipelines = await new v2.PipelinesApi(newer).getPipelines({})
  const pipeline_id = Number(pipelines.data?.[0]?.id)
  const stages = new v2.StagesApi(newer)
  await stages.addStage({ AddStageRequest: { name: 'Last', pipeline_id, deal_probability: 90 } })
  const listed = await stages.getStages({ pipeline_id, sort_by: 'order_nr' })
  expect(listed.data?.at(-1)).toMatchObject({ name: 'Last', order_nr: 6 })
  const users = new v1.UsersApi(older)
  expect((await users.getCurrentUser()).data).toMatchObject({ name: 'Una', company_domain: 'rake-sandbox' })
  expect((await users.getUsers()).data?.map(({ name, active_flag }) => [name, active_flag])).toEqual([
    ['Una', true],
    ['Otto', true],
    ['Mia', true],
    ['Gone', false],
  ])
  expect((await new v1.ActivityTypesApi(older).getActivityTypes()).data?.[0]).toMatchObject({ key_string: 'call' })
  expect((await new v1.CurrenciesApi(older).getCurrencies({})).data?.map(({ code }) => code)).toContain('EUR')
})

test('it creates activities, notes and files of a deal', async () => {
  const deal = await new v2.DealsApi(newer).addDeal({ AddDealRequest: { title: 'D' } })
  const person = await new v2.PersonsApi(newer).addPerson({ AddPersonRequest: { name: 'P' } })
  const [deal_id, person_id] = [Number(deal.data?.id), Number(person.data?.id)]
  const activities = new v2.ActivitiesApi(newer)
  await activities.addActivity({
    AddActivityRequest: { subject: 'Ring', type: 'call', deal_id, due_time: '09:30', participants: [{ person_id }] },
  })
  const listed = await activities.getActivities({ person_id })
  expect(listed.data).toMatchObject([{ subject: 'Ring', due_time: '09:30:00', deal_id, done: false }])
  const notes = new v1.NotesApi(older)
  const note = await notes.addNote({
    AddNoteRequest: { content: '<p>A<!-- key --></p>', deal_id, add_time: '2018-01-02 03:04:05' },
  })
  expect(note.data).toMatchObject({ content: '<p>A</p>', add_time: '2018-01-02 03:04:05', deal: { title: 'D' } })
  const page = await notes.getNotes({ deal_id, start: 0, limit: 1, sort: 'id ASC' })
  expect(page.additional_data?.pagination).toMatchObject({ more_items_in_collection: false })
  await notes.deleteNote({ id: Number(note.data?.id) })
  expect((await notes.getNotes({ deal_id })).data).toBeNull()
  const files = new v1.FilesApi(older)
  const file = await files.addFile({ file: new File(['A plan'], 'plan.txt'), deal_id } as never)
  expect(file.data).toMatchObject({ name: 'plan.txt', file_size: 6, deal_id })
  expect((await files.getFiles({ limit: 10 })).data).toHaveLength(1)
  await files.deleteFile({ id: Number(file.data?.id) })
})

test('it finds indexed records by a field, and leads', async () => {
  const field = await new v2.PersonFieldsApi(newer).addPersonField({
    AddPersonFieldRequest: { field_name: 'Key', field_type: 'varchar' },
  })
  const code = String(field.data?.field_code)
  const person = await new v2.PersonsApi(newer).addPerson({
    AddPersonRequest: { name: 'P', custom_fields: { [code]: 'Abc' } },
  })
  const search = (term: string) =>
    new v2.ItemSearchApi(newer).searchItemByField({ term, entity_type: 'person', match: 'exact', field: code })
  expect((await search('Abc')).data).toEqual([])
  twin.clock.advance(minuteMs)
  expect((await search('Abc')).data).toEqual([{ id: person.data?.id, name: 'P' }])
  expect((await search('abc')).data).toEqual([])
  const leads = new v1.LeadsApi(older)
  const lead = await leads.addLead({ AddLeadRequest: { title: 'L', person_id: Number(person.data?.id) } })
  expect((await leads.getLeads({})).data).toMatchObject([{ id: lead.data?.id, title: 'L', source_name: 'API' }])
})

test('it signs in by OAuth, and gets the address of the company', async () => {
  const oauth = new v2.OAuth2Configuration({
    clientId: oauthClient.id,
    clientSecret: oauthClient.secret,
    redirectUri: oauthClient.redirectUri,
    host: twin.url,
  })
  const token = await oauth.authorize(twin.oauth.code())
  expect(token).toMatchObject({ token_type: 'Bearer', api_domain: twin.url, expires_in: 3_599 })
  const deals = new v2.DealsApi(
    new v2.Configuration({ accessToken: oauth.getAccessToken as never, basePath: `${twin.url}/api/v2` }),
  )
  expect((await deals.getDeals({})).success).toBe(true)
  twin.clock.advance(60 * minuteMs)
  await expect(deals.getDeals({})).rejects.toMatchObject({ errorCode: 401 })
  const renewed = await oauth.tokenRefresh()
  expect(renewed.access_token).not.toBe(token.access_token)
})
