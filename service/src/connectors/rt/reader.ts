import { PassThrough, type Readable } from 'node:stream'
import { RetryableError } from '../../errors.ts'
import { askForLess } from '../../outbound/ask-for-less.ts'
import type { Account, Reader } from '../contract.ts'
import { countEach } from '../count-each.ts'
import { createRtApi, type RtApi } from './api.ts'
import { countSkipped } from './count-skipped.ts'
import { listFields, lookupTypes, type RtField, readFields } from './custom-fields.ts'
import { followRt } from './follow-address.ts'
import { findGone, findIds } from './list-ids.ts'
import { listAgents, listPeople, readPeople } from './list-people.ts'
import { readAttachmentId } from './message-to-family.ts'
import { once } from './once.ts'
import { listQueueIds, passPage, type ReadContext, readPageOf } from './read-pages.ts'
import { readSomeOf } from './read-some.ts'
import type { MapFacts } from './to-family.ts'
import { openWebPages } from './web-pages.ts'

/** A page of tickets costs the server some 20 ms a ticket, so that larger pages only take longer. */
const usualPage = 50

export function openReader(account: Account, pageSize = usualPage): Reader {
  const api = createRtApi(account)
  const pages = openWebPages(account)
  const context: ReadContext = { api, pageSize, facts: once(() => readFacts(api)), fields: fieldsOnce(api) }
  return {
    count(only) {
      const unknown = async () => null
      const counters = {
        groups: async () => (await listQueueIds(api)).length,
        // Only reading everything would tell how many different words there are.
        organizations: unknown,
        async contacts() {
          const { total } = await listPeople(api, null, 1, ['id'])
          return total === null ? null : total - (await context.facts()).system.size
        },
        tickets: async () => (await api.list('/tickets', { query: 'id > 0', fields: ['id'], perPage: 1 })).total,
        // The history tells how many messages there are, those of tickets that were merged and deleted among them.
        comments: unknown,
        attachments: unknown,
      }
      return countEach(counters, only)
    },
    countSkipped: () => countSkipped(context),
    users: async (cursor) => listAgents(api, (await context.facts()).agents, cursor, pageSize),
    async customFields(entity) {
      if (!isLookup(entity) || entity === 'comments') return []
      return listFields(entity, await context.fields(entity))
    },
    read(entity, cursor, { since }) {
      const page = (size: number) => readPageOf({ ...context, pageSize: size }, entity, cursor, { since })
      // Pages of people have their numbers by their size; they hold no long texts.
      return isPeople(entity) ? page(pageSize) : askForLess(pageSize, page)
    },
    after: (entity, cursor) => passPage(entity, cursor, pageSize),
    readSome: (entity, wanted, cursor) => readSomeOf(context, entity, wanted, cursor),
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
        body: retryable(stream.body),
      }
    },
  }
}

async function readFacts(api: RtApi): Promise<MapFacts> {
  return { base: api.base, ...(await readPeople(api)) }
}

const isPeople = (entity: string) => entity === 'contacts' || entity === 'organizations'

const isLookup = (entity: string): entity is keyof typeof lookupTypes => Object.hasOwn(lookupTypes, entity)

function fieldsOnce(api: RtApi) {
  const known = new Map<string, () => Promise<Map<string, RtField>>>()
  return (entity: keyof typeof lookupTypes) => {
    const read = known.get(entity) ?? once(() => readFields(api, entity))
    known.set(entity, read)
    return read()
  }
}

/** A transfer that breaks off is tried again, like a request that does. */
function retryable(body: Readable): Readable {
  const passed = new PassThrough()
  body.on('error', (cause) => passed.destroy(new RetryableError('the transfer of a file broke off', { cause })))
  passed.on('close', () => body.destroy())
  return body.pipe(passed)
}
