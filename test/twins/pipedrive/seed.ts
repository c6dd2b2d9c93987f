import { minuteMs } from '../clock.ts'
import type { Account, Body, Kind, Thing } from './account.ts'
import { type Field, optionsOf } from './catalog.ts'
import { makeField } from './fields.ts'
import { makeFile } from './files.ts'
import { makeLead } from './leads.ts'
import { makeNote } from './notes.ts'
import { makePipeline, makeStage } from './pipelines.ts'
import { makeThing } from './records.ts'
import { makeActivityType } from './settings.ts'

/** The standard set-up of every account: people, one pipeline, and types of activities. */
export function seedCompany(account: Account) {
  const hire = (name: string, isAdmin = false, isActive = true) => {
    const id = Number(account.nextId('users'))
    const user = { id, name, email: `${name.toLowerCase()}@example.test`, isActive, isAdmin }
    account.users.push(user)
    return user
  }
  const users = {
    una: hire('Una', account.settings.isAdmin),
    otto: hire('Otto'),
    mia: hire('Mia'),
    gone: hire('Gone', false, false),
  }
  account.me = users.una.id
  for (const name of ['Call', 'Meeting', 'Task', 'Deadline', 'Email', 'Lunch']) makeActivityType(account, name, false)
  const pipeline = makePipeline(account, { name: 'Pipeline' })
  for (const name of ['Qualified', 'Contact made', 'Demo scheduled', 'Proposal made', 'Negotiations started'])
    makeStage(account, { name, pipeline_id: Number(pipeline.id) })
  account.leadLabels.push(
    { id: 'f08b42a0-4e75-11ea-9643-03698ef1cfd6', name: 'Hot', color: 'red', at: '2020-02-13T15:31:44.000Z' },
    { id: 'f08b42a1-4e75-11ea-9643-03698ef1cfd6', name: 'Cold', color: 'blue', at: '2020-02-13T15:31:44.000Z' },
  )
  return users
}

export type Users = ReturnType<typeof seedCompany>

const types: [name: string, type: string, options?: string[]][] = [
  ['A text', 'varchar'],
  ['A long text', 'text'],
  ['A remembered text', 'varchar_auto'],
  ['A number', 'double'],
  ['Some money', 'monetary'],
  ['A choice', 'enum', ['Red', 'Blau 🔵', 'أحمر']],
  ['Some choices', 'set', ['One', 'Two', 'Three']],
  ['A day', 'date'],
  ['Some days', 'daterange'],
  ['A time', 'time'],
  ['Some hours', 'timerange'],
  ['A phone', 'phone'],
  ['An address', 'address'],
  ['A user', 'user'],
  ['An organization', 'org'],
  ['A person', 'people'],
]

/** A value of each type. */
function sampleOf({ type, options }: Field, ids: { user: number; org: number; person: number }): unknown {
  const [first, , third] = options ?? []
  const values: Record<string, unknown> = {
    varchar: 'Some text',
    text: `Two\nlines ${'and more '.repeat(100)}`,
    varchar_auto: 'Remembered',
    double: 2.5,
    monetary: { value: 12.34, currency: 'USD' },
    enum: first?.id,
    set: [first?.id, third?.id],
    date: '2024-02-29',
    daterange: { value: '2024-01-01', until: '2024-02-01' },
    time: { value: '09:00', timezone_name: 'Europe/London' },
    timerange: { value: '09:00:00', until: '11:30:00', timezone_name: 'Europe/London' },
    phone: '+44 1632 960001',
    address: { value: '1 Quay Street, Bristol, UK', route: 'Quay Street', street_number: '1', country: 'UK' },
    user: ids.user,
    org: ids.org,
    people: ids.person,
  }
  return values[type]
}

/** More organizations than a page of 500 has. */
const companyCount = 505

export function seedCrm(account: Account, { una, otto, mia, gone }: Users): void {
  const { clock, settings } = account
  const id = (thing: Thing | undefined) => Number(thing?.id)
  const make = (kind: Kind, given: Body): Thing => {
    clock.advance(minuteMs)
    return makeThing(account, kind, given)
  }
  const labels = (kind: Kind) => optionsOf(account, kind, 'label_ids').map((option) => option.id)
  const companies = Array.from({ length: companyCount }, (_, at) =>
    make('organizations', {
      name: ['Rake & Söhne', 'שלום בע״מ', '🌾 Farm'][at] ?? `Company ${at}`,
      owner_id: at % 2 ? otto.id : una.id,
      add_time: '2019-01-02T03:04:05Z',
      ...(at === 0 && {
        address: {
          value: '1 Quay Street, Bristol BS1 4DB, UK',
          street_number: '1',
          route: 'Quay Street',
          locality: 'Bristol',
          admin_area_level_1: 'Avon',
          postal_code: 'BS1 4DB',
          country: 'United Kingdom',
        },
        label_ids: labels('organizations').slice(0, 2),
        ...(settings.companyDetails && {
          website: 'https://rakes.example.com',
          industry: optionsOf(account, 'organizations', 'industry')[0]?.id,
          annual_revenue: 1_000_000,
          employee_count: 12,
        }),
      }),
      ...(at === 1 && { address: { value: 'Somewhere' } }),
    }),
  )
  const company = (at: number) => id(companies[at])
  account.relationships.put({
    id: account.nextId('relationships'),
    body: { type: 'parent', rel_owner_org_id: company(0), rel_linked_org_id: company(1), add_time: account.now() },
    custom: {},
    deletedAt: null,
  })
  const ada = make('persons', {
    name: 'Ada Augusta Byron',
    owner_id: otto.id,
    org_id: company(0),
    add_time: '2018-05-06T07:08:09Z',
    emails: [
      { value: 'ada@rakes.example.com', label: 'work' },
      { value: 'ada@home.example.com', label: 'home', primary: true },
      { value: 'ada+odd@example.com', label: 'other' },
    ],
    phones: [
      { value: '+441632960002', label: 'work', primary: true },
      { value: '07700 900001', label: 'mobile' },
    ],
    label_ids: labels('persons').slice(0, 1),
    ...(settings.campaigns && { marketing_status: 'unsubscribed' }),
    ...(settings.contactSync && {
      job_title: 'Head',
      birthday: '1990-02-28',
      notes: 'From the phone book',
      postal_address: { value: '2 Quay Street', locality: 'Bristol' },
      im: [{ value: 'ada', label: 'skype' }],
    }),
  })
  const bo = make('persons', { name: 'Bo' })
  const twice = ['Same Name', 'Same Name'].map((name) =>
    make('persons', { name, org_id: company(2), emails: [{ value: 'same@example.com' }] }),
  )
  make('persons', { name: 'עדה 🌾', emails: [], phones: [{ value: 'not a number' }] })
  const left = make('persons', { name: 'Deleted Person', org_id: company(3) })
  account.persons.change(left.id, { deletedAt: clock.now() })
  const customs: [Kind, Thing | undefined][] = [
    ['organizations', companies[0]],
    ['persons', ada],
  ]
  const renewals = makePipeline(account, { name: 'Renewals ♻️', is_deal_probability_enabled: true })
  const [asked, agreed] = [25, 75].map((deal_probability) =>
    makeStage(account, { name: `At ${deal_probability}`, pipeline_id: Number(renewals.id), deal_probability }),
  )
  const retired = makePipeline(account, { name: 'Retired' })
  account.pipelines.change(retired.id, { deletedAt: clock.now() })
  const rakes = make('deals', {
    title: 'Rakes <b>& more</b>',
    value: 1200.5,
    currency: 'EUR',
    person_id: id(ada),
    org_id: company(0),
    stage_id: id(asked),
    probability: 40,
    expected_close_date: '2026-12-24',
    owner_id: mia.id,
    label_ids: labels('deals').slice(1),
  })
  customs.push(['deals', rakes])
  for (const person of [bo, ...twice])
    account.participants.put({
      id: account.nextId('participants'),
      body: { deal_id: id(rakes), person_id: id(person), add_time: account.now() },
      custom: {},
      deletedAt: null,
    })
  make('deals', {
    title: 'Lost one',
    status: 'lost',
    lost_reason: 'Too dear',
    lost_time: '2021-03-04T05:06:07Z',
    value: 5,
    currency: 'USD',
    org_id: company(1),
  })
  make('deals', {
    title: 'Won one',
    status: 'won',
    won_time: '2022-03-04T05:06:07Z',
    value: 7,
    person_id: id(bo),
    stage_id: id(agreed),
  })
  const archived = make('deals', {
    title: 'Archived one',
    is_archived: true,
    org_id: company(2),
    value: 900,
    currency: 'JPY',
  })
  const deleted = make('deals', { title: 'Deleted one' })
  account.deals.change(deleted.id, { deletedAt: clock.now() })
  for (const [kind, thing] of customs) {
    const ids = { user: otto.id, org: company(2), person: id(bo) }
    const fields = types.map(([name, type, options]) => makeField(account, kind, name, type, options))
    const own = makeThing(account, kind, {
      [kind === 'deals' ? 'title' : 'name']: 'With custom values',
      custom_fields: Object.fromEntries(fields.map((field) => [field.code, sampleOf(field, ids)])),
    })
    if (thing) account[kind].change(thing.id, { custom: own.custom })
  }
  const video = makeActivityType(account, 'Video call')
  makeActivityType(account, 'Fax', true, false)
  const due = { due_date: '2024-05-06', due_time: '07:08', duration: '00:45' }
  const participants = [{ person_id: id(ada), primary: true }]
  const call = make('activities', {
    type: 'call',
    subject: 'Rang 📞',
    deal_id: id(rakes),
    participants: [...participants, { person_id: id(bo) }],
    org_id: company(0),
    owner_id: otto.id,
    note: '<p>About <b>rakes</b></p>',
    done: true,
    ...due,
  })
  make('activities', { type: 'meeting', subject: 'Met', org_id: company(0), ...due, location: { value: 'The quay' } })
  make('activities', { type: video.key, subject: 'Without a date', participants })
  make('activities', { type: 'task', subject: 'Whole day', deal_id: id(archived), due_date: '2030-01-02' })
  make('activities', { type: 'lunch', subject: 'Of nobody' })
  const inline = makeFile(account, 'bent.png', Buffer.from('not quite a picture'), { deal_id: id(rakes) }, 'image/png')
  const src = `${account.origin}/v1/files/${inline.id}/download`
  const added = { add_time: '2017-08-09 10:11:12' }
  makeNote(account, { content: '<p>Likes <b>rakes</b></p>', org_id: company(0), user_id: otto.id, ...added })
  makeNote(account, { content: `<p>Look: <img src="${src}" alt="bent"></p>`, deal_id: id(rakes), person_id: id(ada) })
  makeNote(account, { content: `מילים ${'long '.repeat(3000)}`, person_id: id(ada), pinned_to_person_flag: 1 })
  makeNote(account, { content: 'Of an archived deal', deal_id: id(archived), user_id: mia.id, ...added })
  makeFile(account, 'plan ä.txt', Buffer.from('A plan'), { org_id: company(0) }, 'text/plain')
  makeFile(account, 'of a person.bin', Buffer.from([0, 255, 10, 13]), { person_id: id(ada) })
  makeFile(account, 'of a call.txt', Buffer.from('Words'), { activity_id: id(call) }, 'text/plain')
  const [, money, , , amount] = account.fields.deals.filter((field) => field.isCustom)
  makeLead(account, {
    title: 'A lead',
    person_id: id(ada),
    value: { amount: 10, currency: 'EUR' },
    label_ids: [account.leadLabels[0]?.id],
    [money?.code ?? '']: 'Long words',
    [amount?.code ?? '']: 3,
    [`${amount?.code}_currency`]: 'EUR',
  })
  const old = makeLead(account, { title: 'An archived lead', organization_id: company(1) })
  account.leads.change(old.id, { body: { ...old.body, is_archived: true } })
  // People who have left still own records.
  const third = companies[4]
  if (third) account.organizations.change(third.id, { body: { ...third.body, owner_id: gone.id } })
}
