import type { Twin } from '../../connectors/twin-contract.ts'
import { type Clock, createClock, dayMs, secondMs } from '../clock.ts'
import { startToolTwin } from '../tool-twin.ts'
import { idOf } from './account.ts'
import { filesOf } from './files.ts'
import { type FreshdeskRules, freshdeskRules } from './rules.ts'
import { seedDesk, seedStaff } from './seed.ts'
import { ageTickets } from './tickets.ts'

const key = 'abcdefghij1234567890'
const agentKey = 'klmnopqrst1234567890'
const keys = { [key]: 'admin@example.test', [agentKey]: 'anna@example.test' }

/** A Freshdesk account that has only its staff. */
export async function startFreshdeskTwin(options: Omit<FreshdeskRules, 'keys'> = {}, clock: Clock = createClock()) {
  const { rules, account } = freshdeskRules(clock, { ...options, keys })
  const twin = await startToolTwin(() => rules, clock)
  account.origin = twin.url
  account.sign = twin.files.sign
  const staff = seedStaff(account)
  const access = { instanceUrl: twin.url, token: key }
  return { ...twin, account, staff, access, agentAccess: { ...access, token: agentKey } }
}

export type FreshdeskTwin = Awaited<ReturnType<typeof startFreshdeskTwin>>

/** The same account with about 160 days of work, which end now. */
export async function startSeededTwin(options: Omit<FreshdeskRules, 'keys'> = {}) {
  const start = Date.now()
  const clock = createClock({ startsAt: new Date(start - 162 * dayMs).toISOString() })
  const twin = await startFreshdeskTwin(options, clock)
  const desk = seedDesk(twin.account, twin.staff)
  clock.advance(Date.now() - clock.now())
  ageTickets(twin.account)
  return { ...twin, desk }
}

const read: Record<string, readonly string[]> = {
  groups: ['name', 'description', 'agents'],
  organizations: ['name', 'domains', 'description', 'notes'],
  contacts: ['name', 'emails', 'phones', 'organization', 'language', 'timezone', 'notes', 'is_suspended'],
  tickets: [
    'number',
    'subject',
    'description',
    'type',
    'status',
    'priority',
    'channel',
    'requester',
    'assignee',
    'group',
    'organization',
    'collaborators',
    'followers',
    'tags',
    'due_at',
    'solved_at',
    'closed_at',
    'parent_ticket',
  ],
  comments: ['ticket', 'author_agent', 'author_contact', 'body', 'is_public', 'channel'],
  categories: ['name', 'description', 'parent_category'],
  articles: ['title', 'body', 'status', 'visibility', 'category', 'author', 'labels', 'locale', 'published_at', 'url'],
  attachments: ['parent', 'file_name', 'content_type', 'size', 'is_inline', 'is_private', 'uploaded_by'],
}

const taken: Record<string, readonly string[]> = {
  groups: ['name', 'description', 'agents'],
  organizations: ['name', 'domains', 'description', 'notes'],
  contacts: ['name', 'emails', 'phones', 'organization', 'language', 'notes'],
  tickets: [
    'subject',
    'type',
    'status',
    'priority',
    'requester',
    'assignee',
    'group',
    'tags',
    'description',
    'parent_ticket',
  ],
  comments: ['ticket', 'author_agent', 'author_contact', 'body', 'is_public'],
  categories: ['name', 'description', 'parent_category'],
  articles: ['title', 'body', 'status', 'visibility', 'category', 'author', 'labels'],
  attachments: ['parent', 'file_name', 'content_type', 'size', 'is_private', 'uploaded_by'],
}

export async function startTwin(): Promise<Twin> {
  // Searches have no lag here, so that the suites do not wait. Another test covers the lag.
  const { account, staff, access, desk, clock, ...twin } = await startSeededTwin({ searchLagMs: 0 })
  const { companies, contacts } = desk
  const related = (entity: string, id: string | number | undefined) => ({
    entity,
    key: `seed/${id}`,
    destinationId: String(id),
  })
  let domains = 0
  return {
    access,
    source: {
      family: 'helpdesk',
      entities: Object.keys(read),
      fields: read,
      missing: { organizations: '82999999999', contacts: '82999999999', tickets: '999999' },
      readsWhole: { articles: 'their folder decides who may read them, and they do not tell its change' },
    },
    destination: {
      family: 'helpdesk',
      fields: taken,
      indifferent: {
        'comments.author_contact': 'a comment has one author, and an agent comes first',
        'attachments.content_type': 'it goes with the bytes',
        'attachments.size': 'it goes with the bytes',
        'attachments.is_private': 'a file is as open as its text, or in a note for agents alone',
        'attachments.uploaded_by': 'a note that was made for a file names them',
      },
      users: [staff.admin, staff.anna, staff.ben].map(({ id }) => id),
      async editByHand(entity, destinationId) {
        const [id = ''] = /\d+$/.exec(destinationId) ?? []
        // Times are whole seconds, so a change within the second of the write is not visible.
        clock.advance(2 * secondMs)
        const updated_at = account.now()
        if (entity === 'groups') account.groups.change(id, { description: 'Mine now', updated_at })
        if (entity === 'organizations') account.companies.change(id, { note: 'Mine now', updated_at })
        if (entity === 'contacts') account.contacts.change(id, { description: 'Mine now', updated_at })
        if (entity === 'tickets') account.tickets.change(id, { subject: 'Mine now', updated_at })
        if (entity === 'comments') account.conversations.change(id, { body: '<p>Mine now</p>', updated_at })
        if (entity === 'categories') {
          const shelves = destinationId.startsWith('c') ? account.categories : account.folders
          shelves.change(id, { description: 'Mine now', updated_at })
        }
        if (entity === 'articles') account.articles.change(id, { title: 'Mine now', updated_at })
      },
      async countAll() {
        const { groups, companies: firms, conversations, categories, folders, articles } = account
        const people = account.contacts.list(({ isDeleted }) => !isDeleted)
        const tickets = account.tickets.list(({ deletedAt }) => deletedAt === null)
        const living = new Set(tickets.map(idOf))
        const said = conversations.list(({ ticket_id }) => living.has(ticket_id))
        const files = [...tickets, ...said, ...articles.list()].flatMap((one) => filesOf(account, one.attachments))
        const stores = [groups, firms, categories, folders, articles].reduce((sum, store) => sum + store.size(), 0)
        return stores + people.length + tickets.length + said.length + files.length
      },
      readFile: async (_entity, destinationId) =>
        account.attachments.get(/\d+$/.exec(destinationId)?.[0] ?? '')?.bytes ?? Buffer.from('none'),
      chooseValue(entity, field, seed) {
        // No two companies share a domain.
        if (entity === 'organizations' && field === 'domains')
          return [`one${++domains}.example.com`, `two${domains}.example.com`]
        if (entity === 'contacts' && field === 'language') return ['de', 'es'][seed % 2]
        if (entity === 'contacts' && field === 'timezone') return ['Berlin', 'Chennai'][seed % 2]
        if (entity === 'articles') {
          if (field === 'labels') return [`alpha ${seed}`, `beta ${seed}`]
          if (field === 'author') return [staff.anna, staff.ben][seed % 2]?.id
          // By default an article is a draft for agents, by the owner of the key, so these values change nothing.
          return { status: 'published', visibility: 'public' }[field]
        }
        if (entity !== 'tickets') return undefined
        // A ticket belongs to a company of its requester.
        if (field === 'requester') return related('contacts', contacts[0]?.id)
        if (field === 'organization') return related('organizations', companies[1 - (seed % 2)]?.id)
        if (field === 'tags') return [`alpha ${seed}`, `beta ${seed}`]
        // By default a ticket is open and of low priority, so these values change nothing.
        const status = ['pending', 'solved', 'closed'][seed % 3]
        if (field === 'status') return status
        if (field === 'priority') return ['normal', 'high', 'urgent'][seed % 3]
        // Solved tickets have no due time; the others are due in the future.
        if (field === 'due_at') return status === 'pending' ? '2099-09-09T09:09:09.000Z' : null
        return undefined
      },
    },
    expectNoViolations: () => twin.expectNoViolations(),
    close: () => twin.close(),
  }
}
