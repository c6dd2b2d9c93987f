import type { Twin } from '../../connectors/twin-contract.ts'
import { type Clock, createClock, dayMs } from '../clock.ts'
import { startToolTwin } from '../tool-twin.ts'
import { createDocs } from './docs.ts'
import { type HelpScoutRules, helpScoutRules } from './rules.ts'
import { mergeConversation } from './save-conversation.ts'
import { isSeen, touch } from './save-thread.ts'
import { seedDesk, seedDocs, seedStaff } from './seed.ts'

export const app = {
  id: '26d567febd264ec8b7845a4adf0a1b2c',
  secret: '5e1f0c3bb9d84c7fa0d6c9e0f3b1a2d4',
  redirectUrl: 'http://127.0.0.1:9/back',
}
const docsKey = '60783dd23ef60783dd23ef60783dd23ef6078300'

type Options = Omit<HelpScoutRules, 'app'> & { docsPerTenMinutes?: number | null }

/** A Help Scout account that has only its staff and inboxes. Its Docs API has a separate address. */
export async function startHelpScoutTwin(
  { docsPerTenMinutes = null, ...options }: Options = {},
  clock: Clock = createClock(),
) {
  const { rules, account, auth } = helpScoutRules(clock, { ...options, app })
  const inbox = await startToolTwin(() => rules, clock)
  const staff = seedStaff(account)
  const docs = createDocs(clock, { key: docsKey, userId: Number(staff.olivia.id), perTenMinutes: docsPerTenMinutes })
  const docsTwin = await startToolTwin(() => docs.rules, clock)
  const more = { docs_api_key: docsKey, docs_url: docsTwin.url }
  return {
    ...inbox,
    account,
    staff,
    docs,
    docsTwin,
    /** Mails that the account would have sent. */
    mails: account.mails,
    access: { instanceUrl: inbox.url, username: app.id, token: app.secret, more },
    /** The result of OAuth: a token that is valid for two days. */
    bearerAccess: { instanceUrl: inbox.url, username: null, token: auth.issue(staff.olivia.id), more },
    revokeTokens: auth.revoke,
    merge: (fromId: string, intoId: string) => mergeConversation(account, fromId, intoId),
    expectNoViolations(): void {
      inbox.expectNoViolations()
      docsTwin.expectNoViolations()
    },
    async close(): Promise<void> {
      await Promise.all([inbox.kill(), docsTwin.kill()])
      await Promise.all([inbox.files.close(), docsTwin.files.close()])
      this.expectNoViolations()
    },
  }
}

export type HelpScoutTwin = Awaited<ReturnType<typeof startHelpScoutTwin>>

const desk = {
  organizations: ['name', 'domains', 'description', 'notes'],
  contacts: ['name', 'emails', 'phones', 'organization', 'notes'],
  tickets: ['subject', 'status', 'requester', 'assignee', 'tags'],
  comments: ['ticket', 'author_agent', 'author_contact', 'body', 'is_public'],
}
const written = {
  ...desk,
  tickets: [...desk.tickets, 'number', 'description', 'is_private', 'closed_at'],
  categories: ['name', 'parent_category'],
  articles: ['title', 'body', 'status', 'visibility', 'category', 'labels'],
  attachments: ['parent', 'file_name', 'content_type', 'size', 'is_inline', 'is_private', 'uploaded_by'],
}
/** Fields that can only be read: people create teams by hand, and Help Scout sets the times and numbers. */
const read = {
  ...desk,
  groups: ['name', 'agents'],
  tickets: [...desk.tickets, 'number', 'description', 'channel', 'group', 'is_private', 'closed_at'],
  comments: [...desk.comments, 'channel'],
  categories: ['name', 'slug', 'description', 'parent_category', 'position'],
  articles: ['title', 'slug', 'body', 'status', 'visibility', 'category', 'author', 'labels', 'url', 'published_at'],
  attachments: ['parent', 'file_name', 'content_type', 'size', 'is_inline', 'is_private'],
}

const keyless = 'organizations and customers have no place for a key of ours'
export const skips = {
  'the same records again double nothing': keyless,
  'a refused record leaves the others': keyless,
}

export async function startTwin(): Promise<Twin> {
  const clock = createClock({ startsAt: new Date(Date.now() - 10 * dayMs).toISOString() })
  // The index has no lag here; tests with their own clock cover the lag.
  const twin = await startHelpScoutTwin({ searchLagMs: 0 }, clock)
  const { account, staff, docs } = twin
  // The suite reads every file, so none may be malicious.
  seedDesk(account, staff, twin.files, { hasBadFile: false })
  seedDocs(docs)
  clock.advance(Math.max(0, Date.now() - clock.now()))
  const missing = '999999999'
  let domains = 0
  const idIn = (text: string) => /\d+$/.exec(text)?.[0] ?? ''
  return {
    access: twin.access,
    source: {
      family: 'helpdesk',
      entities: Object.keys(read),
      fields: read,
      missing: { organizations: missing, contacts: missing, tickets: missing },
    },
    destination: {
      family: 'helpdesk',
      fields: written,
      // A record without an author belongs to Olivia, who owns the key.
      users: [staff.anna, staff.ben].map(({ id }) => id),
      async editByHand(entity, destinationId) {
        const id = idIn(destinationId)
        const changedAt = clock.now()
        if (entity === 'categories') {
          docs.collections.change(destinationId.slice(1), { name: 'Mine now' })
          docs.categories.change(destinationId, { name: 'Mine now' })
        }
        if (entity === 'articles') docs.articles.change(destinationId, { text: 'Mine now' })
        if (entity === 'organizations') account.organizations.change(id, { note: 'Mine now', changedAt })
        if (entity === 'contacts') account.customers.change(id, { background: 'Mine now', changedAt })
        if (entity === 'tickets') touch(account, id, { subject: 'Mine now' })
        const holder = account.conversations.list(({ threads }) => threads.some((one) => String(one.id) === id))[0]
        const threads = holder?.threads.map((one) => (String(one.id) === id ? { ...one, body: 'Mine now' } : one))
        if (entity === 'comments' && holder && threads) touch(account, holder.id, { threads })
      },
      async countAll() {
        const talks = account.conversations.list()
        const threads = talks.flatMap((one) => one.threads.filter(isSeen))
        const files = threads.reduce((sum, { attachments }) => sum + attachments.length, 0)
        const records = account.organizations.size() + account.customers.size() + talks.length
        const texts = docs.articles.size() + docs.categories.size() + docs.collections.size()
        return records + threads.length + files + texts
      },
      readFile: async (_entity, destinationId) =>
        account.attachments.get(idIn(destinationId))?.bytes ?? Buffer.from('none'),
      indifferent: {
        'tickets.status': 'a conversation without one is active',
        'tickets.inbox': 'without one a conversation goes to the first inbox',
        'tickets.closed_at': 'it is written with new tickets only',
        ...Object.fromEntries(
          [...staff.support.fields, ...staff.sales.fields].map(({ id }) => [
            `tickets.${id}`,
            'it is a field of one inbox',
          ]),
        ),
        'comments.author_contact': 'a thread has one author',
        'attachments.content_type': 'it goes with the bytes',
        'attachments.size': 'it goes with the bytes',
        'attachments.is_inline': 'only a file of an article is sent another way',
        'attachments.is_private': 'a file is seen by whoever sees its thread',
        'attachments.uploaded_by': 'the thread that holds a file names its author',
      },
      chooseValue(entity, field, seed) {
        // A domain belongs to one organization.
        if (entity === 'organizations' && field === 'domains')
          return [`one${seed}-${++domains}.example.com`, `two${seed}-${domains}.example.com`]
        // Help Scout writes tags in lower case.
        if (entity === 'tickets' && field === 'tags') return [`alpha_${seed}`, `beta ${seed}`]
        // By default an article is a draft for agents, so these values change nothing.
        if (entity === 'articles') return { status: 'published', visibility: 'public' }[field]
        return undefined
      },
    },
    expectNoViolations: () => twin.expectNoViolations(),
    close: () => twin.close(),
  }
}
