import type {
  Account,
  DestinationDescription,
  PreflightCheck,
  SentRelation,
  SideOutcome,
  Writer,
} from '../../contract/contract.ts'
import { comparing } from '../../kit/compared-texts.ts'
import type { Entity } from '../../kit/entity.ts'
import { findRecords } from '../../kit/find.ts'
import type { Lens, RawRecord } from '../../kit/lens.ts'
import { once } from '../../kit/once.ts'
import { removeRecords } from '../../kit/remove.ts'
import { asStored, describeEntity } from '../../kit/write-record.ts'
import { createZendeskApi, label, largestPage } from './api.ts'
import * as desk from './entities.ts'
import * as lenses from './lenses.ts'
import { type FieldEntity, readFacts, requestsAtOnce } from './look-around.ts'
import { openFields, storedCustom } from './own-fields.ts'
import { listAgents } from './reader.ts'
import { isSideShelf, removeSideShelf } from './shelves.ts'
import { noteKind as fileNoteKind, findArticleFiles, isOfArticle, writeArticleFile } from './write-article-files.ts'
import {
  findInGuide,
  type Guide,
  type GuideContext,
  noteKind,
  readGuide,
  removeFromGuide,
  writeArticles,
  writeShelves,
} from './write-guide.ts'
import { findMessages, storedComment, storedFile, writeComments, writeFile } from './write-messages.ts'
import {
  foundGroup,
  foundPerson,
  groupKey,
  groupNoteKind,
  groupsNow,
  peopleByIds,
  peopleKey,
  writeGroups,
  writePeople,
} from './write-people.ts'
import { foundTicket, messagesNow, type TicketContext, ticketKey, ticketsByIds, writeTickets } from './write-tickets.ts'

/** Facts about a destination account, requested once. */
interface Known {
  me: RawRecord
  locales: readonly string[]
  tickets: Entity<lenses.Facts>
  contacts: Entity<lenses.Facts>
  /** Null for an account without a Help Center. */
  guide: Guide | null
  articles: Entity
}

/** These notes name records, which an undo removes as such. */
const notes: ReadonlySet<string> = new Set([noteKind, fileNoteKind, groupNoteKind])

export function openZendeskWriter(account: Account): Writer {
  const api = createZendeskApi(account)
  const fields = openFields(api, account.sides)
  let known: Known | null = null
  const learn = once(async (): Promise<Known> => {
    const { activeStatuses, ...facts } = await readFacts(api)
    const me = api.one((await api.http.ask('/users/me')).json, 'user')
    const status = lenses.statusLens({ ...facts, statuses: activeStatuses })
    const language = lenses.languageLens(facts.locale)
    const agents = await api.all('/users?role[]=agent&role[]=admin', 'users')
    const groups = agents.flatMap(({ id, default_group_id: group }): [string, number][] =>
      typeof group === 'number' ? [[String(id), group]] : [],
    )
    const own = { status, requester: lenses.requesterLens(String(me.id)), group: lenses.groupLens(new Map(groups)) }
    const guide = await readGuide(api)
    const mine = comparing(desk.articles.fields.author as Lens, (id) =>
      String(id) === String(me.id) ? null : String(id),
    )
    const spoken = comparing(desk.articles.fields.locale as Lens, (locale) =>
      locale === guide?.locale ? null : locale,
    )
    known = {
      ...{ me, guide, locales: facts.locales },
      articles: { ...desk.articles, fields: { ...desk.articles.fields, author: mine, locale: spoken } },
      tickets: { ...desk.tickets, fields: { ...desk.tickets.fields, ...own } },
      contacts: { ...desk.contacts, fields: { ...desk.contacts.fields, language } },
    }
    return known
  })
  const contextOf = async (): Promise<TicketContext> => {
    const { me, tickets, contacts } = await learn()
    return { api, fields, sides: account.sides, tickets, contacts, me: String(me.id) }
  }
  const guideContext = async (): Promise<GuideContext> => {
    const { guide, articles } = await learn()
    if (!guide) throw new Error(`${label} has no Help Center here`)
    return { ...(await contextOf()), guide, articles }
  }

  return {
    describe: async () => describeAccount(api.site, await learn()),
    users: (cursor) => listAgents(api, cursor, largestPage),

    async write(entity, records) {
      const context = await contextOf()
      if (entity === 'groups') return writeGroups(context, records)
      if (entity === 'organizations' || entity === 'contacts') return writePeople(context, entity, records)
      if (entity === 'tickets') return writeTickets(context, records)
      if (entity === 'comments') return writeComments(context, records)
      if (entity === 'categories') return writeShelves(await guideContext(), records)
      if (entity === 'articles') return writeArticles(await guideContext(), records)
      throw new Error(`${label} takes no ${entity}`)
    },
    async writeFile(_entity, file) {
      try {
        const isOfArticle = (file.fields.parent as SentRelation | undefined)?.entity === 'articles'
        return await (isOfArticle ? writeArticleFile : writeFile)(await contextOf(), file)
      } finally {
        file.body.destroy()
      }
    },

    async find(entity, records) {
      const context = await contextOf()
      if (entity === 'categories' || entity === 'articles') return findInGuide(await guideContext(), entity, records)
      if (entity === 'attachments') {
        const ofArticles = records.filter(isOfArticle)
        const others = records.filter((record) => !isOfArticle(record))
        return [...(await findMessages(context, entity, others)), ...(await findArticleFiles(context, ofArticles))]
      }
      if (entity === 'comments') return findMessages(context, entity, records)
      if (entity === 'organizations' || entity === 'contacts') {
        const toFound = (raw: RawRecord) => foundPerson(context, entity, raw)
        return findRecords({ byIds: peopleByIds(context, entity), key: peopleKey(context, entity), toFound }, records)
      }
      if (entity === 'tickets') {
        const toFound = async (raw: RawRecord) => foundTicket(context, raw, await messagesNow(context, String(raw.id)))
        return findRecords({ byIds: ticketsByIds(context), key: ticketKey(context), toFound }, records)
      }
      const byIds = async (ids: readonly string[]) =>
        (await groupsNow(context)).filter(({ id }) => ids.includes(String(id)))
      return findRecords({ byIds, key: await groupKey(context), toFound: (raw) => foundGroup(context, raw) }, records)
    },

    async remove(entity, records) {
      const context = await contextOf()
      const deleting = (path: string) => async (removable: readonly { destinationId: string }[]) => {
        const answers = []
        for (const { destinationId } of removable) {
          answers.push(await api.http.send('DELETE', `${path}/${encodeURIComponent(destinationId)}`))
        }
        return answers
      }
      if (entity === 'organizations' || entity === 'contacts') {
        const path = entity === 'contacts' ? '/users' : '/organizations'
        const versionOf = async (raw: RawRecord) => (await foundPerson(context, entity, raw)).version
        const findNeed = async ({ id }: RawRecord) =>
          entity === 'contacts' ? (await hasTickets(id)) && 'Tickets of this account name them.' : null
        const rules = { label, byIds: peopleByIds(context, entity), versionOf, send: deleting(path) }
        return removeRecords({ ...rules, findNeed: async (raw) => (await findNeed(raw)) || null }, records)
      }
      if (entity === 'groups') {
        const byIds = async (ids: readonly string[]) =>
          (await groupsNow(context)).filter(({ id }) => ids.includes(String(id)))
        const versionOf = async (raw: RawRecord) => (await foundGroup(context, raw)).version
        return removeRecords({ label, byIds, versionOf, send: deleting('/groups') }, records)
      }
      if (entity === 'categories' || entity === 'articles')
        return removeFromGuide(await guideContext(), entity, records)
      if (entity !== 'tickets') throw new Error(`${label} removes ${entity} with their tickets`)
      const versionOf = async (raw: RawRecord) =>
        (await foundTicket(context, raw, await messagesNow(context, String(raw.id)))).version
      return removeRecords({ label, byIds: ticketsByIds(context), send: deleting('/tickets'), versionOf }, records)

      async function hasTickets(id: unknown): Promise<boolean> {
        const { items } = await api.page(`/users/${id}/tickets/requested`, 'tickets', { 'page[size]': 1 }, [404])
        return items.length > 0
      }
    },

    asStored(entity, content) {
      // The content read back depends on the account, which `describe` has requested.
      if (!known) throw new Error('asStored needs the description of the account')
      if (entity === 'comments') return storedComment(String(known.me.id), content)
      if (entity === 'attachments') return storedFile(content)
      if (entity === 'groups') return asStored(desk.groups, content)
      if (entity === 'categories') return asStored(desk.categories, content)
      if (entity === 'articles') return asStored(known.articles, content)
      const declared = { organizations: desk.organizations, contacts: known.contacts, tickets: known.tickets }
      const name = entity as FieldEntity
      return { ...asStored(declared[name], content), customFields: storedCustom(name, content.customFields) }
    },

    /** People may have come to use a field for their own records: only they can tell. */
    async removeSides(records) {
      const outcomes: SideOutcome[] = []
      for (const side of records) {
        const { kind, mark, destinationId } = side
        const isNote = notes.has(kind) || (destinationId === null && !isSideShelf(side))
        if (isNote) outcomes.push({ kind, mark, result: 'removed' })
        else if (isSideShelf(side)) {
          const kept = await removeSideShelf(await contextOf(), side)
          const url = `${api.site}/hc/${kept?.id.startsWith('c') ? 'categories' : 'sections'}/${kept?.id.replace(/^c/, '')}`
          if (!kept) outcomes.push({ kind, mark, result: 'removed' })
          else outcomes.push({ kind, mark, result: 'kept', destinationId: kept.id, url, message: kept.message })
        } else {
          const url = `${api.site}/admin/objects-rules/tickets/ticket-fields`
          const message = 'Other records of this account may use this field.'
          outcomes.push({ kind, mark, result: 'kept', destinationId: String(destinationId), url, message })
        }
      }
      return outcomes
    },
    preflight: async () => checkBeforehand((await learn()).me),
  }
}

export function describeAccount(site: string, { tickets, locales, guide, articles }: Known): DestinationDescription {
  const withParent = { removal: 'with parent' as const, isUnchangeable: true }
  const ticket = describeEntity(tickets, { required: ['subject'], customFields: 'any' })
  const comment = describeEntity(desk.comments, { required: ['ticket'] })
  for (const field of [ticket.fields.description, comment.fields.body]) if (field) field.isFixed = true
  const contact = describeEntity(desk.contacts, {
    required: ['name'],
    customFields: 'any',
    capabilities: { deliveryClass: 'A', backdate: false, silentCreate: true },
  })
  const { language, ...others } = contact.fields
  const offered =
    language && locales.length > 0 ? { language: { ...language, type: 'option' as const, options: [...locales] } } : {}
  return {
    account: { name: new URL(site).host },
    textFormat: 'html',
    // Told by Zendesk's help pages, not by the API; a file that is too large is refused by itself.
    maxFileBytes: 50 * 1024 * 1024,
    capabilities: {
      deliveryClass: 'C',
      delete: true,
      silentCreate: false,
      backdate: true,
      createField: true,
      batchSize: 20,
      concurrency: 4,
      requestsAtOnce,
      settleMs: 0,
    },
    entities: {
      groups: describeEntity(desk.groups, {
        required: ['name'],
        unites: { kind: 'group', by: ['name'] },
        capabilities: { backdate: false, concurrency: 1, silentCreate: true },
      }),
      organizations: describeEntity(desk.organizations, {
        required: ['name'],
        customFields: 'any',
        unites: { kind: 'organization', by: ['name'] },
        capabilities: { deliveryClass: 'A', backdate: false, silentCreate: true },
      }),
      contacts: { ...contact, fields: { ...others, ...offered } },
      tickets: {
        ...ticket,
        // No triggers run on an import; what automations of the account do later, nobody can tell.
        sendsMail: true,
        carries: { comments: { most: 1_000, backdate: true } },
        capabilities: { batchSize: 4, concurrency: 4 },
      },
      comments: {
        ...comment,
        ...withParent,
        sendsMail: true,
        capabilities: { backdate: false, lane: 'ticket' },
      },
      ...(guide && describeGuide(guide, articles)),
      attachments: {
        ...describeEntity(desk.attachments, { required: ['parent', 'file_name'] }),
        ...withParent,
        capabilities: { backdate: false, lane: 'parent', silentCreate: true },
      },
    },
  }
}

function describeGuide({ locales }: Guide, articles: Entity): DestinationDescription['entities'] {
  const quiet = { backdate: false, silentCreate: true }
  const category = describeEntity(desk.categories, {
    required: ['name'],
    unites: { kind: 'category', by: ['name', 'parent_category'] },
    fixedRelations: ['parent_category'],
    capabilities: { ...quiet, concurrency: 1 },
  })
  const article = describeEntity(articles, { required: ['title'], capabilities: { ...quiet, concurrency: 1 } })
  const { parent_category: parent } = category.fields
  const { locale } = article.fields
  if (parent) parent.isFixed = true
  if (locale) Object.assign(locale, { type: 'option', options: [...locales], isFixed: true })
  return { categories: category, articles: article }
}

function checkBeforehand({ role }: RawRecord): PreflightCheck[] {
  const isFine = role === 'admin'
  return [
    {
      code: 'rights',
      isFine,
      isBlocking: true,
      message: isFine ? 'The user may write everything.' : 'Only administrators of Zendesk may import tickets.',
      ...(isFine ? {} : { fix: 'Connect Zendesk with an API token of an administrator.' }),
    },
    {
      code: 'closed_tickets',
      isFine: true,
      isBlocking: false,
      message:
        'Zendesk adds nothing to closed tickets. Files of closed tickets are refused, and so are comments that come later.',
      fix: 'To keep those files, map the status closed to solved. Zendesk closes solved tickets by itself.',
    },
  ]
}
