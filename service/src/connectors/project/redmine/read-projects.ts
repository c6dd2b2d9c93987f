import type { RecordRef } from '../../../families/record.ts'
import type { Page } from '../../contract/contract.ts'
import { inOrder } from '../../kit/nested-pages.ts'
import type { MappedRecord } from '../../kit/read-record.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { closedProject, hasModule } from './directory.ts'
import { wikiId } from './link-references.ts'
import type { FileShelf, MapContext, Reading, Shelf } from './reading.ts'
import { listOf, parseWhole, type Raw, take, wikiPageSchema } from './schema.ts'
import { type FileItem, records, toComponent, toMembership, toMilestone } from './to-records.ts'

/** How many projects are read for one page. Most projects have few records of each kind. */
const projectsAtOnce = 10

/** Projects are read one by one, because the list lacks the homepage. */
async function findProjects({ api, directory }: Reading, ids: readonly (number | string)[]) {
  const found = await sideBySide(ids, 1, async (id) => {
    const project = await api.find(`/projects/${id}.json`, 'project')
    if (project === null) return []
    const members = [...(await directory.members(Number(id))).keys()].map((user) => ({ id: user }))
    return [{ project, members: members.sort(byId) }]
  })
  return found.flat()
}

export const projects: Shelf<Awaited<ReturnType<typeof findProjects>>[number]> = {
  kind: 'project',
  count: async ({ directory }) => (await directory.projects()).length,
  async list(reading, cursor) {
    const left = (await reading.directory.projects()).map(({ id }) => id).filter((id) => id > Number(cursor ?? 0))
    const page = left.slice(0, reading.pageSize)
    return { items: await findProjects(reading, page), next: left.length > page.length ? String(page.at(-1)) : null }
  },
  after: (cursor, size) => String(Number(cursor ?? 0) + size),
  byId: (reading, id) => findProjects(reading, [id]),
  listed: async ({ directory }, ids) =>
    (await directory.projects()).map(({ id }) => String(id)).filter((id) => ids.includes(id)),
  map: (context, { project, members }) => records('toProject', context, project, members),
}

const projectOf = async ({ directory }: Reading, sourceId: string): Promise<Raw<'project'> | undefined> =>
  (await directory.projects()).find(({ id }) => String(id) === sourceId)

/** Reads the lists of projects, each sorted by its places. */
async function listByProject<T>(
  reading: Reading,
  cursor: string | null,
  list: (reading: Reading, project: Raw<'project'>) => Promise<T[]>,
  placeOf: (item: T) => string | number,
): Promise<Page<T>> {
  const { directory, pageSize } = reading
  const fromId = Number.parseInt(cursor ?? '0', 10)
  const left = (await directory.projects()).filter(({ id }) => id >= fromId)
  const page = await inOrder(left.slice(0, projectsAtOnce), cursor, pageSize, async (project, last) => {
    const isAfter = (place: string | number) => (typeof place === 'number' ? place > Number(last) : place > last)
    const open = (await list(reading, project)).filter((item) => last === '' || isAfter(placeOf(item)))
    const items = open.slice(0, pageSize)
    const end = items.length < open.length ? items.at(-1) : undefined
    return { items, last: end === undefined ? undefined : placeOf(end) }
  })
  const following = left[projectsAtOnce]
  return { items: page.items, next: page.next ?? (following ? `${following.id}:` : null) }
}

const byId = (a: { id: number }, b: { id: number }): number => a.id - b.id

/** Reads a list that each project has. */
function listShelf(
  kind: 'membership' | 'version' | 'issue_category',
  map: (context: MapContext, item: unknown) => MappedRecord | null,
): Shelf<{ id: number }> {
  /** Leaves out versions that other projects share with this one. */
  const listIn = async ({ api }: Reading, project: Raw<'project'>): Promise<{ id: number }[]> => {
    if (kind !== 'membership' && !hasModule(project, 'issue_tracking')) return []
    if (kind === 'issue_category' && project.status === closedProject) return categoriesInUse(api, project.id)
    const listed = (await api.listAll(`/projects/${project.id}/${listOf(kind)}.json`, listOf(kind))) as { id: number }[]
    return listed.filter((item) => (take(kind, item).project?.id ?? project.id) === project.id).sort(byId)
  }
  return {
    kind,
    list: (reading, cursor) => listByProject(reading, cursor, listIn, ({ id }) => id),
    async byId(reading, id) {
      const found = await reading.api.findOpen(kind, id)
      if (found !== 'hidden') return found === null ? [] : [found as { id: number }]
      const closed = (await reading.directory.projects()).filter(({ status }) => status === closedProject)
      const listed = (await Promise.all(closed.map((project) => listIn(reading, project)))).flat()
      return listed.filter((item) => String(item.id) === id)
    },
    async under(reading, { sourceId }) {
      const project = await projectOf(reading, sourceId)
      return { items: project ? await listIn(reading, project) : [] }
    },
    map,
  }
}

export const memberships = listShelf('membership', toMembership)
export const milestones = listShelf('version', toMilestone)
export const components = listShelf('issue_category', toComponent)

/** Redmine hides the categories of a closed project, but its issues still name the categories in use. */
async function categoriesInUse(api: Reading['api'], projectId: number): Promise<{ id: number }[]> {
  const query = { project_id: projectId, subproject_id: '!*', status_id: '*', sort: 'id' }
  const issues = await api.all('issue', query)
  const inUse = new Map(
    issues.flatMap(({ category, project }) => (category ? [[category.id, { ...category, project }]] : [])),
  )
  return [...inUse.values()].sort(byId)
}

export interface WikiPlace {
  projectId: number
  title: string
}

/** A wiki page has no number. Its id is `project/Title`. The project of an invalid id is NaN. */
export function splitWikiId(id: string): WikiPlace {
  const [, projectId, title = ''] = /^(\d{1,9})\/(.*)$/s.exec(id) ?? []
  return { projectId: Number(projectId), title }
}

export const wikiPath = ({ projectId, title }: WikiPlace) =>
  `/projects/${projectId}/wiki/${encodeURIComponent(title)}.json`

export async function findWikiPage({ api }: Pick<Reading, 'api'>, place: WikiPlace) {
  const page = await api.find(wikiPath(place), 'wiki_page', { include: 'attachments' })
  return page === null ? null : parseWhole(wikiPageSchema, page, 'a wiki page')
}

async function listTitles({ api }: Reading, project: Raw<'project'>) {
  if (!hasModule(project, 'wiki')) return []
  const index = await api.find(`/projects/${project.id}/wiki/index.json`, 'wiki_pages')
  const titles = ((index ?? []) as unknown[]).map((page) => parseWhole(wikiPageSchema, page, 'a wiki page').title)
  return titles.sort((a, b) => (a < b ? -1 : 1)).map((title) => ({ project, title }))
}

async function listPages(reading: Reading, cursor: string | null) {
  const { items, next } = await listByProject(reading, cursor, listTitles, ({ title }) => title)
  const pages = await sideBySide(items, 1, async ({ project, title }) => {
    const page = await findWikiPage(reading, { projectId: project.id, title })
    return page ? [{ project, page }] : []
  })
  return { items: pages.flat(), next }
}

type PageItem = Awaited<ReturnType<typeof listPages>>['items'][number]

async function pagesAt(reading: Reading, id: string): Promise<PageItem[]> {
  const place = splitWikiId(id)
  const project = await projectOf(reading, String(place.projectId))
  const page = project && place.title !== '' ? await findWikiPage(reading, place) : null
  return project && page ? [{ project, page }] : []
}

export const wikiPages: Shelf<PageItem> = {
  list: listPages,
  path(id) {
    const place = splitWikiId(id)
    return Number.isNaN(place.projectId) ? null : wikiPath(place)
  },
  byId: pagesAt,
  async listed(reading, ids) {
    const asked = new Set(ids.map((id) => splitWikiId(id).projectId))
    const projects = (await reading.directory.projects()).filter(({ id }) => asked.has(id))
    const titles = (await sideBySide(projects, 1, (project) => listTitles(reading, project))).flat()
    return titles.map(({ project, title }) => wikiId(project.id, title)).filter((id) => ids.includes(id))
  },
  map: (context, { project, page }) => records('toWikiPage', context, project, page),
}

function filesIn({ project, page: { title, text, attachments = [] } }: PageItem): FileItem[] {
  const parent: RecordRef = { entity: 'wiki_pages', sourceId: wikiId(project.id, title) }
  return attachments.map((file) => ({ file, parent, texts: [text] }))
}

export const wikiFiles: FileShelf = {
  async list(reading, cursor) {
    const { items, next } = await listPages(reading, cursor)
    return { items: items.flatMap(filesIn), next }
  },
  under: async (reading, { sourceId }) => ({ items: (await pagesAt(reading, sourceId)).flatMap(filesIn) }),
}

async function listFiles({ api }: Reading, project: Raw<'project'>) {
  if (!hasModule(project, 'files')) return []
  const { items } = await api.list(`/projects/${project.id}/files.json`, 'files')
  const parent: RecordRef = { entity: 'projects', sourceId: String(project.id) }
  return (items as { id: number }[]).sort(byId).map((file) => ({ file, parent, texts: [] }))
}

export const projectFiles: FileShelf = {
  list: (reading, cursor) => listByProject(reading, cursor, listFiles, ({ file }) => file.id),
  async under(reading, { sourceId }) {
    const project = await projectOf(reading, sourceId)
    return { items: project ? await listFiles(reading, project) : [] }
  },
}
