import type { Twin } from '../../connectors/twin-contract.ts'
import { type Clock, createClock, dayMs } from '../clock.ts'
import { startToolTwin } from '../tool-twin.ts'
import { idOf } from './account.ts'
import { commentsOf } from './comments.ts'
import { type ZendeskRules, zendeskRules } from './rules.ts'
import { seedDesk, seedGuide, seedStaff } from './seed.ts'

const token = 'Zd0123456789abcdefghijABCDEFGHIJ01234567'
const agentToken = 'Ag0123456789abcdefghijABCDEFGHIJ01234567'
const tokens = { [token]: 'admin@example.test', [agentToken]: 'anna@example.test' }

/** A Zendesk account that has only its staff. */
export async function startZendeskTwin(options: Omit<ZendeskRules, 'tokens'> = {}, clock: Clock = createClock()) {
  const { rules, account, guide } = zendeskRules(clock, { ...options, tokens })
  const twin = await startToolTwin(() => rules, clock)
  account.origin = twin.url
  const staff = seedStaff(account)
  const access = { instanceUrl: twin.url, username: 'admin@example.test', token }
  return {
    ...twin,
    account,
    guide,
    staff,
    access,
    agentAccess: { ...access, username: 'anna@example.test', token: agentToken },
  }
}

export type ZendeskTwin = Awaited<ReturnType<typeof startZendeskTwin>>

const fieldsOf: Record<string, readonly string[]> = {
  groups: ['name', 'description', 'agents'],
  organizations: ['name', 'domains', 'description', 'notes'],
  contacts: ['name', 'emails', 'phones', 'organization', 'language', 'timezone', 'notes', 'is_suspended'],
  tickets: [
    'subject',
    'type',
    'status',
    'priority',
    'requester',
    'assignee',
    'group',
    'organization',
    'collaborators',
    'followers',
    'tags',
    'due_at',
    'description',
    'is_private',
    'solved_at',
  ],
  comments: ['ticket', 'author_agent', 'author_contact', 'body', 'is_public'],
  categories: ['name', 'description', 'parent_category', 'position'],
  articles: ['title', 'body', 'status', 'visibility', 'category', 'author', 'locale', 'labels', 'position'],
  attachments: ['parent', 'file_name', 'content_type', 'size', 'is_private', 'uploaded_by'],
}

/**
 * A twin with two days of work, years ago: the suites write times up to 2037, and Zendesk refuses times in the future.
 */
export async function startTwin(): Promise<Twin> {
  const clock = createClock({ startsAt: new Date(Date.now() - 3 * dayMs).toISOString() })
  const { account, guide, staff, access, ...twin } = await startZendeskTwin({ isAging: false }, clock)
  const { contacts, organizations } = seedDesk(account, staff)
  seedGuide(account, guide, staff)
  clock.advance(Date.parse('2037-06-01') - clock.now())
  const missing = '399999999999'
  const related = (entity: string, id: string | number | undefined) => ({
    entity,
    key: `seed/${id}`,
    destinationId: String(id),
  })
  return {
    access,
    source: {
      family: 'helpdesk',
      entities: Object.keys(fieldsOf),
      fields: {
        ...fieldsOf,
        tickets: [...(fieldsOf.tickets ?? []), 'number', 'channel', 'parent_ticket'],
        comments: [...(fieldsOf.comments ?? []), 'channel'],
        articles: [...(fieldsOf.articles ?? []), 'published_at', 'url'],
        attachments: [...(fieldsOf.attachments ?? []), 'is_inline'],
      },
      missing: { organizations: missing, contacts: missing, tickets: missing },
    },
    destination: {
      family: 'helpdesk',
      fields: fieldsOf,
      indifferent: {
        'tickets.group': 'without one a ticket gets that of its agent, which is the same here',
        'tickets.organization': 'it is filled in from the requester',
        'tickets.solved_at': 'it is taken with new tickets only; a change has the time of Zendesk',
        'comments.author_contact': 'a comment has one author, and an agent comes first',
        'articles.status': 'without one it is a draft',
        'articles.visibility': 'without one it is for the staff',
        'articles.author': 'without one it is by the user who imports',
        'attachments.content_type': 'it goes with the bytes',
        'attachments.size': 'it goes with the bytes',
        'attachments.is_private': 'files are written for agents alone',
        'attachments.uploaded_by': 'the note that holds a file names them',
      },
      users: [staff.admin, staff.anna, staff.ben].map(({ id }) => id),
      async editByHand(entity, destinationId) {
        const [id = ''] = /\d+$/.exec(destinationId) ?? []
        const at = { updated_at: account.now(), changedAt: clock.now() }
        if (entity === 'groups') account.groups.change(id, { description: 'Mine now', ...at })
        if (entity === 'organizations') account.organizations.change(id, { notes: 'Mine now', ...at })
        if (entity === 'contacts') account.users.change(id, { notes: 'Mine now', ...at })
        if (entity === 'tickets') account.tickets.change(id, { subject: 'Mine now', generatedAt: clock.now(), ...at })
        const piece = guide.pieces.get(id)
        if (piece) guide.translate(piece, piece.source_locale, { body: 'Mine now' })
      },
      async countAll() {
        const { users, organizations: firms, groups, tickets, attachments } = account
        const comments = tickets.list().flatMap((ticket) => commentsOf(account, idOf(ticket)))
        const ofArticles = attachments.list(({ article_id }) => article_id !== undefined).length
        const files = comments.reduce((sum, comment) => sum + comment.attachments.length, ofArticles)
        const desk = users.size() + firms.size() + groups.size() + tickets.size() + comments.length
        return desk + files + guide.pieces.size()
      },
      readFile: async (_entity, destinationId) =>
        account.attachments.get(/\d+$/.exec(destinationId)?.[0] ?? '')?.bytes ?? Buffer.from('none'),
      chooseValue(entity, field, seed) {
        if (entity === 'organizations' && field === 'domains')
          return [`one${seed}.example.com`, `two${seed}.example.com`]
        // Languages and zones must exist in the account.
        if (entity === 'contacts' && field === 'language') return ['de', 'fr'][seed % 2]
        if (entity === 'contacts' && field === 'timezone') return ['Etc/UTC', 'Europe/Berlin'][seed % 2]
        if (entity === 'articles' && field === 'locale') return ['de', 'fr'][seed % 2]
        if (entity !== 'tickets') return undefined
        // An agent must be a member of the group, and a requester of the organization.
        if (field === 'group') return related('groups', staff.support.id)
        if (field === 'requester') return related('contacts', contacts[0]?.id)
        if (field === 'organization') return related('organizations', organizations[0]?.id)
        if (field === 'tags') return [`alpha_${seed}`, `beta_${seed}`]
        // A closed ticket cannot be changed, a new one has no assignee, and only tasks have due times.
        const status = ['open', 'pending', 'solved', 'on_hold'][seed % 4]
        if (field === 'status') return status
        if (field === 'solved_at') return status === 'solved' ? '2019-09-09T09:09:09.000Z' : null
        if (field === 'type') return ['question', 'task', 'task'][seed % 3]
        if (field === 'due_at') return seed % 3 === 0 ? null : undefined
        return field === 'channel' ? ['email', 'web', 'api'][seed % 3] : undefined
      },
    },
    expectNoViolations: () => twin.expectNoViolations(),
    close: () => twin.close(),
  }
}
