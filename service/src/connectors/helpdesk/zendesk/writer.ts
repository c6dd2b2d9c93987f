import type { Account, PreflightCheck, Writer } from '../../contract/contract.ts'
import { comparing } from '../../kit/compared-texts.ts'
import type { Entity } from '../../kit/entity.ts'
import type { Lens, RawRecord } from '../../kit/lens.ts'
import { once } from '../../kit/once.ts'
import { openWriter } from '../../kit/open-writer.ts'
import { preflightCheck, tell } from '../../kit/preflight-check.ts'
import { removeShelvesAndFields } from '../../kit/side-shelves.ts'
import { sidesInMemory } from '../../kit/sides-in-memory.ts'
import { createZendeskApi, label, largestPage, requestsAtOnce } from './api.ts'
import * as desk from './entities.ts'
import * as lenses from './lenses.ts'
import { readFacts } from './look-around.ts'
import { openFields } from './own-fields.ts'
import { listAgents } from './reader.ts'
import { shelfRules } from './shelves.ts'
import { openSuspensions, restoreSuspensions } from './suspensions.ts'
import { zoneNames } from './time-zones.ts'
import { guideEntities, readGuide } from './write-guide.ts'
import { messageEntities } from './write-messages.ts'
import { peopleEntities } from './write-people.ts'
import { ticketEntity } from './write-tickets.ts'

export function openZendeskWriter(account: Account): Writer {
  const api = createZendeskApi(account)
  const sides = account.sides ?? sidesInMemory()
  const me = once(async () => api.one((await api.http.ask('/users/me')).json, 'user'))

  return openWriter(label, {
    describe: async () => ({
      account: { name: new URL(api.site).host },
      textFormat: 'html',
      // This limit comes from Zendesk's help pages, because the API does not state one. Zendesk refuses larger files.
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
    }),
    async entities() {
      const { activeStatuses, ...facts } = await readFacts(api)
      const own = String((await me()).id)
      const agents = await api.all('/users?role[]=agent&role[]=admin', 'users')
      const groups = agents.flatMap(({ id, default_group_id: group }): [string, number][] =>
        typeof group === 'number' ? [[String(id), group]] : [],
      )
      const guide = await readGuide(api)
      const context = {
        ...{ api, sides, me: own, fields: openFields(api, sides) },
        suspensions: openSuspensions(api, account.leftovers),
        contacts: withFields(desk.contacts, {
          language: lenses.languageLens(facts.locale),
          // Zendesk gives the account's own zone to people without one. If we do not know it, we write none.
          timezone: { ...lenses.zoneLens(facts.zone), ...(zoneNames.has(facts.zone ?? '') ? {} : { write: null }) },
        }),
        tickets: withFields(desk.tickets, {
          status: lenses.statusLens({ ...facts, statuses: activeStatuses }),
          requester: lenses.requesterLens(own),
          group: lenses.groupLens(new Map(groups)),
        }),
      }
      const { comments, attachments } = messageEntities(context)
      return {
        ...peopleEntities(context, facts.locales),
        tickets: ticketEntity(context),
        comments,
        ...(guide && guideEntities({ ...context, guide, articles: articlesOf(own, guide.locale) })),
        attachments,
      }
    },
    users: (cursor) => listAgents(api, cursor, largestPage),
    namesPeople: true,
    removeSides: (records) =>
      removeShelvesAndFields(records, shelfRules({ api, sides }), {
        isField: (kind) => kind.endsWith('_field'),
        url: `${api.site}/admin/objects-rules/tickets/ticket-fields`,
      }),
    restore: (items) => restoreSuspensions(api, items),
    preflight: async () => checkBeforehand(await me()),
  })
}

const withFields = <A>(entity: Entity<A>, fields: Record<string, Lens<A>>): Entity<A> => ({
  ...entity,
  fields: { ...entity.fields, ...fields },
})

/** Zendesk names the token's owner as author if none is given, and uses the Help Center's language. */
const articlesOf = (me: string, usual: string): Entity =>
  withFields(desk.articles, {
    author: comparing(desk.articles.fields.author as Lens, (id) => (String(id) === me ? null : String(id))),
    locale: comparing(desk.articles.fields.locale as Lens, (locale) => (locale === usual ? null : locale)),
  })

const tellOfLaterRuns = (...told: Parameters<typeof tell>): PreflightCheck => ({
  ...tell(...told),
  isAboutLaterRuns: true,
})

const checkBeforehand = ({ role }: RawRecord): PreflightCheck[] => [
  preflightCheck('rights', role === 'admin', true, {
    fine: 'The user may write everything.',
    amiss: 'Only administrators of Zendesk may import tickets.',
    fix: 'Connect Zendesk as an administrator.',
  }),
  tellOfLaterRuns(
    'closed_tickets',
    'Zendesk adds nothing to closed tickets. Comments and files that come in a later run are refused.',
    'To get those as well, map the status closed to solved. Zendesk closes solved tickets by itself.',
  ),
  tellOfLaterRuns(
    'mail_about_comments',
    'Zendesk sends the requester a mail about each public comment that a later run adds to a copied ticket. New tickets and the comments in them cause no mail.',
    'Before you copy later changes, turn off the trigger "Notify requester and CCs of comment update" and followers. Turn them on again afterwards.',
  ),
  tellOfLaterRuns(
    'mail_about_files',
    'Files that cannot be sent together with their ticket arrive as internal notes. Zendesk sends a mail about each of them to the agent and the followers of the ticket.',
    'To avoid these mails, turn off followers and the trigger "Notify assignee of comment update" until the import is done.',
  ),
]
