import { FileMissingError, ObstacleError } from '../../../errors.ts'
import type { Account, Reader } from '../../contract/contract.ts'
import { countEach } from '../../kit/count-each.ts'
import { findMissing, goneAmong } from '../../kit/find-ids.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { inTurn, underParents } from '../../kit/nested-pages.ts'
import { once, onceEach } from '../../kit/once.ts'
import { readAll, type Walk } from '../../kit/pages.ts'
import { type List, listed, readLists } from '../../kit/read-lists.ts'
import { idsIn } from '../../kit/records-in.ts'
import { fixed, onlyIds, onlySince, through } from '../../kit/shape-walks.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { toUser } from '../../kit/to-user.ts'
import { listTicketParts } from '../ticket-parts.ts'
import { createApi, type FreshdeskApi, label, largestPage, requestsAtOnce } from './api.ts'
import { openCounts } from './counts.ts'
import * as desk from './entities.ts'
import { followFreshdesk } from './follow-address.ts'
import type { Facts } from './lenses.ts'
import { archivedNumbers, conversationsOf, inBoth, listTickets, viewArchived, viewTicket } from './list-tickets.ts'
import {
  agentAsContact,
  type FieldEntity,
  findPeople,
  openOwners,
  readFacts,
  withAddresses,
  withFiles,
  withValues,
} from './look-around.ts'
import { openRecentFiles } from './recent-files.ts'
import { articleList, categoryList, readFolders, viewArticle } from './solutions.ts'

/**
 * Our ids contain the way to a record: `c7` is a category, `12-34` comment 34 of ticket 12, `12-34-56` a file of that
 * comment, and `a7-8` file 8 of article 7.
 */
const isId = (id: string) => /^[ac]?[1-9]\d{0,14}(-i?[0-9a-f]{1,20}){0,2}$/.test(id)

/**
 * The filter of contacts has an underscore, and companies have none. Asks from one second earlier, because the
 * documentation does not say whether the filter includes its moment. Older records are filtered later.
 */
const asked = (since: string | undefined) =>
  since === undefined ? {} : { _updated_since: `${new Date(Date.parse(since) - 1000).toISOString().slice(0, 19)}Z` }
/** Freshdesk writes `name <address>`, or only the address. */
const addressesOf = (list: unknown): string[] =>
  (Array.isArray(list) ? list : []).map((one) =>
    (/<([^<>]+)>\s*$/.exec(String(one))?.[1] ?? String(one)).trim().toLowerCase(),
  )
/** Addresses of the second list that the first one lacks. A value of another form is left to the lens. */
const addedTo = (first: unknown, second: unknown) => {
  const known = new Set(addressesOf(first))
  return Array.isArray(second) ? second.filter((one) => !known.has(addressesOf([one])[0] ?? '')) : second
}
const mailboxOf = ({ email_config_id: id, support_email: address }: RawRecord, names: Facts['mailboxes']) =>
  typeof id === 'number' ? (names.get(id) ?? String(id)) : (address ?? null)
const filesIn = (page: RawRecord[]) => page.flatMap(({ files }) => files as RawRecord[])

/** An address that expired early is answered with 403 or 404. The file may still be there. */
function ignoreExpired(error: unknown): null {
  const isRefused = error instanceof ObstacleError && error.code === 'authorization_lost'
  if (isRefused || error instanceof FileMissingError) return null
  throw error
}

/** Records per page. Most records need a separate request, and a trial account allows only 50 requests per minute. */
const cheapPage = 25
/** Tickets per page: each needs two requests, one for its text and one for its followers. */
const cheapTickets = 15

/** `mostPages` is the page after which ticket lists end. */
export function openFreshdesk(account: Account, pageSize = cheapPage, mostPages = 300): Reader {
  const api = createApi(account)
  const facts = once(() => readFacts(api))
  const folders = once(() => readFolders(api))
  const idsOfState = (state: string) =>
    once(async () => new Set((await api.all('/contacts', { state })).map(({ id }) => Number(id))))
  const blocked = idsOfState('blocked')
  /** Ids of deleted contacts. Their tickets still exist. */
  const deleted = idsOfState('deleted')
  const isGone = onceEach(async (id: number) => (await api.view('/contacts', id)) === null)
  const recent = openRecentFiles()
  const known = new Map<string, number | null>()
  const copied = async (page: readonly (RawRecord | null)[]) => {
    const { agentOf } = await facts()
    const all = new Set(page.flatMap((raw) => addressesOf(raw?.cc_emails)))
    const unknown = [...all].filter((email) => !known.has(email) && !agentOf.has(email))
    const people = await findPeople(api, unknown)
    for (const email of all) if (!known.has(email)) known.set(email, agentOf.get(email) ?? people.get(email) ?? null)
    return (raw: RawRecord) => [...new Set(addressesOf(raw.cc_emails).flatMap((email) => known.get(email) ?? []))]
  }
  const valued = (entity: FieldEntity, walk: Walk<RawRecord>) =>
    through(walk, async (page) => {
      const known = await facts()
      return page.map((raw) => withValues(raw, known, entity))
    })
  /** Requests a record by id if the list omits one of these fields. */
  const whole = (path: string, fields: readonly string[], page: RawRecord[]) =>
    sideBySide(page, requestsAtOnce, async (raw) =>
      fields.some((field) => raw[field] === undefined) ? { ...raw, ...(await api.view(path, raw.id)) } : raw,
    )

  const groups: List = ({ since, ids }) =>
    through(onlySince(api.list('/groups'), since), async (page) => {
      const { agents } = await facts()
      const wanted = page.filter(({ id }) => !ids || ids.includes(String(id)))
      return (await whole('/groups', ['agent_ids'], wanted)).map((raw) => ({
        ...raw,
        agent_ids: Array.isArray(raw.agent_ids) ? raw.agent_ids.filter((id) => agents.has(id)) : (raw.agent_ids ?? []),
      }))
    })
  const organizations: List = ({ since, ids }) => {
    const all = ids ? fixed(() => api.viewEach('/companies', ids)) : api.list('/companies')
    const withDay = (raw: RawRecord) =>
      typeof raw.renewal_date === 'string' ? { ...raw, renewal_date: raw.renewal_date.slice(0, 10) } : raw
    return through(valued('organizations', onlySince(all, since)), (page) => page.map(withDay))
  }

  const people = ['contacts', 'blocked', 'agents'] as const
  const contactsBy = (ids: readonly string[]) =>
    fixed(async () => {
      const { agents } = await facts()
      const isBlocked = await blocked()
      const found = await sideBySide(ids, requestsAtOnce, async (id) => {
        if (!agents.has(Number(id))) return api.view('/contacts', id)
        const agent = await api.view('/agents', id)
        return agent && agentAsContact(agent)
      })
      return found.flatMap((raw) =>
        raw && raw.deleted !== true ? { ...raw, is_blocked: isBlocked.has(Number(raw.id)) } : [],
      )
    })
  const contactList = (since: string | undefined): Walk<RawRecord> => {
    const kinds: Record<(typeof people)[number], Walk<RawRecord>> = {
      contacts: api.list('/contacts', asked(since)),
      blocked: api.list('/contacts', { state: 'blocked', ...asked(since) }),
      agents: through(api.list('/agents'), (page) => page.map(agentAsContact)),
    }
    return (cursor, size) =>
      inTurn(people, cursor, size, (kind) =>
        through(onlySince(kinds[kind], since), async (page) => {
          const { agents } = await facts()
          if (kind === 'agents') return page.map((raw) => ({ ...raw, is_blocked: false }))
          const own = page.filter(({ id, deleted }) => !agents.has(Number(id)) && deleted !== true)
          return (await whole('/contacts', ['other_emails', 'tags', 'other_companies'], own)).map((raw) => ({
            ...raw,
            is_blocked: kind === 'blocked',
          }))
        }),
      )
  }
  const contacts: List = ({ since, ids }) =>
    through(valued('contacts', ids ? contactsBy(ids) : contactList(since)), (page) => page.map(withAddresses))

  /** Completes tickets with data that lists omit. Leaves out tickets in the trash and spam. */
  const present = async (tickets: readonly (RawRecord | null)[]) => {
    const [{ agents, mailboxes }, gone, copiesOf] = [await facts(), await deleted(), await copied(tickets)]
    return tickets.flatMap((raw) => {
      if (!raw || raw.deleted === true || raw.spam === true) return []
      // The documentation does not say whether a child has a list of its one parent, or only its number.
      const related = [raw.associated_tickets_list ?? []].flat()
      const ticket = {
        ...raw,
        ...(related.length > 0 && { associated_tickets_list: related }),
        html_url: `${api.site}/a/tickets/${raw.id}`,
        parent_id: raw.association_type === 2 ? (related[0] ?? null) : null,
        responder_id: agents.has(Number(raw.responder_id)) ? raw.responder_id : null,
        has_lost_agent: (raw.responder_id ?? null) !== null && !agents.has(Number(raw.responder_id)),
        requester_id: gone.has(Number(raw.requester_id)) ? null : raw.requester_id,
        cc_ids: copiesOf(raw),
        mailbox: mailboxOf(raw, mailboxes),
        reply_cc_emails: addedTo(raw.cc_emails, raw.reply_cc_emails),
      }
      const parent = { entity: 'tickets', sourceId: String(raw.id) }
      const whole = withFiles(ticket, parent, String(raw.id), 'description', { is_private: false, author_agent: null })
      recent.keepOfTicket(raw.id, filesIn([whole]))
      return whole
    })
  }
  const withTexts = async (page: RawRecord[]) => {
    const viewed = await sideBySide(page, requestsAtOnce, async ({ id, stats }) => {
      const raw = await viewTicket(api, id)
      return raw && { ...raw, stats: raw.stats ?? stats ?? null }
    })
    return present(viewed)
  }
  const views = async (ids: readonly string[], view: (id: string) => Promise<RawRecord | null>) =>
    present(await sideBySide(ids, requestsAtOnce, view))
  const someTickets = (ids: readonly string[]) => fixed(() => views(ids, (id) => viewTicket(api, id, 'stats')))
  const archive = (since: string | undefined) =>
    onlySince(
      through(archivedNumbers(api, since), (numbers) => views(numbers, (id) => viewArchived(api, id))),
      since,
    )
  /** Followers need a request of their own. An archived ticket has none. */
  const withFollowers = (walk: Walk<RawRecord>) =>
    through(walk, async (page) => {
      const { agents } = await facts()
      return sideBySide(page, requestsAtOnce, async (raw) => {
        const answer = await api.look(`/tickets/${raw.id}/watchers`, [404])
        const { watcher_ids } = (answer?.json ?? {}) as { watcher_ids?: unknown }
        const all = watcher_ids ?? answer?.json ?? []
        const isLost = (id: unknown) => typeof id === 'number' && !agents.has(id)
        // A value of another form is left to the lens, which reports it.
        if (!Array.isArray(all)) return { ...raw, watcher_ids: all, has_lost_follower: false }
        return { ...raw, watcher_ids: all.filter((id) => !isLost(id)), has_lost_follower: all.some(isLost) }
      })
    })
  const withOwners = openOwners(api, facts)
  const tickets: List = ({ since, ids }) => {
    const all = through(listTickets(api, since, 'stats', mostPages), withTexts)
    const changed = withFollowers((cursor, size) => all(cursor, Math.min(size, cheapTickets)))
    const wanted = ids ? withFollowers(someTickets(ids)) : inBoth(changed, archive(since))
    return valued('tickets', through(wanted, withOwners))
  }

  /** All messages of tickets, with their authors. */
  const messages = (parents: Walk<string>, places?: readonly string[]) =>
    underParents(parents, (id) => recent.keepOfMessages(id, said(id, places)), 20, requestsAtOnce)
  const said = (ticketId: string, places?: readonly string[]): Walk<RawRecord> =>
    through(conversationsOf(api, ticketId, places), async (page) => {
      const [{ agents }, gone] = [await facts(), await deleted()]
      // Authors of replies who are not agents now. Their contacts may no longer exist.
      const former = page.flatMap(({ incoming, user_id: id }) =>
        incoming !== true && typeof id === 'number' && !agents.has(id) ? id : [],
      )
      for (const id of former) if (await isGone(id)) gone.add(id)
      return page.map((raw) => {
        const isAgent = agents.has(Number(raw.user_id))
        const author = {
          author_agent: isAgent ? raw.user_id : null,
          author_contact: isAgent || gone.has(Number(raw.user_id)) ? null : (raw.user_id ?? null),
        }
        const id = `${ticketId}-${raw.id}`
        const more = { is_private: raw.private !== false, author_agent: author.author_agent }
        // A note has a support address, too, but was not sent from it.
        const support_email = raw.source === 2 ? null : raw.support_email
        const message = { ...raw, ...author, support_email, ticket_id: Number(ticketId) }
        return { ...withFiles(message, { entity: 'comments', sourceId: id }, id, 'body', more), id }
      })
    })
  const idsOf = (since: string | undefined) => through(listTickets(api, since, undefined, mostPages), idsIn)
  const categories: List = ({ since, ids }) => onlyIds(onlySince(categoryList(folders), since), ids)
  // A later run reads every article: its folder decides who may read it, and an article does not tell that change.
  const articles: List = ({ ids }) => {
    const all = ids
      ? fixed(async () => (await sideBySide(ids, requestsAtOnce, (id) => viewArticle(api, folders, id))).flat())
      : articleList(api, folders)
    return through(all, async (page) => {
      const { agents } = await facts()
      return page.map((raw) => {
        const author_agent = agents.has(Number(raw.agent_id)) ? raw.agent_id : null
        const more = { is_private: raw.status !== 2 || raw.visibility !== 1, author_agent }
        const parent = { entity: 'articles', sourceId: String(raw.id) }
        return { ...withFiles(raw, parent, `a${raw.id}`, 'description', more), author_agent }
      })
    })
  }

  const parts = listTicketParts(desk, facts, {
    messages: {
      changed: (since) => inBoth(messages(idsOf(since)), messages(archivedNumbers(api, since), ['/tickets/archived/'])),
      of: (ids) => messages(fixed(() => ids)),
    },
    tickets: {
      changed: (since) => [through(idsOf(since), (page) => views(page, (id) => viewTicket(api, id))), archive(since)],
      of: someTickets,
    },
    articles,
    recall: recent.below,
  })
  const { findIds, ...lists } = readLists(
    label,
    [
      listed(desk.groups, groups, facts),
      listed(desk.organizations, organizations, facts),
      listed(desk.contacts, contacts, facts),
      listed(desk.tickets, tickets, facts),
      listed(desk.categories, categories, facts),
      listed(desk.articles, articles, facts),
      ...parts.lists,
    ],
    pageSize,
    isId,
  )
  return {
    ...lists,
    /** Freshdesk counts only search results, and its search is minutes behind. */
    count: (only) => countEach(Object.fromEntries(desk.entities.map(({ name }) => [name, null])), only),
    ...openCounts(api, folders),
    users: (cursor) => listAgents(api, cursor, pageSize),
    findIds,
    findGone: (entity, ids) => findGone(api, facts, entity, ids.filter(isId)),
    follow: (address, from) => followFreshdesk(address, api.site, from),
    /**
     * File addresses expire within minutes, so we request a new one unless the file was read a moment ago. Other hosts
     * serve the files, and these hosts get no credentials.
     */
    async openFile({ sourceId }) {
      const address = recent.addressOf(sourceId)
      const early = address === null ? null : await api.http.openFile(address).catch(ignoreExpired)
      if (early) return early
      const [file] = await readAll(parts.files({ ids: [sourceId] }), largestPage)
      if (typeof file?.attachment_url !== 'string')
        throw new FileMissingError(`${label} has no file ${sourceId} any more`)
      return api.http.openFile(file.attachment_url)
    },
  }
}

export async function listAgents(api: FreshdeskApi, cursor: string | null, size: number): ReturnType<Reader['users']> {
  const { items, next } = await api.list('/agents')(cursor, size)
  const people = items.map((raw) => {
    const { name, email } = agentAsContact(raw)
    return toUser(raw.id, name, email, raw.deactivated !== true)
  })
  return { items: people, next }
}

const paths: Readonly<Record<string, string>> = {
  groups: '/groups/',
  organizations: '/companies/',
  contacts: '/contacts/',
  folders: '/solutions/folders/',
  categories: '/solutions/categories/',
  articles: '/solutions/articles/',
}

/**
 * Freshdesk still returns deleted contacts and tickets, with `deleted: true`, and tickets marked as spam. Archived
 * tickets do not count as deleted.
 */
const findGone = (api: FreshdeskApi, facts: () => Promise<Facts>, entity: string, ids: readonly string[]) =>
  goneAmong(ids, 1, async (id) => {
    if (entity === 'tickets') {
      const ticket = await viewTicket(api, id)
      return !ticket || ticket.deleted === true || ticket.spam === true
    }
    const path = paths[entity === 'categories' && !id.startsWith('c') ? 'folders' : entity]
    const isContact = entity === 'contacts'
    if (path === undefined || (isContact && (await facts()).agents.has(Number(id)))) return false
    const number = id.replace(/^c/, '')
    if (isContact && (await api.view('/contacts', number))?.deleted === true) return true
    return (await findMissing(api.http, [number], (one) => `${path}${one}`)).length > 0
  })
