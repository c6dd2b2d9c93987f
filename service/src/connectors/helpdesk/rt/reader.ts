import { RetryableError } from '../../../errors.ts'
import { retryTransfer } from '../../../outbound/stream-form.ts'
import type { Account, Reader } from '../../contract/contract.ts'
import { once } from '../../kit/once.ts'
import { readLists } from '../../kit/read-lists.ts'
import { createRtApi, label } from './api.ts'
import { openCounts } from './count.ts'
import { followRt } from './follow-address.ts'
import { findGone, findIds } from './list-ids.ts'
import { listAgents, readPeople } from './list-people.ts'
import { openLists } from './lists.ts'
import { readAttachmentId } from './message-to-family.ts'
import { openWebPages } from './web-pages.ts'

/** The server needs about 20 ms per ticket, so larger pages save no time. */
const usualPage = 50

export function openReader(account: Account, pageSize = usualPage): Reader {
  const api = createRtApi(account)
  const pages = openWebPages(account)
  const facts = once(async () => ({ base: api.base, ...(await readPeople(api)) }))
  return {
    ...readLists(label, openLists(api, facts), pageSize),
    ...openCounts(api, facts),
    users: async (cursor) => listAgents(api, (await facts()).agents, cursor, pageSize),
    /** The cursor after the next page. People are listed by page number, tickets and messages by id. */
    after(entity, cursor) {
      if (['contacts', 'organizations'].includes(entity)) return String(Number(cursor ?? 1) + 1)
      return ['tickets', 'comments', 'attachments'].includes(entity) ? String(Number(cursor ?? 0) + pageSize) : null
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
