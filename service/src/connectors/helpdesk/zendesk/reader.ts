import { FileMissingError } from '../../../errors.ts'
import type { Account, Reader } from '../../contract/contract.ts'
import { countEach } from '../../kit/count-each.ts'
import { type RawRecord, valueAt } from '../../kit/lens.ts'
import { inTurn, underParents } from '../../kit/nested-pages.ts'
import { withOdd } from '../../kit/odd-places.ts'
import { once } from '../../kit/once.ts'
import { readAll, type Walk } from '../../kit/pages.ts'
import { alone, type List, listed, readLists } from '../../kit/read-lists.ts'
import { recentLists } from '../../kit/recent-lists.ts'
import { idsIn } from '../../kit/records-in.ts'
import { fixed, onlyIds, onlySince, through } from '../../kit/shape-walks.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { toUser } from '../../kit/to-user.ts'
import { listTicketParts } from '../ticket-parts.ts'
import { createZendeskApi, label, largestPage, requestsAtOnce, type ZendeskApi } from './api.ts'
import { openCounts } from './count-skipped.ts'
import * as desk from './entities.ts'
import { exportTickets } from './export-tickets.ts'
import { findGone } from './find-gone.ts'
import { followZendesk } from './follow-address.ts'
import {
  articleFiles,
  categoryList,
  countComments,
  readContentTags,
  readStaffSegments,
  unlessClosed,
  withContentTags,
  withLostReaders,
} from './help-center.ts'
import {
  type FieldEntity,
  isWithheld,
  messagesOf,
  openAuthors,
  openMemberships,
  readBrands,
  readFacts,
  readForms,
  withAddresses,
  withBrand,
  withEntries,
  withForm,
  withIdentities,
  withValues,
} from './look-around.ts'

/**
 * Our ids contain the way to a record: `c7` is a category, `12-34` comment 34 of ticket 12, `12-34-56` a file of that
 * comment, and `a7-8` file 8 of article 7.
 */
const isId = (id: string) => /^[ac]?[1-9]\d{0,19}(-[1-9]\d{0,19}){0,2}$/.test(id)

export function openZendesk(account: Account, pageSize = largestPage): Reader {
  const api = createZendeskApi(account)
  const facts = once(() => readFacts(api))
  const brands = once(() => readBrands(api))
  const contentTags = once(() => readContentTags(api))
  const staffSegments = once(() => readStaffSegments(api))
  const forms = once(() => readForms(api))
  const withMemberships = openMemberships(api)
  const withAuthors = openAuthors(api)
  const recent = recentLists<RawRecord>({ charactersOf: ({ html_body: text }) => 1_000 + String(text ?? '').length })
  const messagesIn = (ticketId: string) => recent(ticketId, messagesOf(api, ticketId))
  const valued = (entity: FieldEntity, walk: Walk<RawRecord>) =>
    through(walk, async (page) => {
      const known = await facts()
      return page.map((raw) => withValues(raw, known, entity))
    })

  const groups: List = ({ since, ids }) =>
    through(onlySince(api.list('/groups', 'groups'), since), async (page) => {
      const members = await membersOf(api)
      // Nobody knows whose member this is.
      const isStray = [...members.keys()].some((id) => !Number.isInteger(id) || Number(id) < 1)
      return page
        .filter(({ id, deleted }) => deleted !== true && (!ids || ids.includes(String(id))))
        .map((raw) => withOdd({ ...raw, agents: members.get(raw.id) ?? [] }, isStray ? ['agents'] : []))
    })
  const organizations: List = ({ since, ids }) => {
    const all = ids ? fixed(() => api.showMany('organizations', ids)) : api.list('/organizations', 'organizations')
    return valued('organizations', onlySince(all, since))
  }
  const contacts: List = ({ since, ids }) => {
    const query = { include: 'identities' }
    const all = ids ? fixed(() => api.showMany('users', ids, query)) : api.list('/users', 'users', query)
    const present = through(onlySince(all, since), (page) => page.filter(({ active }) => active !== false))
    return valued(
      'contacts',
      through(present, (page) => withMemberships(page.map((raw) => withIdentities(withAddresses(raw))))),
    )
  }
  const shown = (ids: readonly string[]) =>
    through(
      fixed(() => api.showMany('tickets', ids, { include: 'metric_sets' })),
      (page) => page.filter(({ status }) => status !== 'deleted'),
    )
  /** Adds the time at which tickets were solved, which the export omits. */
  const withMetrics = async (page: RawRecord[]) => {
    const told = await api.showMany('tickets', idsIn(page), { include: 'metric_sets' })
    const solved = new Map(told.map(({ id, solved_at }) => [id, solved_at]))
    return page.map((raw) => ({ ...raw, solved_at: solved.get(raw.id) ?? null }))
  }
  const tickets: List = ({ since, ids }) => {
    const all = ids ? shown(ids) : through(exportTickets(api, since), withMetrics)
    return valued(
      'tickets',
      through(all, async (page) => {
        const [known, named] = [await brands(), await forms()]
        return (await withEntries(api, page, messagesIn, withAuthors)).map((raw) =>
          withForm(withBrand(raw, known), named),
        )
      }),
    )
  }

  const ticketIds = (since: string | undefined) => through(exportTickets(api, since), idsIn)
  /** All messages of tickets, with their authors. */
  const messages = (parents: Walk<string>) =>
    through(underParents(parents, messagesIn, 20, requestsAtOnce), withAuthors)

  const articleList = (since?: string) => {
    const query = { sort_by: 'created_at', sort_order: 'asc' }
    return onlySince(unlessClosed(api, api.list('/help_center/articles.json', 'articles', query, [404])), since)
  }
  const articleOf = async (id: string): Promise<RawRecord[]> => {
    const { status, json } = await api.http.look(`/help_center/articles/${encodeURIComponent(id)}.json`, [404])
    return status === 404 ? [] : [api.one(json, 'article')]
  }
  const withFiles = (page: RawRecord[]) =>
    sideBySide(page, requestsAtOnce, async (article) => ({ ...article, files: await articleFiles(api, article) }))
  const withFilesOf: List = ({ since, ids }) => {
    const some = ids && fixed(async () => (await sideBySide(ids, requestsAtOnce, articleOf)).flat())
    return through(some ?? articleList(since), withFiles)
  }
  const withComments = (page: RawRecord[]) =>
    sideBySide(page, requestsAtOnce, async (one) => ({ ...one, comment_count: await countComments(api, one) }))
  const articles: List = (wanted) =>
    through(through(withFilesOf(wanted), withComments), async (page) =>
      withLostReaders(await withContentTags(page, contentTags), staffSegments),
    )
  const categories: List = ({ since, ids }) => {
    const both: Walk<RawRecord> = (cursor, size) =>
      inTurn(['categories', 'sections'], cursor, size, (name) =>
        onlySince(unlessClosed(api, categoryList(api, name)), since),
      )
    return onlyIds(both, ids)
  }

  const parts = listTicketParts(desk, alone, {
    messages: { changed: (since) => messages(ticketIds(since)), of: (ids) => messages(fixed(() => ids)) },
    articles: withFilesOf,
  })
  const { findIds, ...lists } = readLists(
    label,
    [
      listed(desk.groups, groups, alone),
      listed(desk.organizations, organizations, facts),
      listed(desk.contacts, contacts, facts),
      listed(desk.tickets, tickets, facts),
      listed(desk.categories, categories, alone),
      listed(desk.articles, articles, alone),
      ...parts.lists,
    ],
    pageSize,
    isId,
  )
  /** Null if Zendesk answers with no number: the plan then shows none. */
  const counted = (name: string) => async () => {
    const value = Number(valueAt((await api.http.ask(`/${name}/count`)).json as RawRecord, 'count.value') ?? Number.NaN)
    return Number.isSafeInteger(value) && value >= 0 ? value : null
  }
  return {
    ...lists,
    /** Zendesk's ticket count omits archived tickets, and it has no counts for comments, articles and files. */
    count: (only) =>
      countEach(
        {
          ...{ groups: counted('groups'), organizations: counted('organizations'), contacts: counted('users') },
          ...{ tickets: null, comments: null, categories: null, articles: null, attachments: null },
        },
        only,
      ),
    ...openCounts(api, brands),
    users: (cursor) => listAgents(api, cursor, pageSize),
    findIds: async (entity, ids) =>
      entity === 'tickets' ? idsIn(await readAll(shown(ids.filter(isId)), pageSize)) : findIds(entity, ids),
    findGone: (entity, ids) => findGone(api, entity, ids.filter(isId)),
    follow: (address, from) => followZendesk(address, api.site, from),
    /** Another host serves the file, and that host gets no credentials. A file withheld as malware counts as missing. */
    async openFile({ sourceId, sourceUrl }) {
      if (sourceUrl !== undefined) return api.http.openFile(sourceUrl)
      const path = `/attachments/${encodeURIComponent(sourceId.split('-').at(-1) ?? '')}`
      const { status, json } = await api.http.look(path, [404])
      const file = status === 404 ? null : api.one(json, 'attachment')
      if (!file || isWithheld(file)) throw new FileMissingError('Zendesk does not have this file any more')
      return api.http.openFile(String(file.content_url))
    },
  }
}

export async function listAgents(api: ZendeskApi, cursor: string | null, size: number): ReturnType<Reader['users']> {
  const { items, next } = await api.list('/users?role[]=agent&role[]=admin', 'users')(cursor, size)
  const people = items.map(({ id, name, email, active, suspended }) =>
    toUser(id, name, email, active !== false && suspended !== true),
  )
  return { items: people, next }
}

/** Zendesk's groups do not contain their agents, so memberships are read separately. */
export async function membersOf(api: ZendeskApi): Promise<Map<unknown, unknown[]>> {
  const members = new Map<unknown, unknown[]>()
  for (const { group_id, user_id } of await api.all('/group_memberships', 'group_memberships')) {
    members.set(group_id, [...(members.get(group_id) ?? []), user_id])
  }
  return members
}
