import { setTimeout as sleep } from 'node:timers/promises'
import type {
  Account,
  DestinationDescription,
  OutgoingRecord,
  PreflightCheck,
  WriteOutcome,
  Writer,
} from '../../contract/contract.ts'
import type { Entity } from '../../kit/entity.ts'
import { findRecords } from '../../kit/find.ts'
import { noKey } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { valueAt } from '../../kit/lens.ts'
import { once } from '../../kit/once.ts'
import { refused } from '../../kit/outcomes.ts'
import { readAll } from '../../kit/pages.ts'
import { removeRecords } from '../../kit/remove.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { asStored, describeEntity, toStored } from '../../kit/write-record.ts'
import { createIntercomApi, label, requestsAtOnce } from './api.ts'
import * as desk from './entities.ts'
import { lacking, textOf, toStates } from './look-around.ts'
import { type FieldEntity, openFields, storedCustom } from './own-fields.ts'
import { listAdmins } from './reader.ts'
import { openRecall } from './recall.ts'
import { putBackState } from './threads.ts'
import * as help from './write-help.ts'
import * as messages from './write-messages.ts'
import * as people from './write-people.ts'
import * as desks from './write-tickets.ts'

/** Time during which the search of tickets may miss a new one. The vendor speaks of minutes for contacts. */
const settleMs = 180_000

interface Known {
  me: string
  name: string
  workspace: string
  states: readonly desk.State[]
  hasTickets: boolean
  tickets: Entity<desk.Facts>
}

export function openIntercomWriter(account: Account): Writer {
  const { sides, leftovers } = account
  const api = createIntercomApi(account)
  const fields = openFields(api, sides)
  const tags = new Map<string, string>()
  let known: Known | null = null
  const learn = once(async (): Promise<Known> => {
    const { json } = await api.http.ask('/me')
    const me = api.one(json)
    const any = { field: 'created_at', operator: '>', value: 0 }
    const probe = { query: any, pagination: { per_page: 1 } }
    const searched = await api.http.send('POST', '/tickets/search', { json: probe })
    const states = toStates(await api.short('/ticket_states', 'data', {}, lacking))
    known = {
      me: String(me.id),
      name: textOf(valueAt(me, 'app.name')) ?? label,
      workspace: textOf(valueAt(me, 'app.id_code')) ?? '',
      states,
      hasTickets: searched.result === 'done',
      tickets: { ...desk.tickets, fields: { ...desk.tickets.fields, status: desk.statusLens(states) } },
    }
    return known
  })
  const contextOf = async () => {
    const { me, workspace, states, tickets } = await learn()
    const recall = openRecall(sides, 'sent_message')
    return { api, fields, workspace, me, states, tags, tickets, recall, leftovers }
  }
  const helpOf = async () => ({ api, me: (await learn()).me, recall: openRecall(sides, 'sent_article') })
  const teams = async () => (await api.short('/teams', 'teams')) as RawRecord[]
  const foundTeam = (raw: RawRecord) => ({ ...toStored(label, desk.groups, raw), version: null, url: null })
  const deleting = (pathOf: (id: string) => string) => (removable: readonly { destinationId: string }[]) =>
    sideBySide(removable, requestsAtOnce, ({ destinationId }) =>
      api.http.send('DELETE', pathOf(encodeURIComponent(destinationId))),
    )

  return {
    describe: async () => describeAccount(await learn()),
    users: () => listAdmins(api),

    async write(entity, records) {
      const context = await contextOf()
      if (entity === 'groups') return matchTeams(records, await teams())
      if (entity === 'organizations' || entity === 'contacts') return people.writePeople(context, entity, records)
      if (entity === 'tickets') return desks.writeTickets(context, records)
      if (entity === 'comments') return messages.writeComments(context, records)
      if (entity === 'articles' || entity === 'categories') return help.writeHelp(await helpOf(), entity, records)
      throw new Error(`${label} takes no ${entity}`)
    },
    async writeFile(_entity, file) {
      try {
        return await messages.writeFile(await contextOf(), file)
      } finally {
        file.body.destroy()
      }
    },

    async find(entity, records) {
      const context = await contextOf()
      if (entity === 'comments' || entity === 'attachments') return messages.findMessages(context, entity, records)
      if (entity === 'articles' || entity === 'categories') return help.findHelp(await helpOf(), entity, records)
      if (entity === 'organizations' || entity === 'contacts') {
        const toFound = (raw: RawRecord) => people.foundPerson(context, entity, raw)
        const [byIds, key] = [people.peopleByIds(context, entity), people.peopleKey(context, entity)]
        return findRecords({ byIds, key, toFound }, records)
      }
      if (entity === 'tickets') {
        const toFound = (raw: RawRecord) => desks.foundTicket(context, raw)
        return findRecords({ byIds: desks.ticketsByIds(context), key: desks.ticketKey(context), toFound }, records)
      }
      const byIds = async (ids: readonly string[]) => (await teams()).filter(({ id }) => ids.includes(String(id)))
      return findRecords({ byIds, key: noKey, toFound: foundTeam }, records)
    },

    async remove(entity, records) {
      const context = await contextOf()
      if (entity === 'organizations' || entity === 'contacts') {
        const path = entity === 'contacts' ? '/contacts' : '/companies'
        const findNeed = ({ id }: RawRecord) => (entity === 'contacts' ? needOfContact(id) : needOfCompany(id))
        const versionOf = async (raw: RawRecord) => (await people.foundPerson(context, entity, raw)).version
        const byIds = people.peopleByIds(context, entity)
        const send = async (removable: readonly { destinationId: string }[]) => {
          const answers = await deleting((id) => `${path}/${id}`)(removable)
          // Companies go a moment after the answer.
          for (let looks = 0; entity === 'organizations' && looks < 20; looks += 1) {
            if ((await byIds(removable.map(({ destinationId }) => destinationId))).length === 0) break
            await sleep(500, undefined, { signal: account.signal })
          }
          return answers
        }
        return removeRecords({ label, byIds, versionOf, findNeed, send }, records)
      }
      if (entity === 'articles' || entity === 'categories') {
        const own = await helpOf()
        const findNeed = async ({ id }: RawRecord) =>
          entity === 'categories' && (await help.articlesIn(own, id)) ? 'Articles of this account stand in it.' : null
        const send = (removable: readonly { destinationId: string }[]) =>
          sideBySide(removable, 1, ({ destinationId }) => help.removeHelp(own, destinationId))
        const byIds = (ids: readonly string[]) => help.helpByIds(own, ids)
        const isMoved = (written: string, now: string) => help.isMovedUp(own, written, now)
        return removeRecords({ label, byIds, versionOf: help.helpVersion, isMoved, findNeed, send }, records)
      }
      if (entity !== 'tickets') throw new Error(`${label} removes ${entity} with their tickets`)
      const versionOf = async (raw: RawRecord) => (await desks.foundTicket(context, raw)).version
      const byIds = desks.ticketsByIds(context)
      return removeRecords({ label, byIds, versionOf, send: deleting((id) => `/tickets/${id}`) }, records)
    },

    asStored(entity, content) {
      // The content read back depends on the account, which `describe` has requested.
      if (!known) throw new Error('asStored needs the description of the account')
      if (entity === 'comments') return messages.storedComment(known.me, content)
      if (entity === 'attachments') return messages.storedFile(content)
      if (entity === 'groups') return asStored(desk.groups, content)
      if (entity === 'articles' || entity === 'categories') return help.storedHelp(known, entity, content)
      const declared = { organizations: desk.organizations, contacts: desk.contacts, tickets: known.tickets }
      const name = entity as FieldEntity
      return { ...asStored(declared[name], content), customFields: storedCustom(name, content.customFields) }
    },

    /** A ticket whose state was to be put back when the worker died. */
    async restore(items) {
      for (const { ticket, state, open } of items) {
        await putBackState(api, String(ticket), { state: String(state), open: open === 1 })
      }
      return [...items]
    },
    /** People may have come to use an attribute for their own records: only they can tell. Notes of ours are no records. */
    removeSides: async (records) =>
      records.map(({ kind, mark, destinationId }) =>
        destinationId === null || kind.startsWith('sent_')
          ? { kind, mark, result: 'removed' }
          : {
              ...{
                kind,
                mark,
                result: 'kept',
                destinationId,
                url: `${api.site}/a/apps/${known?.workspace ?? ''}/settings`,
              },
              message: 'Other records of this account may use this field.',
            },
      ),
    preflight: async () => checkBeforehand(await learn()),
  }

  /** The search may still name what was deleted: each is looked at by itself. */
  async function needOfContact(id: unknown): Promise<string | null> {
    const query = { field: 'contact_ids', operator: '=', value: String(id) }
    const named = await readAll(api.search('conversations', query), 20)
    for (const { id: conversation, ticket } of named) {
      const now = ticket ? null : await api.find(`/conversations/${encodeURIComponent(String(conversation))}`)
      if (now) return 'Conversations of this account name them.'
    }
    return null
  }
  async function needOfCompany(id: unknown): Promise<string | null> {
    const { status, json } = await api.http.look(`/companies/${encodeURIComponent(String(id))}/contacts`, [404])
    const list = status === 404 ? [] : (json as { data?: unknown } | null)?.data
    return Array.isArray(list) && list.length > 0 ? 'Contacts of this account belong to it.' : null
  }
}

/** Only people make teams in Intercom. */
function matchTeams(records: readonly OutgoingRecord[], teams: readonly RawRecord[]): WriteOutcome[] {
  const named = (value: unknown) =>
    String(value ?? '')
      .trim()
      .toLowerCase()
  return records.map(({ key, fields, destinationId }) => {
    const same = teams.find(({ id, name }) =>
      destinationId === null ? named(name) === named(fields.name) : String(id) === destinationId,
    )
    return same
      ? { key, result: 'matched', destinationId: String(same.id), url: null }
      : refused(key, 'no_team', 'Intercom has no team of this name, and lets only people make teams.')
  })
}

export function describeAccount({ name, tickets, hasTickets }: Known): DestinationDescription {
  const withParent = { removal: 'with parent' as const, isUnchangeable: true }
  const ticket = describeEntity(tickets, { required: ['subject', 'requester'], customFields: 'any' })
  const comment = describeEntity(desk.comments, { required: ['ticket'] })
  if (comment.fields.body) comment.fields.body.isFixed = true
  const strong = { backdate: false, silentCreate: true }
  return {
    account: { name },
    textFormat: 'html',
    maxFileBytes: messages.maxFileBytes,
    capabilities: {
      ...{ deliveryClass: 'C', delete: true, silentCreate: true, backdate: true, createField: true },
      ...{ batchSize: 15, concurrency: 3, requestsAtOnce, settleMs: 0 },
    },
    entities: {
      groups: describeEntity(desk.groups, {
        required: ['name'],
        unites: { kind: 'group', by: ['name'] },
        capabilities: { ...strong, concurrency: 1 },
      }),
      organizations: describeEntity(desk.organizations, {
        required: ['name'],
        customFields: 'any',
        capabilities: { ...strong, deliveryClass: 'A' },
      }),
      // A second request links a person to the company, so one that is found after a lost answer may be half made: class C.
      contacts: describeEntity(desk.contacts, { required: ['name'], customFields: 'any', capabilities: strong }),
      ...(hasTickets && {
        tickets: { ...ticket, fixedRelations: ['requester'], capabilities: { settleMs } },
        comments: { ...comment, ...withParent, capabilities: { lane: 'ticket' } },
        attachments: {
          ...describeEntity(desk.attachments, { required: ['parent', 'file_name'] }),
          ...{ ...withParent, capabilities: { lane: 'parent' } },
        },
      }),
      categories: describeEntity(desk.categories, {
        required: ['name'],
        capabilities: { ...strong, concurrency: 1 },
      }),
      articles: describeEntity(desk.articles, { required: ['title'], capabilities: { ...strong, concurrency: 1 } }),
    },
  }
}

function checkBeforehand({ hasTickets }: Known): PreflightCheck[] {
  return [
    {
      code: 'tickets_in_plan',
      isFine: hasTickets,
      isBlocking: false,
      message: hasTickets ? 'The workspace has tickets.' : 'The plan of this Intercom workspace has no tickets.',
      ...(hasTickets ? {} : { fix: 'Choose a plan with tickets, or copy contacts, companies and articles only.' }),
    },
    {
      code: 'plain_tickets',
      isFine: true,
      isBlocking: false,
      message:
        'Intercom keeps descriptions of tickets and public replies as plain text. Formatting in them is lost; notes and articles keep it.',
    },
  ]
}
