import { PassThrough, type Readable } from 'node:stream'
import { RetryableError } from '../../errors.ts'
import type { Account, Reader, RecordPage } from '../contract.ts'
import { createFernhillApi, type FernhillApi } from './api.ts'
import { builtInFields, toCustomField } from './custom-fields.ts'
import { readerOf, readers, readTicketFields, toPage } from './entity-readers.ts'
import { followFernhill } from './follow-address.ts'
import { listAgents } from './list-agents.ts'
import { findGone, findIds } from './list-ids.ts'
import { readSome } from './read-some.ts'
import type { ListName } from './schema.ts'
import { toAttachments } from './to-family.ts'

/** The most that the API gives at once. */
const largestPage = 100
/** Most comments have no files. So many pages of them are passed before an empty page is handed out. */
const pagesWithoutFiles = 10

export const tellsDeleted = [...Object.keys(readers), 'attachments']

export function openFernhill(account: Account, pageSize = largestPage): Reader {
  const api = createFernhillApi(account, pageSize)
  return {
    async count() {
      const { counts } = await api.account()
      return Object.fromEntries([...Object.keys(readers), 'attachments'].map((name) => [name, counts[name] ?? null]))
    },
    users: (cursor) => listAgents(api, cursor),
    async customFields(entity) {
      if (entity === 'organizations') return Object.values(builtInFields.organizations)
      if (entity !== 'tickets') return []
      const fields = [...(await readTicketFields(api)).values()]
      return [...fields.map(toCustomField), builtInFields.tickets.cc]
    },
    async read(entity, cursor, { since }) {
      if (entity === 'attachments') return readAttachments(api, cursor, since)
      const toRecord = await readerOf(entity)(api)
      const { data, next } = await api.list(entity as keyof typeof readers, { after: cursor, since })
      return toPage(data.map(toRecord), next)
    },
    after: (_entity, cursor) => passIds(cursor, pageSize),
    readSome: (entity, wanted, cursor) => readSome(api, entity, wanted, cursor),
    follow: (address, from) => followFernhill(address, String(account.access.instanceUrl), from),
    findIds: (entity, ids) => findIds(api, entity as ListName, ids),
    findGone: (entity, ids) => findGone(api, entity as ListName, ids),
    async openFile({ sourceId }) {
      const { headers, body } = await api.content(sourceId)
      const size = Number(headers['content-length'] ?? Number.NaN)
      const contentType = headers['content-type']
      return {
        size: Number.isSafeInteger(size) ? size : null,
        contentType: typeof contentType === 'string' ? contentType : null,
        body: retryable(body),
      }
    },
  }
}

/** A cursor names the last id that was handed out. A page holds at least the ids that follow it closely. */
function passIds(cursor: string | null, pageSize: number): string | null {
  const last = cursor === null ? ['', '0'] : /^id:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))
  return last && Buffer.from(`id:${Number(last[1]) + pageSize}`).toString('base64url')
}

/** By way of the comments: only they tell who added a file and whether customers may see it. */
async function readAttachments(api: FernhillApi, cursor: string | null, since?: string): Promise<RecordPage> {
  let next = cursor
  for (let pages = 0; ; pages += 1) {
    const page = await api.list('comments', { after: next, since })
    const files = page.data.flatMap(toAttachments)
    next = page.next
    if (files.length > 0 || next === null || pages === pagesWithoutFiles) return toPage(files, next)
  }
}

/** A transfer that breaks off is tried again, like a request that does. */
function retryable(body: Readable): Readable {
  const passed = new PassThrough()
  body.on('error', (cause) => passed.destroy(new RetryableError('the transfer of a file broke off', { cause })))
  passed.on('close', () => body.destroy())
  return body.pipe(passed)
}
