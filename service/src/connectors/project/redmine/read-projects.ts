import type { RecordRef } from '../../../families/record.ts'
import type { Page } from '../../contract/contract.ts'
import type { MappedRecord } from '../../kit/read-record.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import type { MapContext } from './build-record.ts'
import { closedProject, hasModule } from './directory.ts'
import { wikiId } from './link-references.ts'
import { records } from './long-texts.ts'
import { listOf, parseWhole, type Raw, take, type WikiPage, wikiPageSchema } from './schema.ts'
import { type FileShelf, isNumber, type Reading, type Shelf } from './shelf.ts'
import { type FileItem, toComponent, toMembership, toMilestone } from './to-records.ts'

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
  map: (context, { project, members }) =>
    records(context.family === 'helpdesk' ? 'toGroup' : 'toProject', context, project, members),
}

const projectOf = async ({ directory }: Reading, sourceId: string): Promise<Raw<'project'> | undefined> =>
  (await directory.projects()).find(({ id }) => String(id) === sourceId)

/**
 * Reads the lists of projects, each sorted by its places. Cursor: `project:place`, the first project to read and the
 * place of its last returned item.
 */
async function listByProject<T>(
  reading: Reading,
  cursor: string | null,
  list: (reading: Reading, project: Raw<'project'>) => Promise<T[]>,
  placeOf: (item: T) => string | number,
): Promise<Page<T>> {
  const { directory, pageSize } = reading
  const colon = cursor?.indexOf(':') ?? 0
  const fromId = Number(cursor?.slice(0, colon) ?? 0)
  const last = cursor?.slice(colon + 1) ?? ''
  const isAfter = (place: string | number) => (typeof place === 'number' ? place > Number(last) : place > last)
  const left = (await directory.projects()).filter(({ id }) => id >= fromId)
  const items: T[] = []
  for (const [index, project] of left.entries()) {
    if (items.length >= pageSize || index === projectsAtOnce) return { items, next: `${project.id}:` }
    const listed = await list(reading, project)
    const open = listed.filter((item) => project.id !== fromId || last === '' || isAfter(placeOf(item)))
    const part = open.slice(0, pageSize - items.length)
    const end = part.at(-1)
    items.push(...part)
    if (part.length < open.length) return { items, next: `${project.id}:${end === undefined ? '' : placeOf(end)}` }
  }
  return { items, next: null }
}

const idOf = ({ id }: { id: number }) => id
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
    list: (reading, cursor) => listByProject(reading, cursor, listIn, idOf),
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

/** A wiki page has no number. Its id is `project/Title`. */
export function splitWikiId(id: string): { projectId: string; title: string } {
  const slash = id.indexOf('/')
  return { projectId: id.slice(0, slash), title: id.slice(slash + 1) }
}

export const wikiPath = (projectId: number | string, title: string) =>
  `/projects/${projectId}/wiki/${encodeURIComponent(title)}.json`

export async function findWikiPage({ api }: Pick<Reading, 'api'>, projectId: number | string, title: string) {
  const page = await api.find(wikiPath(projectId, title), 'wiki_page', { include: 'attachments' })
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
    const page = await findWikiPage(reading, project.id, title)
    return page ? [{ project, page }] : []
  })
  return { items: pages.flat(), next }
}

export const wikiPages: Shelf<{ project: Raw<'project'>; page: WikiPage }> = {
  list: listPages,
  path(id) {
    const { projectId, title } = splitWikiId(id)
    return isNumber(projectId) ? wikiPath(projectId, title) : null
  },
  async byId(reading, id) {
    const { projectId, title } = splitWikiId(id)
    const project = await projectOf(reading, projectId)
    const page = project && title !== '' ? await findWikiPage(reading, project.id, title) : null
    return project && page ? [{ project, page }] : []
  },
  async listed(reading, ids) {
    const asked = new Set(ids.map((id) => splitWikiId(id).projectId))
    const projects = (await reading.directory.projects()).filter(({ id }) => asked.has(String(id)))
    const titles = (await sideBySide(projects, 1, (project) => listTitles(reading, project))).flat()
    return titles.map(({ project, title }) => wikiId(project.id, title)).filter((id) => ids.includes(id))
  },
  map: (context, { project, page }) => records('toWikiPage', context, project, page),
}

const filesIn = (projectId: number, { title, text, attachments = [] }: WikiPage): FileItem[] => {
  const parent: RecordRef = { entity: 'wiki_pages', sourceId: wikiId(projectId, title) }
  return attachments.map((file) => ({ file, parent, texts: [text] }))
}

export const wikiFiles: FileShelf = {
  async list(reading, cursor) {
    const { items, next } = await listPages(reading, cursor)
    return { items: items.flatMap(({ project, page }) => filesIn(project.id, page)), next }
  },
  async of(reading, { sourceId }) {
    const { projectId, title } = splitWikiId(sourceId)
    const page = isNumber(projectId) ? await findWikiPage(reading, projectId, title) : null
    return page ? filesIn(Number(projectId), page) : []
  },
}

async function listFiles({ api }: Reading, project: Raw<'project'>) {
  if (!hasModule(project, 'files')) return []
  const { items } = await api.list(`/projects/${project.id}/files.json`, 'files')
  const parent: RecordRef = { entity: 'projects', sourceId: String(project.id) }
  return (items as { id: number }[]).sort(byId).map((file) => ({ file, parent, texts: [] }))
}

export const projectFiles: FileShelf = {
  list: (reading, cursor) => listByProject(reading, cursor, listFiles, ({ file }) => file.id),
  async of(reading, { sourceId }) {
    const project = await projectOf(reading, sourceId)
    return project ? listFiles(reading, project) : []
  },
}
