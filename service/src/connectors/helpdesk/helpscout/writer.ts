import type { Account, DestinationDescription, PreflightCheck, RemoveOutcome, Writer } from '../../contract/contract.ts'
import { toCustomField } from '../../kit/custom-fields.ts'
import { findRecords } from '../../kit/find.ts'
import { noKey } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { once } from '../../kit/once.ts'
import { removeRecords } from '../../kit/remove.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { writeEach } from '../../kit/write-each.ts'
import { asStored, describeEntity } from '../../kit/write-record.ts'
import { createHelpscoutApi, label, requestsAtOnce } from './api.ts'
import * as desk from './entities.ts'
import { createInFlight } from './in-flight.ts'
import { ownTalkOf, readFacts } from './look-around.ts'
import { listUsers } from './reader.ts'
import { findMessages, maxFileBytes, storedComment, storedFile, writeComment, writeFile } from './write-messages.ts'
import {
  findContacts,
  findOrganizations,
  foundContact,
  foundOrganization,
  valuesOf,
  type WriteContext,
  writeContact,
  writeOrganization,
} from './write-people.ts'
import { foundTicket, mostCarried, storedTicket, ticketKey, ticketNow, writeTickets } from './write-tickets.ts'

/** How long lists and searches may not know yet what was written. */
const settleMs = 60_000

export function openHelpscoutWriter(account: Account): Writer {
  const api = createHelpscoutApi(account)
  const inFlight = createInFlight(account.sides)
  let known: WriteContext | null = null
  const learn = once(async (): Promise<WriteContext> => {
    const [me, facts] = [await api.look('/v2/users/me', []), await readFacts(api)]
    known = { api, inFlight, facts, me: String((me.json as { id?: unknown } | null)?.id ?? '') }
    return known
  })
  const byIds = (path: string) => async (ids: readonly string[]) =>
    (await sideBySide(ids, requestsAtOnce, (id) => api.one(`${path}/${id}`))).flatMap((raw) => raw ?? [])
  const ticketsByIds = async (ids: readonly string[]) => {
    const context = await learn()
    return (await sideBySide(ids, requestsAtOnce, (id) => ticketNow(context, id))).flatMap((raw) => raw ?? [])
  }
  const deleting = (path: string) => async (removable: readonly { destinationId: string }[]) => {
    const answers = []
    for (const { destinationId } of removable) {
      answers.push(await api.send('DELETE', `${path}/${destinationId}`, undefined, true))
    }
    return answers
  }

  return {
    describe: async () => describeAccount(await learn()),
    users: (cursor) => listUsers(api, cursor),

    async write(entity, records) {
      const context = await learn()
      if (entity === 'organizations') return writeEach(records, (record) => writeOrganization(context, record))
      if (entity === 'contacts') return writeEach(records, (record) => writeContact(context, record))
      if (entity === 'tickets') return writeTickets(context, records)
      if (entity === 'comments') return writeEach(records, (record) => writeComment(context, record))
      throw new Error(`${label} takes no ${entity}`)
    },
    async writeFile(_entity, file) {
      try {
        return await writeFile(await learn(), file)
      } finally {
        file.body.destroy()
      }
    },

    async find(entity, sought) {
      const context = await learn()
      if (entity === 'comments' || entity === 'attachments') return findMessages(context, entity, sought)
      if (entity === 'tickets') {
        const toFound = async (raw: RawRecord) => foundTicket(context, raw, await ownTalkOf(api, raw))
        return findRecords({ byIds: ticketsByIds, key: ticketKey(context), toFound }, sought)
      }
      const unplaced = sought.filter(({ destinationId }) => destinationId === null)
      if (entity === 'organizations') {
        const placed = { byIds: byIds('/v2/organizations'), key: noKey, toFound: foundOrganization }
        return [...(await findRecords(placed, sought)), ...(await findOrganizations(context, unplaced))]
      }
      const toFound = (raw: RawRecord) => foundContact(context, raw)
      const placed = await findRecords({ byIds: byIds('/v2/customers'), key: noKey, toFound }, sought)
      return [...placed, ...(await findContacts(context, unplaced))]
    },

    async remove(entity, records) {
      const context = await learn()
      if (entity === 'organizations') {
        const versionOf = (raw: RawRecord) => foundOrganization(raw).version
        const findNeed = async ({ id }: RawRecord) => {
          const raw = await api.one(`/v2/organizations/${id}?includeCounts=true`)
          return Number(raw?.customerCount ?? 0) > 0 ? 'People of this account belong to it.' : null
        }
        const send = deleting('/v2/organizations')
        return removeRecords({ label, byIds: byIds('/v2/organizations'), versionOf, findNeed, send }, records)
      }
      if (entity === 'contacts') {
        const versionOf = (raw: RawRecord) => foundContact(context, raw).version
        // With a customer Help Scout would delete all their conversations, for good.
        const findNeed = async ({ conversationCount: count }: RawRecord) =>
          count === 0 ? null : 'Conversations of this account name them.'
        const send = deleting('/v2/customers')
        return removeRecords({ label, byIds: byIds('/v2/customers'), versionOf, findNeed, send }, records)
      }
      if (entity === 'tickets') {
        const versionOf = async (raw: RawRecord) => foundTicket(context, raw, await ownTalkOf(api, raw)).version
        return removeRecords({ label, byIds: ticketsByIds, versionOf, send: deleting('/v2/conversations') }, records)
      }
      return sideBySide(records, 1, async ({ key, destinationId }): Promise<RemoveOutcome> => {
        const [ticketId, threadId, fileId] = destinationId.split('-')
        const path = `/v2/conversations/${ticketId}`
        const sent = fileId
          ? await api.send('DELETE', `${path}/attachments/${fileId}`)
          : await api.send('PATCH', `${path}/threads/${threadId}`, { op: 'replace', path: '/hidden', value: true })
        if (sent.result === 'refused') return { key, result: 'missing' }
        if (fileId) return { key, result: 'removed' }
        return { key, result: 'kept', message: 'Help Scout deletes no single comment. It is hidden now.' }
      })
    },

    asStored(entity, content) {
      // What is read back depends on the account, which `describe` has asked.
      if (!known) throw new Error('asStored needs the description of the account')
      if (entity === 'comments') return storedComment(known.me, content)
      if (entity === 'attachments') return storedFile(content)
      if (entity === 'tickets') return storedTicket(known, content)
      if (entity === 'organizations') return asStored(desk.organizations, content)
      const values = valuesOf(known.facts.properties.values(), content.customFields)
      return { ...asStored(desk.contacts, content), customFields: Object.fromEntries(values) }
    },

    /** Notes of what was in flight: whatever came of it has its own place in the ledger. */
    removeSides: async (records) => records.map(({ kind, mark }) => ({ kind, mark, result: 'removed' })),
    preflight: async () => checkBeforehand(await learn()),
  }
}

export function describeAccount({ facts }: Pick<WriteContext, 'facts'>): DestinationDescription {
  const inbox = { key: 'inbox', label: 'Inbox', type: 'option' as const, many: false }
  const names = facts.inboxes.map(({ name }) => name)
  const fields = [...facts.fields.values()].map(toCustomField)
  return {
    account: { name: label },
    textFormat: 'html',
    maxFileBytes,
    capabilities: {
      deliveryClass: 'C',
      delete: true,
      silentCreate: true,
      backdate: true,
      createField: false,
      batchSize: 10,
      concurrency: 2,
      requestsAtOnce,
      settleMs,
    },
    entities: {
      organizations: describeEntity(desk.organizations, {
        required: ['name'],
        unites: { kind: 'organization', by: ['name'] },
        capabilities: { backdate: false, concurrency: 1 },
      }),
      contacts: describeEntity(desk.contacts, {
        required: ['name'],
        customFields: [...facts.properties.values()].map(toCustomField),
        unites: { kind: 'person', by: ['emails'] },
        capabilities: { backdate: false },
      }),
      tickets: describeEntity(desk.tickets, {
        required: ['requester'],
        customFields: [{ ...inbox, options: [...new Set(names)] }, ...fields],
        carries: { comments: { most: mostCarried } },
        capabilities: { batchSize: 4 },
      }),
      comments: describeEntity(desk.comments, {
        required: ['ticket'],
        removal: 'with parent',
        capabilities: { lane: 'ticket' },
      }),
      attachments: describeEntity(desk.attachments, {
        required: ['parent', 'file_name'],
        removal: 'with parent',
        isUnchangeable: true,
        capabilities: { backdate: false, lane: 'parent' },
      }),
    },
  }
}

function checkBeforehand({ facts: { inboxes } }: WriteContext): PreflightCheck[] {
  const [first] = inboxes
  return [
    {
      code: 'inbox',
      isFine: first !== undefined,
      isBlocking: true,
      message: first
        ? `Tickets go to the inbox "${first.name}", unless the mapping names another one.`
        : 'The user sees no inbox of Help Scout, so there is no place for tickets.',
      ...(first ? {} : { fix: 'Give the user access to an inbox in Help Scout, and check again.' }),
    },
  ]
}
