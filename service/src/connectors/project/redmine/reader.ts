import { PassThrough, type Readable } from 'node:stream'
import { RetryableError } from '../../../errors.ts'
import type { Family } from '../../../families/index.ts'
import { askForLess } from '../../../outbound/ask-for-less.ts'
import type { Account, Reader, RecordPage } from '../../contract/contract.ts'
import { countEach } from '../../kit/count-each.ts'
import { createRedmineApi, type RedmineApi } from './api.ts'
import type { MapContext, MappedRecord } from './build-record.ts'
import { countSkipped } from './count-skipped.ts'
import { type Customized, movableFields, toCustomField } from './custom-fields.ts'
import { createDirectory, type Directory } from './directory.ts'
import { followRedmine } from './follow-address.ts'
import { findGone, findIds } from './list-ids.ts'
import { countUsers, listToolUsers, listUsers } from './list-users.ts'
import { passPage } from './pass-page.ts'
import { prepareContext } from './prepare-context.ts'
import { issueEntity, type MappedPage, readComments, readIssueFiles, readIssues } from './read-issues.ts'
import { readOffsetPage } from './read-offset-page.ts'
import {
  isProjectList,
  readProjectFiles,
  readProjectList,
  readProjects,
  readWiki,
  readWikiFiles,
} from './read-projects.ts'
import { readSome } from './read-some.ts'
import { ticketExtras, toContact } from './to-helpdesk.ts'
import { toTimeEntry } from './to-project.ts'

/** One opened instance, as the reading functions pass it around. */
export interface Reading {
  api: RedmineApi
  directory: Directory
  family: Family
  pageSize: number
  contextFor(items: readonly unknown[]): Promise<MapContext>
}

/** Each issue costs a request of its own, so pages are smaller than what Redmine would list. */
const usualPage = 50

const customized: Record<string, Customized> = {
  projects: 'project',
  groups: 'project',
  milestones: 'version',
  issues: 'issue',
  tickets: 'issue',
  time_entries: 'time_entry',
  contacts: 'user',
}

export function openRedmineReader(account: Account, family: Family, pageSize = usualPage): Reader {
  const api = createRedmineApi(account)
  const directory = createDirectory(api, family)
  const reading: Reading = {
    api,
    directory,
    family,
    pageSize,
    contextFor: (items) => prepareContext({ api, directory, family }, items),
  }
  return {
    count: (only) => countEach(countersOf(reading), only),
    countSkipped: () => countSkipped(api),
    users: (cursor) => listToolUsers(api, cursor, pageSize),
    async customFields(entity) {
      const own = customized[entity]
      if (own === undefined) return []
      const fields = movableFields((await directory.vocabulary()).fields, own).map(toCustomField)
      return entity === 'tickets' ? [...Object.values(ticketExtras), ...fields] : fields
    },
    // Each issue is an answer of its own; together they must not be too long, either.
    read: (entity, cursor, { since }) =>
      askForLess(pageSize, async (size) =>
        toPage(await readEntity({ ...reading, pageSize: size }, entity, cursor, since), since),
      ),
    after: (entity, cursor) => passPage(reading, entity, cursor),
    async readSome(entity, wanted, cursor) {
      const page = await readSome(reading, entity, wanted, cursor, (place) => readEntity(reading, entity, place))
      return toPage(page)
    },
    follow: (address, from) => followRedmine(address, api.base, from, family),
    findIds: (entity, ids) => findIds(reading, entity, ids),
    findGone: (entity, ids) => findGone(reading, entity, ids),
    async openFile({ sourceId }) {
      const { headers, body } = await api.download(sourceId)
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

function readEntity(reading: Reading, entity: string, cursor: string | null, since?: string): Promise<MappedPage> {
  if (entity === issueEntity(reading)) return readIssues(reading, cursor, since)
  if (entity === 'comments') return readComments(reading, cursor, since)
  if (entity === 'attachments') return readFiles(reading, cursor, since)
  if (entity === 'projects' || entity === 'groups') return readProjects(reading, cursor)
  if (isProjectList(entity)) return readProjectList(reading, entity, cursor)
  if (entity === 'time_entries') return readTimeEntries(reading, cursor)
  if (entity === 'wiki_pages') return readWiki(reading, cursor)
  if (entity === 'contacts') return readContacts(reading, cursor)
  // Redmine has nothing of the kind, such as organizations.
  return Promise.resolve({ mapped: [], next: null })
}

/** Files hang on issues, wiki pages and projects; one after the other, the cursor says where we are. */
async function readFiles(reading: Reading, cursor: string | null, since?: string): Promise<MappedPage> {
  const steps = {
    issues: (place: string | null) => readIssueFiles(reading, place, since),
    wiki: (place: string | null) => readWikiFiles(reading, place),
    files: (place: string | null) => readProjectFiles(reading, place),
  }
  const names = (reading.family === 'helpdesk' ? ['issues'] : ['issues', 'wiki', 'files']) as (keyof typeof steps)[]
  const at = cursor?.indexOf('|') ?? -1
  const step = names.find((name) => name === cursor?.slice(0, at)) ?? 'issues'
  const { mapped, next } = await steps[step](cursor === null || at === cursor.length - 1 ? null : cursor.slice(at + 1))
  if (next !== null) return { mapped, next: `${step}|${next}` }
  const following = names[names.indexOf(step) + 1]
  return { mapped, next: following === undefined ? null : `${following}|` }
}

async function readTimeEntries(reading: Reading, cursor: string | null): Promise<MappedPage> {
  const source = { path: '/time_entries.json', name: 'time_entries', query: { sort: 'created_on' } }
  const { items, next } = await readOffsetPage(reading.api, source, cursor, reading.pageSize)
  const context = await reading.contextFor(items)
  return { mapped: items.map((item) => toTimeEntry(context, item)), next }
}

async function readContacts(reading: Reading, cursor: string | null): Promise<MappedPage> {
  const { items, next } = await listUsers(reading.api, cursor, reading.pageSize)
  const context = await reading.contextFor(items.map(({ given }) => given))
  return { mapped: items.map(({ given, isLocked }) => toContact(context, given, isLocked)), next }
}

function countersOf({ api, directory, family }: Reading): Record<string, () => Promise<number | null>> {
  const total = async (path: string, name: string, query = {}) =>
    (await api.list(path, name, { ...query, limit: 1 })).total
  const issues = () => total('/issues.json', 'issues', { status_id: '*' })
  const projects = async () => (await directory.projects()).length
  const unknown = async () => null
  if (family === 'helpdesk') {
    const contacts = () => countUsers(api)
    return { groups: projects, contacts, tickets: issues, comments: unknown, attachments: unknown }
  }
  return {
    projects,
    memberships: unknown,
    milestones: unknown,
    components: unknown,
    issues,
    comments: unknown,
    time_entries: () => total('/time_entries.json', 'time_entries'),
    wiki_pages: unknown,
    attachments: unknown,
  }
}

/** Lists that cannot be filtered by time are read whole; what has no time of its own is always given. */
function toPage({ mapped, next, skipped }: MappedPage, since?: string): RecordPage {
  const isWanted = ({ record: { updatedAt } }: MappedRecord) =>
    since === undefined || updatedAt === undefined || updatedAt >= since
  const wanted = mapped.filter(isWanted)
  const warnings = wanted.flatMap((one) => one.warnings)
  return { items: wanted.map(({ record }) => record), warnings, next, ...(skipped && { skipped }) }
}

/** A transfer that breaks off is tried again, like a request that does. */
function retryable(body: Readable): Readable {
  const passed = new PassThrough()
  body.on('error', (cause) => passed.destroy(new RetryableError('the transfer of a file broke off', { cause })))
  passed.on('close', () => body.destroy())
  return body.pipe(passed)
}
