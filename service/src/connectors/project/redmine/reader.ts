import type { Family } from '../../../families/index.ts'
import type { FamilyRecord } from '../../../families/record.ts'
import { askForLess } from '../../../outbound/ask-for-less.ts'
import type { Account, Reader, RecordPage } from '../../contract/contract.ts'
import { countEach } from '../../kit/count-each.ts'
import { countSkippedEach } from '../../kit/count-skipped.ts'
import { inOrder, inSteps, type Part } from '../../kit/nested-pages.ts'
import { toPage } from '../../kit/read-record.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { createRedmineApi } from './api.ts'
import { createDirectory } from './directory.ts'
import { followRedmine } from './link-references.ts'
import { comments, issueFiles, issues } from './read-issues.ts'
import { contacts, listToolUsers, timeEntries } from './read-offset-lists.ts'
import { components, memberships, milestones, projectFiles, projects, wikiFiles, wikiPages } from './read-projects.ts'
import { isNumber, prepareContext, type Reading, type Shelf } from './reading.ts'
import { listOf } from './schema.ts'
import { type FileItem, ticketExtras, toAttachment } from './to-records.ts'
import { movableFields, toCustomField } from './vocabulary.ts'

/** Each issue costs a request, so pages are smaller than Redmine's limit. */
const usualPage = 50

const fileShelves = { issues: issueFiles, wiki: wikiFiles, files: projectFiles }

/** Files of issues, wiki pages and projects are read one after the other. The cursor names the kind. */
const attachments: Shelf<FileItem> = {
  kind: 'attachment',
  list(reading, cursor, since) {
    const others = reading.family === 'helpdesk' ? [] : (['wiki', 'files'] as const)
    return inSteps(['issues', ...others], '|', cursor, (kind, place) => fileShelves[kind].list(reading, place, since))
  },
  after(cursor, size) {
    const [step, place = ''] = (cursor ?? 'issues|').split('|')
    return step === 'issues' ? `issues|${Number(place || 1) + size}` : null
  },
  under(reading, parent, place) {
    const shelf = { wiki_pages: wikiFiles, projects: projectFiles }[parent.entity] ?? issueFiles
    return shelf.under(reading, parent, place)
  },
  map: toAttachment,
}

/** The readers of each family's entities. Redmine has nothing for the others, such as organizations. */
const shelves: Partial<Record<Family, Record<string, Shelf>>> = {
  project: {
    ...{ projects, memberships, milestones, components, issues, comments },
    ...{ time_entries: timeEntries, wiki_pages: wikiPages, attachments },
  },
  helpdesk: { groups: projects, contacts, tickets: issues, comments, attachments },
}

const emptyShelf: Shelf = { list: async () => ({ items: [], next: null }), map: () => null }

export function openRedmineReader(account: Account, family: Family, pageSize = usualPage): Reader {
  const api = createRedmineApi(account)
  const directory = createDirectory(api, family)
  const reading: Reading = { api, directory, family, pageSize }
  const known = shelves[family] ?? {}
  const counters = Object.entries(known).map(([entity, { count }]) => [entity, async () => count?.(reading) ?? null])

  const shelfOf = (entity: string) => known[entity] ?? emptyShelf
  const mapPage = async (
    { map }: Shelf,
    { items, next, ...more }: Awaited<ReturnType<Shelf['list']>>,
    isWanted: (record: FamilyRecord) => boolean = () => true,
  ): Promise<RecordPage> => {
    if (items.length === 0) return { ...toPage([], next), ...more }
    const context = await prepareContext(reading, items)
    const mapped = await sideBySide(items, 1, async (item) => map(context, item))
    const wanted = mapped.flatMap((one) => (one && isWanted(one.record) ? [one] : []))
    return { ...toPage(wanted, next), ...more }
  }

  return {
    count: (only) => countEach(Object.fromEntries(counters), only),
    // Counts kinds that the reader never reads. The length of histories is known only after reading.
    countSkipped: () => countSkippedEach({ news: () => api.total('news'), saved_queries: () => api.total('queries') }),
    users: (cursor) => listToolUsers(api, cursor, pageSize),
    async customFields(entity) {
      const { kind, custom = kind } = shelfOf(entity)
      const fields = custom ? movableFields((await directory.vocabulary()).fields, custom).map(toCustomField) : []
      return entity === 'tickets' ? [...ticketExtras, ...fields] : fields
    },
    async read(entity, cursor, { since }) {
      const shelf = shelfOf(entity)
      // Lists that Redmine cannot filter by time are filtered here. A record without a time is always returned.
      const isWanted = ({ updatedAt }: FamilyRecord) =>
        since === undefined || updatedAt === undefined || updatedAt >= since
      // A page has one answer per issue. If these are too long together, the page is read with fewer issues.
      return askForLess(pageSize, async (size) =>
        mapPage(shelf, await shelf.list({ ...reading, pageSize: size }, cursor, since), isWanted),
      )
    },
    after: (entity, cursor) => shelfOf(entity).after?.(cursor, pageSize) ?? null,
    async readSome(entity, wanted, cursor) {
      const shelf = shelfOf(entity)
      const { byId, under = async () => ({ items: [] }), path } = shelf
      const readEach = async <W>(all: readonly W[], read: (one: W, place: string) => Promise<Part<unknown>>) => {
        const parents = all.map((one, id) => ({ id, one }))
        return mapPage(shelf, await inOrder(parents, cursor, pageSize, ({ one }, place) => read(one, place)))
      }
      if ('parents' in wanted) return readEach(wanted.parents, (parent, place) => under(reading, parent, place))
      const { ids } = wanted
      // A file does not name its parent, so all records with files are searched.
      if (!byId) return mapPage(shelf, await shelf.list(reading, cursor), ({ sourceId }) => ids.includes(sourceId))
      return readEach(ids, async (id) => ({ items: path || isNumber(id) ? await byId(reading, id) : [] }))
    },
    follow: (address, from) => followRedmine(address, api.base, from, family),
    findIds: async (entity, ids) => (await shelfOf(entity).listed?.(reading, ids)) ?? [],
    /** Redmine answers 404 for a missing record and 403 for one that the account may not see. */
    async findGone(entity, ids) {
      const { kind, path = (id) => (kind && isNumber(id) ? `/${listOf(kind)}/${id}.json` : null) } = shelfOf(entity)
      const gone: string[] = []
      for (const id of ids) {
        const address = path(id)
        // A renamed page answers with a redirect.
        const answer = address === null ? null : await api.look(address, [301, 302, 403, 404, 410])
        if (answer?.status === 404) gone.push(id)
      }
      return gone
    },
    openFile: ({ sourceId }) => api.openFile(sourceId),
  }
}
