import type { Twin } from '../../connectors/twin-contract.ts'
import { type Clock, createClock, dayMs } from '../clock.ts'
import { startToolTwin } from '../tool-twin.ts'
import { type IntercomRules, intercomRules } from './rules.ts'
import { seedDesk, seedStaff } from './seed.ts'

const token = 'dG9rOjAxMjM0NTY3X2FiY2RfZWZnaF8wMTIzXzQ1Njc4OWFiY2RlZjoxOjA='

/** An Intercom workspace that has only its staff. */
export async function startIntercomTwin(options: Omit<IntercomRules, 'token'> = {}, clock: Clock = createClock()) {
  const { rules, account } = intercomRules(clock, { ...options, token })
  const twin = await startToolTwin(() => rules, clock)
  account.host = twin.files
  return {
    ...twin,
    account,
    staff: seedStaff(account),
    access: { instanceUrl: twin.url, token },
    /** Mails that Intercom would have sent. */
    notifications: account.notifications,
    /** Makes the next steps of a scroll end with a 500. */
    breakScroll(times = 1) {
      account.brokenScrolls = times
    },
  }
}

export type IntercomTwin = Awaited<ReturnType<typeof startIntercomTwin>>

const fieldsOf: Record<string, readonly string[]> = {
  groups: ['name', 'agents'],
  organizations: ['name', 'domains', 'notes'],
  contacts: ['name', 'emails', 'phones', 'organization', 'language', 'notes'],
  tickets: [
    'number',
    'subject',
    'description',
    'status',
    'channel',
    'requester',
    'assignee',
    'group',
    'organization',
    'tags',
    'is_private',
    'collaborators',
    'priority',
  ],
  comments: ['ticket', 'author_agent', 'author_contact', 'body', 'is_public'],
  categories: ['name', 'description', 'parent_category', 'position'],
  articles: ['title', 'body', 'status', 'visibility', 'category', 'author', 'url', 'locale'],
  attachments: ['parent', 'file_name', 'content_type', 'size', 'is_inline', 'is_private', 'uploaded_by'],
}

const takenOf: Record<string, readonly string[]> = {
  groups: ['name'],
  organizations: ['name', 'domains'],
  contacts: ['name', 'emails', 'phones', 'organization'],
  tickets: [
    'subject',
    'description',
    'status',
    'priority',
    'type',
    'requester',
    'assignee',
    'group',
    'organization',
    'tags',
    'is_private',
  ],
  comments: ['ticket', 'author_agent', 'author_contact', 'body', 'is_public'],
  categories: ['name', 'description', 'parent_category'],
  articles: ['title', 'body', 'status', 'visibility', 'category', 'author'],
  attachments: ['parent', 'file_name', 'content_type', 'size', 'is_private', 'uploaded_by'],
}

/**
 * A twin with some days of work, years ago: the suites write times up to 2037, and the tool refuses times in the
 * future.
 */
export async function startTwin(limits: { perTenSeconds?: number } = {}): Promise<Twin> {
  const clock = createClock({ startsAt: new Date(Date.now() - 9 * dayMs).toISOString() })
  const { account, staff, access, ...twin } = await startIntercomTwin({ lagMs: 500, scrollSize: 5, ...limits }, clock)
  const { contacts } = seedDesk(account, staff)
  clock.advance(Date.parse('2037-06-01') - clock.now())
  const teamNames = Array.from({ length: 40 }, (_none, index) => `Team ${index}`)
  for (const [index, name] of teamNames.entries()) account.teams.put({ id: String(882001 + index), name, adminIds: [] })
  const missing = 'f'.repeat(24)
  const ids = (text: string) => (text.match(/[0-9a-f]{24}|\d+/g) ?? []) as string[]
  return {
    access,
    source: {
      family: 'helpdesk',
      entities: Object.keys(fieldsOf),
      fields: fieldsOf,
      missing: { organizations: missing, contacts: missing },
    },
    destination: {
      family: 'helpdesk',
      fields: takenOf,
      indifferent: {
        'tickets.status': 'a ticket is new unless something else is said',
        'tickets.tags': 'a ticket does not tell its tags',
        'tickets.organization': 'a ticket does not tell its company',
        'articles.status': 'an article is a draft unless something else is said',
        'articles.visibility': 'a draft for teammates becomes an ordinary draft',
        'articles.category': 'articles for teammates stand in no collection',
        'comments.author_contact': 'a comment has one author, and an agent comes first',
        'attachments.content_type': 'it goes with the bytes',
        'attachments.size': 'it goes with the bytes',
        'attachments.is_private': 'files are written for agents alone',
        'attachments.uploaded_by': 'the note that holds a file names them',
      },
      // Una, who owns the token, is left out.
      users: [staff.otto.id, staff.ines.id],
      async editByHand(entity, destinationId) {
        clock.advance(2000)
        const at = { updatedAt: account.now() }
        for (const id of ids(destinationId)) {
          if (entity === 'organizations') account.companies.change(id, { industry: 'Mine now', ...at })
          if (entity === 'contacts') account.contacts.change(id, { phone: '+353870000000', ...at })
          const ticket = entity === 'tickets' ? account.tickets.get(id) : undefined
          if (ticket)
            account.tickets.change(id, { attributes: { ...ticket.attributes, _default_title_: 'Mine now' }, ...at })
          if (entity === 'categories') account.collections.change(id, { description: 'Mine now', ...at })
          if (entity === 'articles') account.articles.change(id, { body: '<p>Mine now</p>', ...at })
          if (entity === 'articles') account.internalArticles.change(id, { body: '<p>Mine now</p>', ...at })
        }
      },
      async countAll() {
        const { companies, contacts: people, conversations, tickets, articles, internalArticles, collections } = account
        const stores = [companies, people, conversations, tickets, articles, internalArticles, collections]
        // Intercom creates some parts of a ticket itself. Parts that people wrote or sent have text or files.
        const wrote = [...conversations.list(), ...tickets.list()].flatMap(({ id }) => account.partsOf(id))
        const written = wrote.filter(({ body, fileIds }) => body !== null || fileIds.length > 0)
        return stores.reduce((sum, store) => sum + store.size(), written.length)
      },
      readFile: async (_entity, destinationId) => {
        const known = new Set(ids(destinationId))
        const parts = account.tickets.list().flatMap(({ id }) => account.partsOf(id))
        const fileIds = parts.filter(({ id }) => known.has(id)).flatMap((part) => part.fileIds)
        return fileIds.map((id) => account.files.get(id)?.bytes).at(-1) ?? Buffer.from('none')
      },
      chooseValue(entity, field, seed) {
        // Intercom has only one field for a company's website.
        if (field === 'domains') return [`one${seed}.example.com`]
        if (entity === 'tickets' && field === 'requester')
          return { entity: 'contacts', key: 'seed/contact', destinationId: contacts[0]?.id ?? '' }
        // People create teams by hand in Intercom, so only existing teams can be used.
        if (entity === 'groups' && field === 'name') return teamNames[seed % teamNames.length]
        return undefined
      },
    },
    expectNoViolations: () => twin.expectNoViolations(),
    close: () => twin.close(),
  }
}
