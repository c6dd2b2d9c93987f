import type { Account, RemoveOutcome, SentRelation, SideOutcome, Writer } from '../../contract/contract.ts'
import { findRecords } from '../../kit/find.ts'
import { noKey } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { once } from '../../kit/once.ts'
import { removeRecords } from '../../kit/remove.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { sidesInMemory } from '../../kit/sides-in-memory.ts'
import { writeEach } from '../../kit/write-each.ts'
import { asStored } from '../../kit/write-record.ts'
import { createHelpscoutApi, type HelpscoutApi, label, requestsAtOnce } from './api.ts'
import { checkBeforehand, describeAccount, type Known } from './describe.ts'
import { isSideShelf, removeSideShelf, type ShelfContext } from './docs-shelves.ts'
import * as desk from './entities.ts'
import { createInFlight } from './in-flight.ts'
import { ownTalkOf, readFacts } from './look-around.ts'
import { listUsers } from './reader.ts'
import { findCollections, removeCollections, writeCollections } from './write-collections.ts'
import { findDocFiles, isOfArticle, writeDocFile } from './write-doc-files.ts'
import { findArticles, removeArticles, writeArticles } from './write-docs.ts'
import { findMessages, storedComment, storedFile, writeComment, writeFile } from './write-messages.ts'
import {
  findContacts,
  findOrganizations,
  foundContact,
  foundOrganization,
  valuesOf,
  writeContact,
  writeOrganization,
} from './write-people.ts'
import { foundTicket, storedTicket, ticketKey, ticketNow, writeTickets } from './write-tickets.ts'

export function openHelpscoutWriter(account: Account): Writer {
  const api = createHelpscoutApi(account)
  const inFlight = createInFlight(account.sides)
  const sides = account.sides ?? sidesInMemory()
  let known: Known | null = null
  const learn = once(async (): Promise<Known> => {
    const [me, facts] = [await api.look('/v2/users/me', []), await readFacts(api)]
    const site = await readSite(api)
    known = { api, inFlight, facts, me: String((me.json as { id?: unknown } | null)?.id ?? ''), site }
    return known
  })
  const shelves = async (): Promise<ShelfContext> => {
    const { site } = await learn()
    if (!api.docs || !site) throw new Error(`${label} has no Docs here`)
    return { docs: api.docs, sides, siteId: String(site.id) }
  }
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
      if (entity === 'categories') return writeCollections(await shelves(), records)
      if (entity === 'articles') return writeArticles(await shelves(), records)
      throw new Error(`${label} takes no ${entity}`)
    },
    async writeFile(_entity, file) {
      try {
        if ((file.fields.parent as SentRelation | undefined)?.entity === 'articles')
          return await writeDocFile({ ...(await shelves()), openPicture: api.openPicture }, file)
        return await writeFile(await learn(), file)
      } finally {
        file.body.destroy()
      }
    },

    async find(entity, sought) {
      const context = await learn()
      if (entity === 'categories') return findCollections(await shelves(), sought)
      if (entity === 'articles') return findArticles(await shelves(), sought)
      if (entity === 'attachments') {
        const ofArticles = sought.filter(isOfArticle)
        const others = sought.filter((one) => !isOfArticle(one))
        const found = await findMessages(context, entity, others)
        if (ofArticles.length === 0) return found
        const files = { ...(await shelves()), openPicture: api.openPicture }
        return [...found, ...(await findDocFiles(files, ofArticles))]
      }
      if (entity === 'comments') return findMessages(context, entity, sought)
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
      if (entity === 'categories') return removeCollections(await shelves(), records)
      if (entity === 'articles') return removeArticles(await shelves(), records)
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
        // Deleting a customer would permanently delete all their conversations.
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
      // The content read back depends on the account, which `describe` has requested.
      if (!known) throw new Error('asStored needs the description of the account')
      if (entity === 'comments') return storedComment(known.me, content)
      if (entity === 'attachments') return storedFile(content)
      if (entity === 'tickets') return storedTicket(known, content)
      if (entity === 'organizations') return asStored(desk.organizations, content)
      if (entity === 'categories') return asStored(desk.categories, content)
      if (entity === 'articles') return asStored(desk.articles, content)
      const values = valuesOf(known.facts.properties.values(), content.customFields)
      return { ...asStored(desk.contacts, content), customFields: Object.fromEntries(values) }
    },

    /** Everything but shelves is a note: its record has its own row in the ledger. */
    async removeSides(records) {
      const outcomes: SideOutcome[] = []
      for (const side of records) {
        const { kind, mark } = side
        const kept = isSideShelf(side) ? await removeSideShelf(await shelves(), side) : null
        const place = kept && { destinationId: kept.id, url: kept.url, message: kept.message }
        outcomes.push(place ? { kind, mark, result: 'kept', ...place } : { kind, mark, result: 'removed' })
      }
      return outcomes
    },
    preflight: async () => checkBeforehand(await learn()),
  }
}

/** The first site of Docs; null without a key, without Docs, and for a user who may not see them. */
async function readSite({ docs }: HelpscoutApi): Promise<RawRecord | null> {
  if (!docs || (await docs.look('/sites', [403, 404])).status !== 200) return null
  const { items } = await docs.list('/sites', 'sites')(null, 1)
  return items[0] ?? null
}
