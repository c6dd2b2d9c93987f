import type { Family } from '../../../families/index.ts'
import type { RecordRef } from '../../../families/record.ts'
import { askForLess } from '../../../outbound/ask-for-less.ts'
import type { Account, Reader, RecordPage } from '../../contract/contract.ts'
import { countEach } from '../../kit/count-each.ts'
import { countSkippedEach } from '../../kit/count-skipped.ts'
import { toFile } from '../../kit/files.ts'
import { createRedmineApi } from './api.ts'
import type { MappedRecord } from './build-record.ts'
import { movableFields, toCustomField } from './custom-fields.ts'
import { createDirectory } from './directory.ts'
import { followRedmine } from './follow-address.ts'
import { contacts, listToolUsers } from './list-users.ts'
import { prepareContext } from './prepare-context.ts'
import { comments, filesOfIssue, issues, readIssueFiles } from './read-issues.ts'
import { passOffsetPage, readOffsetPage } from './read-offset-page.ts'
import { components, memberships, milestones, projects } from './read-projects.ts'
import { filesOfPage, filesOfProject, readProjectFiles, readWikiFiles, wikiPages } from './read-wiki.ts'
import { places, take } from './schema.ts'
import { inSteps, isNumber, type MappedPage, type Reading, type Shelf } from './shelf.ts'
import { ticketExtras } from './to-helpdesk.ts'
import { toTimeEntry } from './to-project.ts'

/** Each issue costs a request, so pages are smaller than Redmine's limit. */
const usualPage = 50

const timeEntries: Shelf = {
  kind: 'timeEntry',
  custom: 'time_entry',
  count: ({ api }) => api.count('timeEntry'),
  async read({ api, pageSize, contextFor }, cursor) {
    const source = { path: '/time_entries.json', name: 'time_entries', query: { sort: 'created_on' } }
    const { items, next } = await readOffsetPage(api, source, cursor, pageSize)
    const context = await contextFor(items)
    return { mapped: items.map((item) => toTimeEntry(context, item)), next }
  },
  after: passOffsetPage,
  async byId({ api, contextFor }, id) {
    const entry = await api.find(`/time_entries/${id}.json`, 'time_entry')
    return entry === null ? [] : [toTimeEntry(await contextFor([entry]), entry)]
  },
  async under({ api, contextFor }, { sourceId }) {
    if (!isNumber(sourceId)) return { mapped: [] }
    const query = { issue_id: sourceId, sort: 'created_on' }
    const listed = await api.listAll('/time_entries.json', 'time_entries', query)
    // Redmine's filter also returns the entries of subtasks.
    const own = listed.filter((entry) => String(take('timeEntry', entry).issue?.id) === sourceId)
    const context = await contextFor(own)
    return { mapped: own.map((entry) => toTimeEntry(context, entry)) }
  },
}

/** Files of issues, wiki pages and projects are read one after the other. The cursor names the kind. */
const attachments: Shelf = {
  kind: 'attachment',
  read(reading, cursor, since) {
    const names = reading.family === 'helpdesk' ? ['issues'] : ['issues', 'wiki', 'files']
    return inSteps(names, cursor, (step, place) => {
      if (step === 'issues') return readIssueFiles(reading, place, since)
      return (step === 'wiki' ? readWikiFiles : readProjectFiles)(reading, place)
    })
  },
  after(cursor, size) {
    const [step, place = ''] = (cursor ?? 'issues|').split('|')
    return step === 'issues' ? `issues|${Number(place || 1) + size}` : null
  },
  async under(reading, parent) {
    const filesOf = { wiki_pages: filesOfPage, projects: filesOfProject }[parent.entity] ?? filesOfIssue
    return { mapped: await filesOf(reading, parent) }
  },
}

/** The readers of each family's entities. Redmine has nothing for the others, such as organizations. */
const shelves: Partial<Record<Family, Record<string, Shelf>>> = {
  project: {
    ...{ projects, memberships, milestones, components, issues, comments },
    ...{ time_entries: timeEntries, wiki_pages: wikiPages, attachments },
  },
  helpdesk: { groups: projects, contacts, tickets: issues, comments, attachments },
}

/** Entities that Redmine can find by id or list in a few requests. The others would all have to be read. */
export const tellsDeleted = ['projects', 'groups', 'issues', 'tickets', 'wiki_pages']

export function openRedmineReader(account: Account, family: Family, pageSize = usualPage): Reader {
  const api = createRedmineApi(account)
  const directory = createDirectory(api, family)
  const contextFor: Reading['contextFor'] = (items) => prepareContext({ api, directory, family }, items)
  const reading: Reading = { api, directory, family, pageSize, contextFor }
  const known = shelves[family] ?? {}
  const counters = Object.entries(known).map(([entity, { count }]) => [entity, async () => count?.(reading) ?? null])
  return {
    count: (only) => countEach(Object.fromEntries(counters), only),
    // Counts kinds that the reader never reads. The length of histories is known only after reading.
    countSkipped: () =>
      countSkippedEach({
        news: () => api.total('/news.json', 'news'),
        saved_queries: () => api.total('/queries.json', 'queries'),
      }),
    users: (cursor) => listToolUsers(api, cursor, pageSize),
    async customFields(entity) {
      const own = known[entity]?.custom
      if (own === undefined) return []
      const fields = movableFields((await directory.vocabulary()).fields, own).map(toCustomField)
      return entity === 'tickets' ? [...Object.values(ticketExtras), ...fields] : fields
    },
    // A page has one answer per issue. If these are too long together, the page is read with fewer issues.
    read: (entity, cursor, { since }) =>
      askForLess(pageSize, async (size) =>
        toPage((await known[entity]?.read({ ...reading, pageSize: size }, cursor, since)) ?? nothing, since),
      ),
    after: (entity, cursor) => known[entity]?.after?.(cursor, pageSize) ?? null,
    async readSome(entity, wanted, cursor) {
      const shelf = known[entity]
      if (!shelf) return toPage(nothing)
      if ('parents' in wanted) return toPage(await readUnder(reading, shelf, wanted.parents, cursor))
      return toPage(await readThese(reading, shelf, wanted.ids, cursor))
    },
    follow: (address, from) => followRedmine(address, api.base, from, family),
    findIds: async (entity, ids) => (await known[entity]?.listed?.(reading, ids)) ?? [],
    /** Redmine answers 404 for a missing record and 403 for one that the account may not see. */
    async findGone(entity, ids) {
      const gone: string[] = []
      for (const id of ids) {
        const path = known[entity] ? pathOf(known[entity], id) : null
        if (path !== null && (await api.look(path)) === 404) gone.push(id)
      }
      return gone
    },
    openFile: async ({ sourceId }) => toFile(await api.download(sourceId)),
  }
}

const nothing: MappedPage = { mapped: [], next: null }

function pathOf({ kind, path }: Shelf, id: string): string | null {
  if (path) return path(id)
  return kind && isNumber(id) ? `/${places[kind][0]}/${id}.json` : null
}

/** Cursor: `index:place`, the next wanted item and the place where a long thread was interrupted. */
async function readInTurn<W>(
  { pageSize }: Reading,
  wanted: readonly W[],
  cursor: string | null,
  read: (one: W, place: number) => ReturnType<NonNullable<Shelf['under']>>,
): Promise<MappedPage> {
  const [start = 0, place = 0] = (cursor ?? '0:0').split(':').map(Number)
  const mapped: MappedRecord[] = []
  for (const [index, one] of [...wanted.entries()].slice(start)) {
    if (mapped.length >= pageSize) return { mapped, next: `${index}:0` }
    const part = await read(one, index === start ? place : 0)
    mapped.push(...part.mapped)
    if (typeof part.lastId === 'number') return { mapped, next: `${index}:${part.lastId}` }
  }
  return { mapped, next: null }
}

const readUnder = (reading: Reading, { under }: Shelf, parents: readonly RecordRef[], cursor: string | null) =>
  readInTurn(reading, parents, cursor, async (parent, place) => (await under?.(reading, parent, place)) ?? nothing)

async function readThese(reading: Reading, shelf: Shelf, ids: readonly string[], cursor: string | null) {
  const { byId, path } = shelf
  if (byId) {
    const isId = path ? () => true : isNumber
    return readInTurn(reading, ids, cursor, async (id) => ({ mapped: isId(id) ? await byId(reading, id) : [] }))
  }
  // A file does not name its parent, so all records with files are searched.
  const { mapped, next } = await shelf.read(reading, cursor)
  return { mapped: mapped.filter(({ record }) => ids.includes(record.sourceId)), next }
}

/** Lists that Redmine cannot filter by time are filtered here. A record without a time is always returned. */
function toPage({ mapped, next, skipped }: MappedPage, since?: string): RecordPage {
  const isWanted = ({ record: { updatedAt } }: MappedRecord) =>
    since === undefined || updatedAt === undefined || updatedAt >= since
  const wanted = mapped.filter(isWanted)
  const warnings = wanted.flatMap((one) => one.warnings)
  return { items: wanted.map(({ record }) => record), warnings, next, ...(skipped && { skipped }) }
}
