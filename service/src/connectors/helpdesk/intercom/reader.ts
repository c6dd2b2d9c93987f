import { FileMissingError } from '../../../errors.ts'
import type { Account, Reader } from '../../contract/contract.ts'
import { goneAmong } from '../../kit/find-ids.ts'
import { type RawRecord, valueAt } from '../../kit/lens.ts'
import { inTurn, underParents } from '../../kit/nested-pages.ts'
import { once } from '../../kit/once.ts'
import { byKey, readAll, type Walk } from '../../kit/pages.ts'
import { alone, type List, listed, readLists } from '../../kit/read-lists.ts'
import { readRecord } from '../../kit/read-record.ts'
import { recordsIn } from '../../kit/records-in.ts'
import { fixed, onlyIds, onlySince, through } from '../../kit/shape-walks.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { toUser } from '../../kit/to-user.ts'
import { listTicketParts } from '../ticket-parts.ts'
import { createIntercomApi, type IntercomApi, label, largestPage, requestsAtOnce, scrollCompanies } from './api.ts'
import { openCounts } from './counts.ts'
import * as desk from './entities.ts'
import { isInTime, toIso } from './entities.ts'
import { followIntercom } from './follow-address.ts'
import * as look from './look-around.ts'
import { toCompany, toContact } from './people.ts'
import { openPeople } from './present-people.ts'
import {
  missingParts,
  numberOf,
  pathOf,
  readParts,
  readSideParts,
  toArticle,
  toMessage,
  truncated,
} from './read-parts.ts'
import { openShelves } from './shelves.ts'
import { thenNewer, untilOlder } from './then-newer.ts'

/**
 * Our ids contain the way to a record: `c12` is a conversation, `t5` a ticket, `c12-34` part 34 of conversation 12,
 * `c12-34-f0` a file of that part, and `a7-i0` a picture of article 7.
 */
const isId = (id: string) => /^[\w-]{1,100}$/.test(id)

/** Whether a conversation was turned into a ticket. */
const isTicket = ({ ticket }: RawRecord) => typeof ticket === 'object' && ticket !== null

const sinceThen = (walk: Walk<RawRecord>, since: string | undefined): Walk<RawRecord> =>
  onlySince(walk, since, ({ updated_at: at }) => (typeof at === 'number' && isInTime(at) ? toIso(at) : null))

/** Companies of one page. The notes of each take a request, and a page that is read after a restart takes a scroll. */
const companiesAtOnce = 2_500

const changedSince = (since: string) => ({
  field: 'updated_at',
  operator: '>',
  value: desk.toSeconds(since) - 1,
})
/** 26 hours earlier, which is a previous day in every time zone. A day has up to 25 hours. */
const dayBefore = (since: string) => desk.toSeconds(since) - 26 * 3_600

export function openIntercom(account: Account, pageSize = largestPage, mostCompanies = companiesAtOnce): Reader {
  const api = createIntercomApi(account)
  const around = once(() => look.readAround(api))
  const people = openPeople(api)
  const each = (ids: readonly string[], path: (id: string) => string) =>
    fixed(async () =>
      (await sideBySide(ids, requestsAtOnce, (id) => api.find(path(encodeURIComponent(id))))).flatMap(
        (raw) => raw ?? [],
      ),
    )

  const groups: List = ({ ids }) =>
    fixed(async () => {
      const { admins } = await around()
      const teams = recordsIn(label, await api.short('/teams', 'teams', {}, look.lacking)).filter(
        ({ id }) => !ids || ids.includes(String(id)),
      )
      return teams.map((raw) => ({
        ...raw,
        admin_ids: Array.isArray(raw.admin_ids)
          ? raw.admin_ids.filter((id) => admins.has(String(id)))
          : (raw.admin_ids ?? []),
      }))
    })
  let companies: RawRecord[] | null = null
  /** All companies by id. A scroll has no pages, so it is kept for the next page, and read again by another reader. */
  const everyCompany = byKey(
    async (after) => {
      const all = (after === null ? null : companies) ?? (await scrollCompanies(api))
      const rest = all.filter(({ id }) => after === null || String(id) > after)
      const isLast = rest.length <= mostCompanies
      companies = isLast ? null : all
      return { items: rest.slice(0, mostCompanies), isLast }
    },
    ({ id }: RawRecord) => String(id),
  )
  const organizations: List = ({ since, ids }) => {
    const all = ids ? each(ids, (id) => `/companies/${id}`) : everyCompany
    return through(sinceThen(all, since), async (page) => {
      const known = await around()
      return sideBySide(page, requestsAtOnce, async (raw) =>
        toCompany(raw, known, await notesOf(api, '/companies', raw.id)),
      )
    })
  }
  /**
   * Changed contacts. The search compares whole days and is minutes behind, so new contacts are found as authors of
   * recent messages.
   */
  const changedContacts = (since: string): Walk<RawRecord> => {
    const renewed = api.search(
      'contacts',
      { field: 'updated_at', operator: '>', value: dayBefore(since) },
      look.lacking,
    )
    const recent = through(bothKinds(since), (page) => people.tooNew(page.flatMap(({ raw }) => look.peopleIn(raw))))
    return (cursor, size) => inTurn([renewed, recent], cursor, size, (walk) => walk)
  }
  const contacts: List = ({ since, ids }) => {
    const all = ids
      ? each(ids, (id) => `/contacts/${id}`)
      : since === undefined
        ? api.list('/contacts', 'data', {}, look.lacking)
        : changedContacts(since)
    return through(sinceThen(all, since), async (page) => {
      const known = await around()
      return sideBySide(page, requestsAtOnce, async (raw) =>
        toContact(
          raw,
          known,
          Number(valueAt(raw, 'notes.total_count') ?? 0) !== 0 ? await notesOf(api, '/contacts', raw.id) : [],
          // A contact shows ten of its tags.
          valueAt(raw, 'tags.has_more') === true
            ? await api.short(`/contacts/${encodeURIComponent(String(raw.id))}/tags`, 'data', {}, [404])
            : valueAt(raw, 'tags.data'),
        ),
      )
    })
  }

  const changed = (name: 'conversations' | 'tickets', since: string) =>
    sinceThen(api.search(name, changedSince(since), look.lacking), since)
  const everyTicket = { field: 'created_at', operator: '>', value: 0 }
  const lists = {
    c: api.list('/conversations', 'conversations', {}, look.lacking),
    t: api.search('tickets', everyTicket, look.lacking),
  }
  /** Conversations and tickets. A conversation that became a ticket is read as a ticket. */
  const bothKinds = (since?: string): Walk<{ id: string; raw: RawRecord }> => {
    const walkOf = (kind: 'c' | 't') => {
      const name = kind === 'c' ? 'conversations' : 'tickets'
      return thenNewer(since === undefined ? lists[kind] : changed(name, since), (then) => changed(name, then))
    }
    return (cursor, size) =>
      inTurn(['c', 't'] as const, cursor, size, (kind) =>
        through(walkOf(kind), (page) =>
          page.filter((raw) => kind === 't' || !isTicket(raw)).map((raw) => ({ id: `${kind}${raw.id}`, raw })),
        ),
      )
  }
  const some = (ids: readonly string[]) =>
    fixed(async () => {
      const asked = [...new Set(ids)].filter((id) => /^[ct]\d+$/.test(id))
      const found = await sideBySide(asked, requestsAtOnce, async (id) => ({ id, raw: await findHolder(api, id) }))
      return found.flatMap(({ id, raw }) => (raw ? { id, raw } : []))
    })
  const tickets: List = ({ since, ids }) =>
    through(ids ? some(ids) : bothKinds(since), async (page) => {
      const known = await around()
      const forms = await sideBySide(page, requestsAtOnce, async ({ id, raw }) => {
        const form = id.startsWith('c') ? look.fromConversation : look.fromTicket
        return { ...form(raw, known, api.site), missing_parts: await missingParts(api, id, raw) }
      })
      return people.only(forms)
    })

  /** All messages of a conversation, the description first. A deleted conversation has none. */
  const messagesOf =
    (id: string): Walk<RawRecord> =>
    async () => {
      const known = await around()
      const raw = await api.find(pathOf(id))
      if (!raw) return { items: [], next: null }
      const form = id.startsWith('t') ? look.fromTicket : look.fromConversation
      const first = form(raw, known, api.site)
      const parts = [...readParts(api, id, raw), ...(await readSideParts(api, id))]
      const messages = parts.flatMap((part) => toMessage(first, part, known, api.site) ?? [])
      const inOrder = messages.sort((a, b) => Number(a.created_at) - Number(b.created_at))
      return { items: [{ ...first, isFirst: true }, ...inOrder], next: null }
    }
  const idsOf = (since?: string) => through(bothKinds(since), (page) => page.map(({ id }) => id))
  const messages = (parents: Walk<string>) =>
    through(underParents(parents, messagesOf, 20, requestsAtOnce), (page) => people.only(page))
  /** A list with numbered pages, whose newest changes are first. */
  const numbered = (path: string, since: string | undefined) => {
    const all = api.list(path, 'data', {}, look.lacking)
    return sinceThen(
      thenNewer(all, (then) => untilOlder(all, (walk) => sinceThen(walk, then))),
      since,
    )
  }
  const categories: List = ({ since, ids }) => onlyIds(numbered('/help_center/collections', since), ids)
  const articleLists = { a: '/articles', i: '/internal_articles' }
  const shelves = openShelves(api)
  const articleForms = (kind: string) => async (page: RawRecord[]) => {
    const known = await around()
    return sideBySide(page, 1, async (raw) =>
      toArticle(kind, raw, known, api.site, await shelves.placeOf(raw.parent_ids)),
    )
  }
  const articles: List =
    ({ since, ids }) =>
    (cursor, size) =>
      inTurn(['a', 'i'] as const, cursor, size, (kind) => {
        const own = ids?.filter((id) => id.startsWith(kind)).map((id) => id.slice(1))
        const path = articleLists[kind]
        return through(own ? each(own, (id) => `${path}/${id}`) : numbered(path, since), articleForms(kind))
      })
  const parts = listTicketParts(desk, alone, {
    messages: {
      changed: (since) => messages(idsOf(since)),
      of: (ids) => messages(fixed(() => ids.filter((id) => /^[ct]\d+$/.test(id)))),
    },
    sinceThen,
    articles,
    articleIn: /^([ai][^-]+)-/,
  })

  const toTicket = (raw: RawRecord, known: look.Around) => {
    const mapped = readRecord(desk.tickets, raw, known)
    const count = Number(raw.missing_parts)
    return count > 0 ? { ...mapped, warnings: [...mapped.warnings, truncated(String(raw.id), count)] } : mapped
  }
  const entityLists = readLists(
    label,
    [
      listed(desk.groups, groups, alone),
      listed(desk.organizations, organizations, around),
      listed(desk.contacts, contacts, around),
      listed(desk.tickets, tickets, around, {}, toTicket),
      listed(desk.categories, categories, alone),
      listed(desk.articles, articles, alone),
      ...parts.lists,
    ],
    pageSize,
    isId,
  )
  return {
    ...entityLists,
    ...openCounts(api),
    users: () => listAdmins(api),
    async findGone(entity, ids) {
      const paths: Record<string, (id: string) => string> = {
        groups: (id) => `/teams/${id}`,
        organizations: (id) => `/companies/${id}`,
        contacts: (id) => `/contacts/${id}`,
        tickets: pathOf,
        categories: (id) => `/help_center/collections/${id}`,
        articles: (id) => `${id.startsWith('i') ? '/internal_articles' : '/articles'}/${numberOf(id)}`,
      }
      const path = paths[entity]
      return goneAmong(path ? ids.filter(isId) : [], requestsAtOnce, async (id) =>
        entity === 'tickets' ? (await findHolder(api, id)) === null : (await api.find(path?.(id) ?? '')) === null,
      )
    },
    follow: (address, from) => followIntercom(address, api.site, from),
    /**
     * File addresses expire, so we request a new one. Another host serves the file, and that host gets no credentials.
     */
    async openFile({ sourceId }) {
      const [file] = await readAll(parts.files({ ids: [sourceId] }), pageSize)
      if (!file) throw new FileMissingError(`${label} has this file no more`)
      return api.http.openFile(String(file.url))
    },
  }
}

/** A conversation or a ticket by our id. A conversation that became a ticket exists only as that ticket. */
async function findHolder(api: IntercomApi, id: string): Promise<RawRecord | null> {
  const raw = await api.find(pathOf(id))
  return raw && id.startsWith('c') && isTicket(raw) ? null : raw
}

export async function listAdmins(api: IntercomApi): ReturnType<Reader['users']> {
  const admins = await api.short('/admins', 'admins')
  const people = admins.map(({ id, name, email }) => toUser(id, look.shownText(name), look.shownText(email)))
  return { items: people, next: null }
}

const notesOf = async (api: IntercomApi, path: '/contacts' | '/companies', id: unknown) => {
  const notes = await api.all(`${path}/${encodeURIComponent(String(id))}/notes`, 'data', {}, [404])
  return notes.sort((a, b) => Number(a.created_at) - Number(b.created_at))
}
