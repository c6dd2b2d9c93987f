import { PassThrough, type Readable } from 'node:stream'
import { RetryableError } from '../../errors.ts'
import { entityOf } from '../../families/index.ts'
import type { Account, Reader, RecordPage } from '../contract.ts'
import { createFernhillApi, type FernhillApi } from './api.ts'
import { builtInFields, type TicketField, toCustomField, toTicketField } from './custom-fields.ts'
import { listAgents } from './list-agents.ts'
import { type RawRecord, takeFields } from './schema.ts'
import {
  type MappedRecord,
  toArticle,
  toAttachments,
  toCategory,
  toComment,
  toContact,
  toGroup,
  toOrganization,
  toTicket,
} from './to-family.ts'

/** The most that the API gives at once. */
const largestPage = 100
/** Most comments have no files. So many pages of them are passed before an empty page is handed out. */
const pagesWithoutFiles = 10

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
      if (!isListed(entity)) throw new Error(`Fernhill Desk has no ${entityOf('helpdesk', entity).name}`)
      const { data, next } = await api.list(entity, { after: cursor, since })
      const toRecord = await readers[entity](api)
      return toPage(data.map(toRecord), next)
    },
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

type ToRecord = (raw: RawRecord) => MappedRecord

/** How each entity becomes records; some need to ask for more, once a page. */
const readers = {
  groups: async (api: FernhillApi): Promise<ToRecord> => {
    const members = await readMembers(api)
    return (raw) => toGroup(raw, members.get(raw.id) ?? [])
  },
  organizations: async (): Promise<ToRecord> => toOrganization,
  contacts: async (): Promise<ToRecord> => toContact,
  tickets: async (api: FernhillApi): Promise<ToRecord> => {
    const fields = await readTicketFields(api)
    return (raw) => toTicket(raw, fields)
  },
  comments: async (): Promise<ToRecord> => toComment,
  categories: async (): Promise<ToRecord> => toCategory,
  articles: async (): Promise<ToRecord> => toArticle,
}

function isListed(entity: string): entity is keyof typeof readers {
  return Object.hasOwn(readers, entity)
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

function toPage(mapped: readonly MappedRecord[], next: string | null): RecordPage {
  return { items: mapped.map(({ record }) => record), warnings: mapped.flatMap(({ warnings }) => warnings), next }
}

async function readTicketFields(api: FernhillApi): Promise<Map<string, TicketField>> {
  const fields = new Map<string, TicketField>()
  for (const raw of await api.listAll('ticket_fields')) {
    const field = toTicketField(raw)
    const { key } = takeFields('ticket_fields', raw).raw
    if (field && key !== undefined) fields.set(key, field)
  }
  return fields
}

/** Agents know their groups; groups do not know their agents. */
async function readMembers(api: FernhillApi): Promise<Map<number, number[]>> {
  const members = new Map<number, number[]>()
  for (const agent of await api.listAll('agents')) {
    for (const group of takeFields('agents', agent).raw.group_ids ?? []) {
      members.set(group, [...(members.get(group) ?? []), agent.id])
    }
  }
  return members
}

/** A transfer that breaks off is tried again, like a request that does. */
function retryable(body: Readable): Readable {
  const passed = new PassThrough()
  body.on('error', (cause) => passed.destroy(new RetryableError('the transfer of a file broke off', { cause })))
  passed.on('close', () => body.destroy())
  return body.pipe(passed)
}
