import { Readable } from 'node:stream'
import { FileMissingError, UnreadableAnswerError } from '../../../errors.ts'
import type { Account, Reader } from '../../contract/contract.ts'
import { countEach } from '../../kit/count-each.ts'
import { countSkippedEach } from '../../kit/count-skipped.ts'
import { goneAmong } from '../../kit/find-ids.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { once } from '../../kit/once.ts'
import { readAll, type Walk } from '../../kit/pages.ts'
import { alone, type List, listed, readLists } from '../../kit/read-lists.ts'
import { type MappedRecord, readRecord } from '../../kit/read-record.ts'
import { fixed, onlyIds, through } from '../../kit/shape-walks.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { toUser } from '../../kit/to-user.ts'
import { listTicketParts } from '../ticket-parts.ts'
import { createHelpscoutApi, gone, type HelpscoutApi, label, oneIn, pageSize, requestsAtOnce } from './api.ts'
import { earlier, openDocs, sinceThen } from './docs.ts'
import * as desk from './entities.ts'
import { followHelpscout } from './follow-address.ts'
import { type Facts, joinName } from './lenses.ts'
import { organizationPath, readFacts, talkOf, toOrganization, toPerson, toTicket, withAuthor } from './look-around.ts'

/**
 * Our ids contain the way to a record: `c5f…` is a collection, `12-34` thread 34 of conversation 12, `12-34-56` a file
 * of that thread, and `a5f…-9c…` a file of an article.
 */
const isId = (id: string) =>
  /^c?[0-9a-f]{1,24}$|^[1-9]\d{0,14}-[1-9]\d{0,14}(-p?[1-9]\d{0,14})?$/.test(id) || isArticleFile(id)
const isArticleFile = (id: string) => /^a[0-9a-f]{24}-[0-9a-f]{16}$/.test(id)
/** A deleted conversation stays in the trash for a while. Spam is not copied. */
const isThere = ({ state, status }: Readonly<Record<string, unknown>>) => state !== 'deleted' && status !== 'spam'
const ticketOf = (id: string) => id.split('-')[0] ?? ''

/** Help Scout takes whole seconds, and leaves out changes of that second. */
const sinceQuery = (since: string | undefined) => (since === undefined ? {} : { modifiedSince: earlier(since) })

export function openHelpscout(account: Account): Reader {
  const api = createHelpscoutApi(account)
  const facts = once(() => readFacts(api))
  const docs = openDocs(api, async () => (await facts()).users)
  const each = (path: string, ids: readonly string[], suffix = '') =>
    fixed(async () => {
      const numbers = ids.filter((id) => /^\d+$/.test(id))
      const found = await sideBySide(numbers, requestsAtOnce, (id) => api.oneIfOpen(`${path}/${id}${suffix}`))
      return found.flatMap((raw) => raw ?? [])
    })

  const groups: List = ({ since, ids }) =>
    through(onlyIds(sinceThen(api.list('/v2/teams', 'teams'), since), ids), (page) =>
      sideBySide(page, requestsAtOnce, async (team) => {
        const members = await api.all(`/v2/teams/${team.id}/members`, 'users')
        return { ...team, agents: members.map(({ id }) => id) }
      }),
    )
  const organizations: List = ({ ids }) => {
    // By default, the last conversation decides the order, which changes while we read.
    const all = ids
      ? each('/v2/organizations', ids, '?includeProperties=true')
      : api.list('/v2/organizations', 'organizations', { sort: 'name,asc' })
    return through(all, async (page) => {
      const known = await facts()
      const isWhole = ids !== undefined || known.organizationProperties.size === 0
      const whole = isWhole ? page : await sideBySide(page, requestsAtOnce, (raw) => wholeOrganization(api, raw))
      return whole.flat().map((raw) => toOrganization(raw, known))
    })
  }
  const contacts: List = ({ since, ids }) => {
    const query = { sortField: 'createdAt', sortOrder: 'asc', ...sinceQuery(since) }
    const all = ids ? each('/v2/customers', ids) : api.list('/v2/customers', 'customers', query)
    return through(all, async (page) => {
      const known = await facts()
      return page.map((raw) => toPerson(raw, known))
    })
  }

  const conversations: List = ({ since, ids }) => {
    const query = { sortField: 'number', sortOrder: 'asc', embed: 'threads', status: 'all', ...sinceQuery(since) }
    const all = ids
      ? each('/v2/conversations', ids, '?embed=threads')
      : api.list('/v2/conversations', 'conversations', query)
    return through(all, (page) => page.filter(isThere))
  }
  const tickets: List = (which) =>
    through(conversations(which), async (page) => {
      const known = await facts()
      return sideBySide(page, requestsAtOnce, async (raw) => toTicket(raw, await talkOf(api, raw), known))
    })
  /** All messages of conversations, with their authors. */
  const messages = (walk: Walk<RawRecord>) =>
    through(walk, async (page) => {
      const known = await facts()
      const talks = await sideBySide(page, requestsAtOnce, (raw) => talkOf(api, raw))
      return talks.flatMap((talk) => talk.messages.map((one, at) => ({ ...withAuthor(one, known), isFirst: at === 0 })))
    })
  const parts = listTicketParts(desk, alone, {
    messages: {
      changed: (since) => messages(conversations({ since })),
      of: (ids) => messages(conversations({ ids })),
    },
    articles: docs.articles,
  })

  const lists = readLists(
    label,
    [
      listed(desk.groups, groups, alone),
      listed(desk.organizations, organizations, facts, {}, readOrganization),
      listed(desk.contacts, contacts, facts),
      listed(desk.tickets, tickets, facts, {}, readTicket),
      listed(desk.categories, docs.categories, alone),
      listed(desk.articles, docs.articles, alone),
      ...parts.lists,
    ],
    pageSize,
    isId,
  )
  const conversationsIn = (status: string) => total('/v2/conversations', 'conversations', { status })
  const total = async (path: string, name: string, query = {}) => (await api.page(path, name, query)).total
  const paths: Record<string, string> = {
    groups: '/v2/teams',
    organizations: '/v2/organizations',
    contacts: '/v2/customers',
  }
  return {
    ...lists,
    count: (only) =>
      countEach(
        {
          groups: () => total('/v2/teams', 'teams'),
          organizations: () => total('/v2/organizations', 'organizations'),
          contacts: () => total('/v2/customers', 'customers'),
          tickets: async () => {
            const counts = await Promise.all(['active', 'pending', 'closed'].map(conversationsIn))
            return counts.reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0)
          },
          ...{ comments: null, categories: null, articles: null, attachments: null },
        },
        only,
      ),
    /** Without the key of Docs, nobody knows how many articles there are. */
    countWithheld: async () => (api.docs ? {} : { articles: null }),
    countSkipped: () => countSkippedEach({ spam_tickets: () => conversationsIn('spam') }),
    users: (cursor) => listUsers(api, cursor),
    /** A conversation that was merged into another one counts as deleted. */
    async findGone(entity, ids) {
      const isGone = async (id: string) => {
        if (isArticleFile(id)) return docs.isGone('articles', ticketOf(id).slice(1))
        if (entity === 'categories' || entity === 'articles') return docs.isGone(entity, id)
        // Comments and files are gone with their conversation.
        const path = `${paths[entity] ?? '/v2/conversations'}/${ticketOf(id)}`
        const { status, json } = await api.look(path, [301, 403, 404, 410])
        return status === 200 ? !isThere(json as Record<string, unknown>) : status !== 403
      }
      return goneAmong(ids.filter(isId), requestsAtOnce, isGone)
    },
    follow: (address, from) => followHelpscout(address, from, api.isAsset),
    /**
     * Help Scout sends files as base64 in JSON. A file that Help Scout blocks as dangerous counts as missing.
     */
    async openFile({ sourceId, fields }) {
      if (sourceId.includes('-p') || isArticleFile(sourceId)) {
        const [file] = await readAll(parts.files({ ids: [sourceId] }), pageSize)
        if (typeof file?.web_url !== 'string') throw new FileMissingError('the source has no such file any more')
        return api.openPicture(file.web_url)
      }
      const [ticketId, , id] = sourceId.split('-')
      const path = `/v2/conversations/${ticketId}/attachments/${id}/data`
      const { status, json } = await api.lookAtOne(path, [404, 410])
      if (status !== 200) throw new FileMissingError('the source has no such file any more')
      const { data } = (json ?? {}) as { data?: unknown }
      if (typeof data !== 'string') throw new UnreadableAnswerError('Help Scout answered with no file')
      const bytes = Buffer.from(data, 'base64')
      const contentType = typeof fields.content_type === 'string' ? fields.content_type : null
      return { size: bytes.length, contentType, body: Readable.from([bytes], { objectMode: false }) }
    },
  }
}

/** The record, with a warning about its parts that Help Scout withholds. */
function withMissing({ record, warnings }: MappedRecord, missing: unknown, message: string): MappedRecord {
  const [count, { entity, sourceId }] = [Number(missing), record]
  const warning = { entity, sourceId, code: 'truncated_by_source' as const, count, message }
  return { record, warnings: count > 0 ? [...warnings, warning] : warnings }
}

/** A ticket, with the number of its entries of the history and of its messages that Help Scout withholds. */
function readTicket(raw: RawRecord, known: Facts): MappedRecord {
  const message = 'Help Scout does not let the account read all messages of this conversation.'
  const ticket = withMissing(readRecord(desk.tickets, raw, known), raw.entry_missing, message)
  return { ...ticket, skipped: { history_entries: Number(raw.entry_history) } }
}

function readOrganization(raw: RawRecord, known: Facts): MappedRecord {
  const message = 'Help Scout does not let the account read the properties of this organization.'
  return withMissing(readRecord(desk.organizations, raw, known), raw.entry_missing ?? 0, message)
}

/** An organization with its properties, or without them if Help Scout withholds it. None if it no longer exists. */
async function wholeOrganization(api: HelpscoutApi, raw: RawRecord): Promise<RawRecord | []> {
  const { status, json } = await api.lookAtOne(organizationPath(raw.id), gone)
  if (status === 403) return { ...raw, entry_missing: 1 }
  return status === 200 ? oneIn(json) : []
}

export async function listUsers(api: HelpscoutApi, cursor: string | null): ReturnType<Reader['users']> {
  const { items, next } = await api.list('/v2/users', 'users')(cursor, pageSize)
  const people = items.map((raw) => toUser(raw.id, joinName(raw), raw.email))
  return { items: people, next }
}
