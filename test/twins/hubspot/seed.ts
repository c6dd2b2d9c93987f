import { hourMs, minuteMs } from '../clock.ts'
import type { Account, Thing } from './account.ts'
import { groupOf, isActivity, type Kind, kinds } from './catalog.ts'
import { link } from './links.ts'
import { makeThing } from './objects.ts'

export function seedOwners({ owners, nextId }: Account) {
  const hire = (firstName: string, isArchived = false) =>
    owners.put({
      id: nextId(),
      email: `${firstName.toLowerCase()}@example.test`,
      firstName,
      lastName: 'Owner',
      isArchived,
    })
  return { una: hire('Una'), otto: hire('Otto'), gone: hire('Gone', true) }
}

const values: Record<string, [type: string, fieldType: string, value: string, options?: string[]]> = {
  a_text: ['string', 'text', 'Some text'],
  a_long_text: ['string', 'textarea', 'Two\nlines'],
  a_number: ['number', 'number', '2.5'],
  a_date: ['date', 'date', '2024-02-29'],
  a_moment: ['datetime', 'date', '2024-02-29T10:11:12.345Z'],
  a_choice: ['enumeration', 'select', 'red', ['red', 'blue']],
  some_choices: ['enumeration', 'checkbox', 'one;three', ['one', 'two', 'three']],
  a_yes: ['bool', 'booleancheckbox', 'true'],
}

function seedProperties({ properties, now }: Account): void {
  const times = { createdAt: now(), updatedAt: now() }
  const state = { hasUniqueValue: false, hubspotDefined: false, readOnly: false, description: 'Made here' }
  for (const kind of kinds.filter((one) => !isActivity(one))) {
    for (const [name, [type, fieldType, , options = []]] of Object.entries(values)) {
      const shown = options.map((value, displayOrder) => ({
        label: `Choice ${value}`,
        value,
        hidden: false,
        displayOrder,
        description: '',
      }))
      const place = { name, label: name.replaceAll('_', ' '), groupName: groupOf(kind) }
      properties[kind].push({ ...place, type, fieldType, options: shown, ...state, ...times })
    }
  }
}

const custom = Object.fromEntries(Object.entries(values).map(([name, [, , value]]) => [name, value]))

/** One value of every property type, and more companies than a page holds. */
export function seedCrm(account: Account, { una, otto, gone }: ReturnType<typeof seedOwners>): void {
  const { clock, pipelines, files, nextId, now } = account
  seedProperties(account)
  const make = (kind: Kind, properties: Record<string, string>, to: Thing[] = []): Thing => {
    clock.advance(minuteMs)
    const thing = makeThing(account, kind, { properties })
    for (const target of to) link(account, kind, thing.id, target.kind, target.id)
    return thing
  }
  const companies = Array.from({ length: 115 }, (_, at) =>
    make('companies', {
      name: `Company ${at}`,
      domain: `c${at}.example.com`,
      ...(at === 0 && {
        phone: '+441632960001',
        website: 'https://c0.example.com',
        address: '1 Quay Street',
        city: 'Bristol',
        state: 'Avon',
        zip: 'BS1 4DB',
        country: 'United Kingdom',
        description: 'Sells rakes',
        industry: 'FARMING',
        type: 'PARTNER',
        numberofemployees: '12',
        annualrevenue: '1000000',
        hubspot_owner_id: una.id,
        ...custom,
      }),
    }),
  )
  const company = (at: number) => companies[at] as Thing
  link(account, 'companies', company(1).id, 'companies', company(0).id, 14)
  const ada = make(
    'contacts',
    {
      email: 'ada@c0.example.com',
      firstname: 'Ada',
      lastname: 'Byron',
      phone: '+441632960002',
      mobilephone: '+447700900001',
      jobtitle: 'Head',
      address: '2 Quay Street',
      city: 'Bristol',
      zip: 'BS1 4DB',
      country: 'United Kingdom',
      website: 'https://ada.example.com',
      date_of_birth: '1990-02-28',
      hs_language: 'de',
      lifecyclestage: 'customer',
      hubspot_owner_id: otto.id,
      ...custom,
    },
    [company(0), company(1)],
  )
  const bo = make('contacts', { firstname: 'Bo' }, [company(2)])
  for (let at = 0; at < 5; at += 1) make('contacts', { email: `plain${at}@example.com`, lastname: `Plain ${at}` })
  const times = { createdAt: now(), updatedAt: now() }
  const stage = (id: string, label: string, probability: string, displayOrder: number) => ({
    id,
    label,
    displayOrder,
    metadata: { probability, isClosed: String(probability === '1.0') },
    ...times,
  })
  const renewal = { id: nextId(), label: 'Renewals', displayOrder: 1, ...times }
  pipelines.deals.push({
    ...renewal,
    stages: [stage('r_open', 'Asked', '0.5', 0), stage('r_won', 'Renewed', '1.0', 1)],
  })
  const deal = make(
    'deals',
    {
      dealname: 'Rakes',
      amount: '1200.50',
      deal_currency_code: 'EUR',
      pipeline: 'default',
      dealstage: 'qualifiedtobuy',
      closedate: '2026-12-24T00:00:00.000Z',
      createdate: '2019-01-02T03:04:05.678Z',
      description: 'Ten of them',
      dealtype: 'newbusiness',
      hubspot_owner_id: una.id,
      ...custom,
    },
    [company(0), ada, bo],
  )
  make('deals', { dealname: 'Lost', dealstage: 'closedlost', closed_lost_reason: 'Too dear', amount: '5' }, [
    company(1),
  ])
  make('deals', { dealname: 'Won', pipeline: renewal.id, dealstage: 'r_won', amount: '7' }, [company(1)])
  const file = (name: string, words: string) =>
    files.put({
      id: nextId(),
      name,
      extension: 'txt',
      folder: '/notes',
      access: 'PRIVATE',
      contentType: 'text/plain',
      bytes: Buffer.from(words),
      createdAt: now(),
    }).id
  const at = (hour: number) => new Date(Date.parse('2024-05-06T07:08:09.000Z') + hour * hourMs).toISOString()
  const ids = `${file('plan', 'A plan')};${file('äöü', 'Another')}`
  make(
    'notes',
    {
      hs_timestamp: at(0),
      hs_note_body: '<p>Likes <b>rakes</b></p>',
      hubspot_owner_id: otto.id,
      hs_attachment_ids: ids,
    },
    [company(0)],
  )
  make('notes', { hs_timestamp: at(1), hs_note_body: 'Of a deal, and of a contact' }, [deal, ada])
  const owner = { hubspot_owner_id: una.id }
  const call = {
    hs_call_title: 'Rang',
    hs_call_body: '<p>About rakes</p>',
    hs_call_duration: '60000',
    hs_call_status: 'COMPLETED',
  }
  make('calls', { hs_timestamp: at(2), ...call, hs_call_direction: 'OUTBOUND', ...owner }, [ada])
  const hours = { hs_meeting_start_time: at(3), hs_meeting_end_time: at(4), hs_meeting_outcome: 'COMPLETED' }
  make(
    'meetings',
    { hs_timestamp: at(3), hs_meeting_title: 'Met', hs_meeting_body: 'At the quay', ...hours, ...owner },
    [company(0)],
  )
  const task = {
    hs_task_subject: 'Ring back',
    hs_task_body: 'Soon',
    hs_task_status: 'NOT_STARTED',
    hs_task_type: 'CALL',
  }
  make('tasks', { hs_timestamp: at(5), ...task, hs_task_priority: 'HIGH', ...owner }, [deal])
  const mail = { hs_email_subject: 'Rakes', hs_email_html: '<p>Here is the price</p>', hs_email_status: 'SENT' }
  make('emails', { hs_timestamp: at(6), ...mail, hs_email_direction: 'EMAIL', ...owner }, [ada])
  const ticket = make(
    'tickets',
    {
      subject: 'A rake is bent',
      content: 'It was bent when it came',
      hs_pipeline: '0',
      hs_pipeline_stage: '2',
      hs_ticket_priority: 'HIGH',
      hs_ticket_category: 'PRODUCT_ISSUE',
      source_type: 'EMAIL',
      createdate: '2020-02-03T04:05:06.000Z',
      hubspot_owner_id: otto.id,
      ...custom,
    },
    [ada, company(0)],
  )
  // Files of a ticket belong to its notes and e-mails.
  const among = { hs_note_body: 'Among us: send another', hs_attachment_ids: file('bent', 'A picture') }
  make('notes', { hs_timestamp: at(7), ...among, hubspot_owner_id: otto.id }, [ticket])
  const incoming = { hs_email_subject: 'Bent', hs_email_text: 'Still bent', hs_email_direction: 'INCOMING_EMAIL' }
  make('emails', { hs_timestamp: at(8), ...incoming }, [ticket, ada])
  for (let index = 0; index < 4; index += 1)
    make('tickets', { subject: `Ticket ${index}`, hs_pipeline_stage: String(index + 1) }, [bo])
  // People who have left still own records.
  account.things.deals.change(deal.id, { properties: { ...deal.properties, hubspot_owner_id: una.id } })
  account.things.companies.change(company(2).id, {
    properties: { ...company(2).properties, hubspot_owner_id: gone.id },
  })
  clock.advance(hourMs)
}
