import type { Account, RemovableRecord, SentRelation, SideOutcome, Writer } from '../../contract/contract.ts'
import { comparing } from '../../kit/compared-texts.ts'
import type { Entity } from '../../kit/entity.ts'
import { findRecords } from '../../kit/find.ts'
import type { Sent } from '../../kit/http.ts'
import { type Lens, omit, type RawRecord } from '../../kit/lens.ts'
import * as is from '../../kit/lenses.ts'
import { once } from '../../kit/once.ts'
import { removeRecords } from '../../kit/remove.ts'
import { sidesInMemory } from '../../kit/sides-in-memory.ts'
import { asStored } from '../../kit/write-record.ts'
import { createApi, type FreshdeskApi, label, largestPage } from './api.ts'
import { checkBeforehand, describeAccount, type Known } from './describe.ts'
import * as desk from './entities.ts'
import { listAgents } from './find-gone.ts'
import { isSideShelf, removeSideShelf, urlOf } from './folders.ts'
import { type Facts, languageLens, statusLens, typeLens } from './lenses.ts'
import { beginning } from './list-tickets.ts'
import { readFacts } from './look-around.ts'
import { openFields, storedCustom } from './own-fields.ts'
import { hasSolutions } from './solutions.ts'
import { findArticleFiles, isOfArticle, writeArticleFile } from './write-article-files.ts'
import { findArticles, removeArticles, writeArticles } from './write-articles.ts'
import {
  contactKey,
  entityOf,
  forgetNotes,
  foundPerson,
  namedKey,
  type PeopleEntity,
  peopleByIds,
  writeContacts,
  writeNamed,
} from './write-people.ts'
import { findShelves, removeShelves, writeShelves } from './write-shelves.ts'
import {
  findMessages,
  foundTicket,
  noteKind,
  storedComment,
  storedFile,
  ticketKey,
  ticketsByIds,
  writeComments,
  writeFile,
  writeTickets,
} from './write-tickets.ts'

export function openFreshdeskWriter(account: Account): Writer {
  const api = createApi(account)
  const sides = account.sides ?? sidesInMemory()
  const fields = openFields(api, sides)
  let known: Known | null = null
  const learn = once(async (): Promise<Known> => {
    const facts = await readFacts(api)
    const me = String(api.one((await api.http.ask('/agents/me')).json, 'agent').id)
    const languages = await readLanguages(api)
    known = {
      api,
      fields,
      sides,
      me,
      listed: new Map(),
      languages,
      required: facts.required,
      tickets: ticketsOf(facts, me),
      contacts: contactsOf(languages),
      articles: articlesOf(me),
      hasGuide: await hasSolutions(api),
    }
    return known
  })

  return {
    describe: async () => describeAccount(api.site, await learn()),
    users: (cursor) => listAgents(api, cursor, largestPage),

    async write(entity, records) {
      const context = await learn()
      if (entity === 'groups' || entity === 'organizations') return writeNamed(context, entity, records)
      if (entity === 'contacts') return writeContacts(context, records)
      if (entity === 'tickets') return writeTickets(context, records)
      if (entity === 'comments') return writeComments(context, records)
      if (entity === 'categories') return writeShelves(context, records)
      if (entity === 'articles') return writeArticles(context, records)
      throw new Error(`${label} takes no ${entity}`)
    },
    async writeFile(_entity, file) {
      try {
        const isOfArticle = (file.fields.parent as SentRelation | undefined)?.entity === 'articles'
        return await (isOfArticle ? writeArticleFile : writeFile)(await learn(), file)
      } finally {
        file.body.destroy()
      }
    },

    async find(entity, records) {
      const context = await learn()
      if (entity === 'categories') return findShelves(context, records)
      if (entity === 'articles') return findArticles(context, records)
      if (entity === 'attachments') {
        const [ofArticles, others] = [records.filter(isOfArticle), records.filter((one) => !isOfArticle(one))]
        return [...(await findMessages(context, entity, others)), ...(await findArticleFiles(context, ofArticles))]
      }
      if (entity === 'comments') return findMessages(context, entity, records)
      if (entity === 'tickets') {
        await forgetNotes(context, noteKind, records)
        const toFound = (raw: RawRecord) => foundTicket(context, raw)
        return findRecords({ byIds: ticketsByIds(context), key: ticketKey(context), toFound }, records)
      }
      const name = entity as PeopleEntity
      const key = name === 'contacts' ? contactKey(context) : namedKey(context, name)
      await forgetNotes(context, `${name}_of_record`, records)
      const toFound = (raw: RawRecord) => foundPerson(context, name, raw)
      return findRecords({ byIds: peopleByIds(context, name), key, toFound }, records)
    },

    async remove(entity, records) {
      const context = await learn()
      if (entity === 'categories') return removeShelves(context, records)
      if (entity === 'articles') return removeArticles(context, records)
      const rules = { label, send: (removable: readonly RemovableRecord[]) => removeEach(entity, removable) }
      if (entity === 'tickets') {
        const versionOf = async (raw: RawRecord) => (await foundTicket(context, raw)).version
        return removeRecords({ ...rules, byIds: ticketsByIds(context), versionOf }, records)
      }
      if (!(entity in paths)) throw new Error(`${label} removes ${entity} with their tickets`)
      const name = entity as PeopleEntity
      const versionOf = async (raw: RawRecord) => (await foundPerson(context, name, raw)).version
      const findNeed = ({ id }: RawRecord) => needOf(name, id)
      return removeRecords({ ...rules, byIds: peopleByIds(context, name), versionOf, findNeed }, records)
    },

    asStored(entity, content) {
      // The content read back depends on the account, which `describe` has requested.
      if (!known) throw new Error('asStored needs the description of the account')
      if (entity === 'comments') return storedComment(known.me, content)
      if (entity === 'attachments') return storedFile(content)
      if (entity === 'groups') return asStored(desk.groups, content)
      if (entity === 'categories') return asStored(desk.categories, content)
      if (entity === 'articles') return asStored(known.articles, content)
      const declared = entity === 'tickets' ? known.tickets : entityOf(known, entity as PeopleEntity)
      const stored = asStored(declared, content)
      return { ...stored, customFields: storedCustom(entity as 'tickets', content.customFields) }
    },

    /**
     * People may use a field for their own records: only they can tell. Everything else without a shelf is a note of
     * ours.
     */
    async removeSides(records) {
      const outcomes: SideOutcome[] = []
      for (const side of records) {
        const { kind, mark, destinationId } = side
        if (isSideShelf(side)) {
          const kept = await removeSideShelf({ api, sides }, side)
          const place = kept && { destinationId: kept.id, url: urlOf({ api, sides }, kept.id), message: kept.message }
          outcomes.push(place ? { kind, mark, result: 'kept', ...place } : { kind, mark, result: 'removed' })
        } else if (destinationId === null || !kind.startsWith('field_of_')) {
          outcomes.push({ kind, mark, result: 'removed' })
        } else {
          const url = `${api.site}/a/admin/ticket_fields`
          const message = 'Other records of this account may use this field.'
          outcomes.push({ kind, mark, result: 'kept', destinationId, url, message })
        }
      }
      return outcomes
    },
    preflight: async () => checkBeforehand(await learn()),
  }

  /**
   * To the trash, from which tickets and contacts can be restored. Never permanently: that would delete a contact's
   * tickets.
   */
  async function removeEach(entity: string, removable: readonly RemovableRecord[]): Promise<Sent[]> {
    const answers: Sent[] = []
    for (const { destinationId } of removable) {
      answers.push(await api.http.send('DELETE', `${paths[entity]}/${encodeURIComponent(destinationId)}`))
    }
    return answers
  }
  async function needOf(name: PeopleEntity, id: string | number): Promise<string | null> {
    const has = async (path: string, query: Record<string, string | number>) =>
      (await api.page(path, query, 1, 1)).items.length > 0
    if (name === 'contacts' && (await has('/tickets', { requester_id: id, updated_since: beginning }))) {
      return 'Tickets of this account name them.'
    }
    return name === 'organizations' && (await has('/contacts', { company_id: id }))
      ? 'People of this account belong to it.'
      : null
  }
}

const paths: Readonly<Record<string, string>> = {
  groups: '/groups',
  organizations: '/companies',
  contacts: '/contacts',
  tickets: '/tickets',
}

/** With the choices of this account. A ticket without a requester is of the agent whose key it is. */
const ticketsOf = ({ statuses, types }: Facts, me: string): Entity<Facts> => {
  const { type: _type, ...fields } = desk.tickets.fields
  const requester = comparing(is.reference('requester_id', 'contacts', { empty: omit }), (id) =>
    String(id) === me ? null : String(id),
  )
  const own = { ...fields, requester, status: statusLens(statuses) }
  return { ...desk.tickets, fields: types.length > 0 ? { ...own, type: typeLens(types) } : own }
}

async function readLanguages(api: FreshdeskApi): Promise<string[]> {
  const { status, json } = await api.http.look('/settings/helpdesk', [403, 404])
  const { primary_language: first, supported_languages: others } = (status === 200 ? json : {}) as Record<
    string,
    unknown
  >
  const names = [first, others].flat().filter((one): one is string => typeof one === 'string' && one !== '')
  // Only an account with several languages takes any.
  return new Set(names).size > 1 ? [...new Set(names)] : []
}

/** An article without an author is of the agent whose key it is. */
const articlesOf = (me: string): Entity<Facts> => {
  const author = comparing(desk.articles.fields.author as Lens<Facts>, (id) => (String(id) === me ? null : String(id)))
  return { ...desk.articles, fields: { ...desk.articles.fields, author } }
}

const contactsOf = ([usual]: readonly string[]): Entity<Facts> => {
  const { language: _language, ...fields } = desk.contacts.fields
  return { ...desk.contacts, fields: usual === undefined ? fields : { ...fields, language: languageLens(usual) } }
}
