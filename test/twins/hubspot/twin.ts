import type { Family } from '../../../service/src/families/index.ts'
import type { Twin } from '../../connectors/twin-contract.ts'
import { type Clock, createClock, dayMs } from '../clock.ts'
import { startToolTwin } from '../tool-twin.ts'
import { changedName, kinds } from './catalog.ts'
import { type HubspotRules, hubspotRules } from './rules.ts'
import { seedCrm, seedOwners } from './seed.ts'

const token = 'pat-eu1-01234567-89ab-cdef-0123-456789abcdef'

/** A HubSpot account that has only its owners. */
export async function startHubspotTwin(options: Omit<HubspotRules, 'token'> = {}, clock: Clock = createClock()) {
  const { rules, account, oauth } = hubspotRules(clock, { ...options, token })
  const twin = await startToolTwin(() => rules, clock)
  return { ...twin, account, oauth, owners: seedOwners(account), access: { instanceUrl: twin.url, token } }
}

export type HubspotTwin = Awaited<ReturnType<typeof startHubspotTwin>>

/** The account can be read as sales and as a help desk. */
export const families: readonly Family[] = ['crm', 'helpdesk']

type Fields = Readonly<Record<string, readonly string[]>>

const fieldsOf: Partial<Record<Family, Fields>> = {
  crm: {
    pipelines: ['name', 'position'],
    stages: ['pipeline', 'name', 'position', 'probability', 'outcome'],
    accounts: [
      'name',
      'phones',
      'addresses',
      'websites',
      'description',
      'industry',
      'type',
      'employees',
      'annual_revenue',
      'parent_account',
      'owner',
    ],
    contacts: [
      'name',
      'first_name',
      'last_name',
      'emails',
      'phones',
      'addresses',
      'title',
      'accounts',
      'owner',
      'websites',
      'language',
    ],
    deals: [
      'name',
      'value',
      'pipeline',
      'stage',
      'account',
      'contacts',
      'description',
      'owner',
      'lost_reason',
      'status',
      'expected_close_on',
    ],
    activities: ['related', 'type', 'subject', 'body', 'status', 'owner', 'started_at', 'ended_at', 'due_at'],
    notes: ['related', 'body', 'author'],
    attachments: ['parent', 'file_name'],
  },
  helpdesk: {
    organizations: ['name', 'domains', 'description'],
    contacts: ['name', 'emails', 'phones', 'organization', 'language'],
    tickets: ['subject', 'description', 'status', 'priority', 'requester', 'assignee', 'organization'],
    comments: ['ticket', 'author_agent', 'author_contact', 'body', 'is_public'],
    attachments: ['parent', 'file_name', 'is_private'],
  },
}

/** The same fields, and more of some entities. */
const addTo = (fields: Fields, more: Fields): Fields => ({
  ...fields,
  ...Object.fromEntries(Object.entries(more).map(([name, some]) => [name, [...(fields[name] ?? []), ...some]])),
})

export async function startTwin(family: Family = 'crm'): Promise<Twin> {
  const clock = createClock({ startsAt: new Date(Date.now() - dayMs).toISOString() })
  const { account, owners, access, ...twin } = await startHubspotTwin({}, clock)
  seedCrm(account, owners)
  clock.advance(Math.max(0, Date.now() - clock.now()))
  const fields = fieldsOf[family] ?? {}
  const missing = '19999999999'
  const stores = Object.values(account.things)
  return {
    access,
    source: {
      family,
      entities: Object.keys(fields),
      fields: addTo(
        fields,
        family === 'helpdesk' ? { attachments: ['size'], tickets: ['number'] } : { attachments: ['size'] },
      ),
      missing:
        family === 'crm'
          ? { accounts: missing, contacts: missing, deals: missing }
          : { organizations: missing, contacts: missing, tickets: missing },
    },
    destination: {
      family,
      fields: family === 'crm' ? addTo(fields, { deals: ['closed_at'], attachments: ['is_private'] }) : fields,
      users: [owners.una.id, owners.otto.id],
      async editByHand(_entity, destinationId) {
        const [id = ''] = /\d+$/.exec(destinationId) ?? []
        const kind = kinds.find((one) => account.things[one].get(id))
        if (!kind) return
        const words = {
          contacts: 'jobtitle',
          companies: 'description',
          deals: 'description',
          tickets: 'content',
          notes: 'hs_note_body',
          calls: 'hs_call_body',
          emails: 'hs_email_html',
          meetings: 'hs_meeting_body',
          tasks: 'hs_task_body',
          communications: 'hs_communication_body',
          postal_mail: 'hs_postal_mail_body',
        }
        const known = account.things[kind].get(id)
        const changed = { [words[kind]]: 'Mine now', [changedName(kind)]: account.now() }
        account.things[kind].change(id, { properties: { ...known?.properties, ...changed }, updatedAt: account.now() })
      },
      async countAll() {
        const records = stores.reduce((sum, store) => sum + store.size(), account.files.size())
        const all = [...account.pipelines.deals, ...account.pipelines.tickets]
        return records + all.reduce((sum, { stages }) => sum + 1 + stages.length, 0)
      },
      readFile: async (_entity, destinationId) =>
        (destinationId.match(/\d+/g) ?? []).flatMap((id) => account.files.get(id)?.bytes ?? []).at(-1) ??
        Buffer.from('none'),
      // A company needs a name or a domain.
      spoil: (_entity, record) => ({ ...record, fields: { ...record.fields, name: '', domains: '' } }),
      indifferent: {
        'attachments.is_private': 'Nobody outside sees a file.',
        'activities.type': 'An activity without one is a task.',
        'activities.due_at': 'A task without one is due when it was made.',
        'activities.started_at': 'An activity without one stands in the timeline when it was made.',
        'contacts.name': 'A contact has a first and a last name; the whole one is split where these are missing.',
        'deals.pipeline': 'A deal is in the pipeline of its stage.',
        'deals.status': 'It follows from the stage.',
        'stages.outcome': 'A stage without an outcome is an open one.',
        'stages.probability': 'A stage that is won or lost has 100 or 0.',
        'tickets.status': 'A ticket without one is in the first stage.',
      },
      chooseValue(entity, field, seed) {
        // Choices and currencies must exist in the account.
        if (field === 'industry') return ['FARMING', 'BANKING'][seed % 2]
        if (entity === 'accounts' && field === 'type') return ['PARTNER', 'VENDOR'][seed % 2]
        if (field === 'annual_revenue') return { amount: String(100 + seed), currency: 'EUR' }
        if (field === 'value') return { amount: `${100 + seed}.5`, currency: ['EUR', 'USD'][seed % 2] }
        if (field === 'language') return ['de', 'fr'][seed % 2]
        if (field === 'domains') return [`d${seed}.example.com`]
        return undefined
      },
    },
    expectNoViolations: () => twin.expectNoViolations(),
    close: () => twin.close(),
  }
}
