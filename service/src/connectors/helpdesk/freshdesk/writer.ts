import type { Account, Writer } from '../../contract/contract.ts'
import { comparing } from '../../kit/compared-texts.ts'
import type { Entity } from '../../kit/entity.ts'
import { type Lens, omit, type RawRecord } from '../../kit/lens.ts'
import * as is from '../../kit/lenses.ts'
import { once } from '../../kit/once.ts'
import { openWriter } from '../../kit/open-writer.ts'
import { removeShelvesAndFields } from '../../kit/side-shelves.ts'
import { sidesInMemory } from '../../kit/sides-in-memory.ts'
import { createApi, label, largestPage, readLanguages, requestsAtOnce } from './api.ts'
import * as desk from './entities.ts'
import { shelfRules } from './folders.ts'
import { type Facts, languageLens, statusLens, typeLens } from './lenses.ts'
import { readFacts } from './look-around.ts'
import { openFields } from './own-fields.ts'
import { checkBeforehand } from './preflight.ts'
import { listAgents } from './reader.ts'
import { hasSolutions } from './solutions.ts'
import { solutionEntities } from './write-articles.ts'
import { peopleEntities } from './write-people.ts'
import { ticketEntities } from './write-tickets.ts'

export function openFreshdeskWriter(account: Account): Writer {
  const api = createApi(account)
  const sides = account.sides ?? sidesInMemory()
  const facts = once(() => readFacts(api))
  const hasGuide = once(() => hasSolutions(api))

  return openWriter(label, {
    describe: async () => ({
      account: { name: new URL(api.site).host },
      textFormat: 'html',
      maxFileBytes: 20 * 1024 * 1024,
      capabilities: {
        deliveryClass: 'C',
        delete: true,
        silentCreate: false,
        backdate: false,
        createField: true,
        batchSize: 10,
        concurrency: 4,
        requestsAtOnce,
        settleMs: 0,
      },
    }),
    async entities() {
      const me = String(api.one((await api.http.ask('/agents/me')).json, 'agent').id)
      const languages = await readLanguages(api)
      const context = {
        ...{ api, sides, me, fields: openFields(api, sides), listed: new Map<string, RawRecord[]>() },
        tickets: ticketsOf(await facts(), me),
        contacts: contactsOf(languages),
      }
      const { tickets, comments, attachments } = ticketEntities(context)
      return {
        ...peopleEntities(context, languages),
        tickets,
        comments,
        ...((await hasGuide()) && solutionEntities({ ...context, articles: articlesOf(me) })),
        attachments,
      }
    },
    users: (cursor) => listAgents(api, cursor, largestPage),
    namesPeople: true,
    removeSides: (records) =>
      removeShelvesAndFields(records, shelfRules({ api, sides }), {
        isField: (kind) => kind.startsWith('field_of_'),
        url: `${api.site}/a/admin/ticket_fields`,
      }),
    preflight: async () => checkBeforehand((await facts()).required, await hasGuide()),
  })
}

/** Tickets with this account's choices. Freshdesk names the key's owner as requester if none is given. */
const ticketsOf = ({ statuses, types }: Facts, me: string): Entity<Facts> => {
  const { type: _type, ...fields } = desk.tickets.fields
  const requester = comparing(is.reference('requester_id', 'contacts', { empty: omit }), (id) =>
    String(id) === me ? null : String(id),
  )
  const own = { ...fields, requester, status: statusLens(statuses) }
  return { ...desk.tickets, fields: types.length > 0 ? { ...own, type: typeLens(types) } : own }
}

/** Freshdesk names the key's owner as author if none is given. */
const articlesOf = (me: string): Entity<Facts> => {
  const author = comparing(desk.articles.fields.author as Lens<Facts>, (id) => (String(id) === me ? null : String(id)))
  return { ...desk.articles, fields: { ...desk.articles.fields, author } }
}

const contactsOf = ([usual]: readonly string[]): Entity<Facts> => {
  const { language: _language, ...fields } = desk.contacts.fields
  return { ...desk.contacts, fields: usual === undefined ? fields : { ...fields, language: languageLens(usual) } }
}
