import { RetryableError } from '../../../errors.ts'
import type { RecordRef } from '../../../families/record.ts'
import { askForLess } from '../../../outbound/ask-for-less.ts'
import { retryTransfer } from '../../../outbound/stream-form.ts'
import type { Account, Reader, RecordPage } from '../../contract/contract.ts'
import { countEach } from '../../kit/count-each.ts'
import { isNumberId } from '../../kit/find-ids.ts'
import { once } from '../../kit/once.ts'
import { toPage } from '../../kit/read-record.ts'
import { anyOf, createRtApi } from './api.ts'
import { countSkipped } from './count-skipped.ts'
import { listFields, readFields } from './custom-fields.ts'
import { followRt } from './follow-address.ts'
import { findGone, findIds } from './list-ids.ts'
import { listAgents, listPeople, readPeople } from './list-people.ts'
import { attachmentList, commentList, listQueueIds, lists, type ReadContext } from './lists.ts'
import { readAttachmentId } from './message-to-family.ts'
import { toMessages, transactionFields } from './read-messages.ts'
import { openWebPages } from './web-pages.ts'

/** A page of tickets costs the server some 20 ms a ticket, so that larger pages only take longer. */
const usualPage = 50
/** How many of the wanted records are dealt with in one page. */
const atOnce = 25
/** Most messages have no files. So many pages of them are passed before an empty page is handed out. */
const emptyPages = 5
const nothing: RecordPage = { items: [], warnings: [], next: null }

export function openReader(account: Account, pageSize = usualPage): Reader {
  const api = createRtApi(account)
  const pages = openWebPages(account)
  const fieldsOf = (entity: 'groups' | 'contacts' | 'tickets') => once(() => readFields(api, entity))
  const custom = { groups: fieldsOf('groups'), contacts: fieldsOf('contacts'), tickets: fieldsOf('tickets') }
  const facts = once(async () => ({ base: api.base, ...(await readPeople(api)) }))
  const context: ReadContext = { api, facts, fields: (entity) => custom[entity]() }
  return {
    count(only) {
      const unknown = async () => null
      const counters = {
        groups: async () => (await listQueueIds(api)).length,
        // Only reading everything would tell how many different words there are.
        organizations: unknown,
        async contacts() {
          const { total } = await listPeople(api, null, 1, 'id')
          return total === null ? null : total - (await facts()).system.size
        },
        tickets: () => api.count('/tickets', 'id > 0'),
        // The history tells how many messages there are, those of tickets that were merged and deleted among them.
        comments: unknown,
        attachments: unknown,
      }
      return countEach(counters, only)
    },
    countSkipped: () => countSkipped(context),
    users: async (cursor) => listAgents(api, (await facts()).agents, cursor, pageSize),
    async customFields(entity) {
      const isKnown = entity === 'groups' || entity === 'contacts' || entity === 'tickets'
      return isKnown ? listFields(entity, await custom[entity]()) : []
    },
    read(entity, cursor, { since }) {
      const page = (size: number) => readPage(context, entity, cursor, size, since)
      // Pages of people have their numbers by their size; they hold no long texts.
      return isPeople(entity) ? page(pageSize) : askForLess(pageSize, page)
    },
    /** People are listed by pages; tickets and messages by what follows an id. */
    after(entity, cursor) {
      if (isPeople(entity)) return String(Number(cursor ?? 1) + 1)
      return lists[entity] && entity !== 'groups' ? String(Number(cursor ?? 0) + pageSize) : null
    },
    async readSome(entity, wanted, cursor) {
      if ('parents' in wanted) return readChildren(context, entity, wanted.parents, cursor, pageSize)
      // The cursor is how many of the wanted are done.
      const done = Number(cursor ?? 0)
      const some = wanted.ids.slice(done, done + atOnce)
      const list = lists[entity]
      const mapped = list ? await list.toRecords(context, await list.byIds(context, some)) : []
      const isWanted = mapped.filter(({ record }) => some.includes(record.sourceId))
      return toPage(isWanted, done + atOnce < wanted.ids.length ? String(done + atOnce) : null)
    },
    follow: (address, from) => followRt(address, api.base, from),
    findIds: (entity, ids) => findIds(api, entity, ids),
    findGone: (entity, ids) => findGone(api, entity, ids),
    async openFile(record) {
      const id = readAttachmentId(record.sourceId)
      const stream = id && (await pages.download(id.transactionId, id.partId))
      if (!stream) throw new RetryableError('Request Tracker does not hand out a file that it lists')
      const { size, content_type } = record.fields
      return {
        size: typeof size === 'number' ? size : null,
        contentType: typeof content_type === 'string' ? content_type : null,
        body: retryTransfer(stream.body),
      }
    },
  }
}

const isPeople = (entity: string) => entity === 'contacts' || entity === 'organizations'

async function readPage(
  context: ReadContext,
  entity: string,
  cursor: string | null,
  size: number,
  since: string | undefined,
): Promise<RecordPage> {
  const list = lists[entity]
  if (!list) return nothing
  let at = cursor
  for (let pages = 1; ; pages += 1) {
    const { items, next } = await list.page(context, at, size, since)
    const mapped = await list.toRecords(context, items)
    if (mapped.length === 0 && next !== null && pages < emptyPages) {
      at = next
      continue
    }
    const isChanged = (updatedAt?: string) =>
      since === undefined || updatedAt === undefined || Date.parse(updatedAt) >= Date.parse(since)
    return toPage(
      mapped.filter(({ record }) => isChanged(record.updatedAt)),
      next,
    )
  }
}

/** The cursor is how many parents are done, and the last message of the one that is not. */
async function readChildren(
  context: ReadContext,
  entity: string,
  parents: readonly RecordRef[],
  cursor: string | null,
  pageSize: number,
): Promise<RecordPage> {
  const [index = 0, after = 0] = (cursor ?? '').split(':').map(Number)
  const parent = parents[index]
  if (!parent || (entity !== 'comments' && entity !== 'attachments')) return nothing
  const nextAfter = (done: number) => (index + done < parents.length ? `${index + done}:0` : null)
  if (parent.entity === 'tickets' && isNumberId(parent.sourceId)) {
    const page = await readThread(context, entity, parent.sourceId, after, pageSize)
    return { ...page, next: page.next === null ? nextAfter(1) : `${index}:${page.next}` }
  }
  if (parent.entity !== 'comments') return { ...nothing, next: nextAfter(1) }
  const others = parents.slice(index, index + atOnce).findIndex((one) => one.entity !== 'comments')
  const some = parents.slice(index, index + (others === -1 ? atOnce : others))
  const ids = some.map(({ sourceId }) => sourceId)
  const files = await attachmentList.toRecords(context, await attachmentList.byIds(context, ids))
  return toPage(files, nextAfter(some.length))
}

/** The history of a ticket also holds what came with tickets that were merged into it. */
async function readThread(
  context: ReadContext,
  entity: 'comments' | 'attachments',
  ticketId: string,
  after: number,
  perPage: number,
): Promise<RecordPage> {
  const { api } = context
  const isLater = { field: 'id', operator: '>', value: String(after) }
  const query = [...anyOf('Type', ['Create', 'Correspond', 'Comment']), isLater]
  const { items } = await api.list(`/ticket/${ticketId}/history`, { query, perPage, ...transactionFields })
  const messages = (await toMessages(api, items)).filter((message) => message.ticketId === ticketId)
  const mapped =
    entity === 'comments'
      ? await commentList.toRecords(context, messages)
      : await attachmentList.toRecords(
          context,
          messages.filter(({ isDescription }) => isDescription),
        )
  return toPage(mapped, items.length < perPage ? null : String(items.at(-1)?.id))
}
