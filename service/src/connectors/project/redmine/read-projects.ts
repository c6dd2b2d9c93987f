import type { RecordRef } from '../../../families/record.ts'
import type { RedmineApi } from './api.ts'
import { type MappedRecord, showsFile } from './build-record.ts'
import { closedProject, hasModule } from './directory.ts'
import { toHelpdesk, toProjectTool } from './long-texts.ts'
import type { MappedPage } from './read-issues.ts'
import type { Reading } from './reader.ts'
import { parseWhole, type Raw, take, type WikiPage, wikiPageSchema } from './schema.ts'
import { toAttachment, toComponent, toMembership, toMilestone, wikiId } from './to-project.ts'

/** Most projects have little of each kind: so many are looked at before a page is handed out. */
const projectsAtOnce = 10

export async function readProjects(reading: Reading, cursor: string | null): Promise<MappedPage> {
  const projects = (await reading.directory.projects()).filter(({ id }) => id > Number(cursor ?? 0))
  const page = projects.slice(0, reading.pageSize)
  const mapped = await mapProjects(
    reading,
    page.map(({ id }) => id),
  )
  return { mapped, next: projects.length > page.length ? String(page.at(-1)?.id) : null }
}

/** One by one, because the list does not tell the homepage. */
export async function mapProjects(reading: Reading, ids: readonly (number | string)[]): Promise<MappedRecord[]> {
  const mapped: MappedRecord[] = []
  for (const id of ids) {
    const project = await reading.api.find(`/projects/${encodeURIComponent(id)}.json`, 'project')
    if (project === null) continue
    const members = [...(await reading.directory.members(Number(id))).keys()].sort((a, b) => a - b)
    const context = await reading.contextFor([project, members.map((user) => ({ user: { id: user } }))])
    mapped.push(
      reading.family === 'helpdesk'
        ? await toHelpdesk('toGroup', context, project, members)
        : await toProjectTool('toProject', context, project, members),
    )
  }
  return mapped
}

/** Cursor: `project:place`, the first project to look at and the last of its things that was handed out. */
async function readByProject<T>(
  reading: Reading,
  cursor: string | null,
  list: (project: Raw<'project'>) => Promise<{ place: string; item: T }[]>,
  isAfter: (place: string, last: string) => boolean,
  map: (project: Raw<'project'>, items: T[]) => Promise<MappedRecord[]>,
): Promise<MappedPage> {
  const colon = cursor?.indexOf(':') ?? 0
  const fromId = Number(cursor?.slice(0, colon) ?? 0)
  const last = cursor?.slice(colon + 1) ?? ''
  const projects = (await reading.directory.projects()).filter(({ id }) => id >= fromId)
  const mapped: MappedRecord[] = []
  for (const [index, project] of projects.entries()) {
    if (mapped.length >= reading.pageSize || index === projectsAtOnce) return { mapped, next: `${project.id}:` }
    const listed = await list(project)
    const left = listed.filter(({ place }) => project.id !== fromId || last === '' || isAfter(place, last))
    const part = left.slice(0, reading.pageSize - mapped.length)
    const items = part.map(({ item }) => item)
    mapped.push(...(await map(project, items)))
    if (part.length < left.length) return { mapped, next: `${project.id}:${part.at(-1)?.place}` }
  }
  return { mapped, next: null }
}

const isLaterId = (place: string, last: string) => Number(place) > Number(last)
const isLaterTitle = (place: string, last: string) => place > last

const lists = {
  memberships: { kind: 'membership', path: 'memberships', name: 'memberships', one: 'membership', map: toMembership },
  milestones: { kind: 'version', path: 'versions', name: 'versions', one: 'version', map: toMilestone },
  components: {
    kind: 'category',
    path: 'issue_categories',
    name: 'issue_categories',
    one: 'issue_category',
    map: toComponent,
  },
} as const

export type ProjectList = keyof typeof lists
export const isProjectList = (entity: string): entity is ProjectList => Object.hasOwn(lists, entity)

export function readProjectList(reading: Reading, entity: ProjectList, cursor: string | null): Promise<MappedPage> {
  const list = async (project: Raw<'project'>) =>
    (await listOf(reading, entity, project)).map((item) => ({ place: String(item.id), item }))
  return readByProject(reading, cursor, list, isLaterId, (_project, items) => mapListed(reading, entity, items))
}

/** By id. Versions that other projects share with this one are theirs. */
async function listOf({ api }: Reading, entity: ProjectList, project: Raw<'project'>): Promise<{ id: number }[]> {
  const { kind, path, name } = lists[entity]
  if (entity !== 'memberships' && !hasModule(project, 'issue_tracking')) return []
  if (entity === 'components' && project.status === closedProject) return categoriesInUse(api, project.id)
  const listed = await api.listAll(`/projects/${project.id}/${path}.json`, name)
  const own = listed.filter((item) => (take(kind, item).project?.id ?? project.id) === project.id) as { id: number }[]
  return own.sort((a, b) => a.id - b.id)
}

/** Of a closed project Redmine does not show the categories, but its issues still name those that matter. */
async function categoriesInUse(api: RedmineApi, projectId: number): Promise<{ id: number }[]> {
  const query = { project_id: projectId, subproject_id: '!*', status_id: '*', sort: 'id' }
  const issues = (await api.listAll('/issues.json', 'issues', query)).map((item) => take('issue', item))
  const inUse = new Map(
    issues.flatMap(({ category, project }) => (category ? [[category.id, { ...category, project }]] : [])),
  )
  return [...inUse.values()].sort((a, b) => a.id - b.id)
}

async function mapListed(reading: Reading, entity: ProjectList, items: readonly unknown[]): Promise<MappedRecord[]> {
  const context = await reading.contextFor(items)
  return items.flatMap((item) => lists[entity].map(context, item) ?? [])
}

export const mapListOf = async (
  reading: Reading,
  entity: ProjectList,
  project: Raw<'project'>,
): Promise<MappedRecord[]> => mapListed(reading, entity, await listOf(reading, entity, project))

export async function mapListedById(reading: Reading, entity: ProjectList, id: string): Promise<MappedRecord[]> {
  const { path, one } = lists[entity]
  const found = await reading.api.findOpen(`/${path}/${encodeURIComponent(id)}.json`, one)
  if (found !== 'hidden') return found === null ? [] : mapListed(reading, entity, [found])
  const closed = (await reading.directory.projects()).filter(({ status }) => status === closedProject)
  const listed = (await Promise.all(closed.map((project) => listOf(reading, entity, project)))).flat()
  return mapListed(
    reading,
    entity,
    listed.filter((item) => String(item.id) === id),
  )
}

export const wikiPath = (projectId: number | string, title: string) =>
  `/projects/${encodeURIComponent(projectId)}/wiki/${encodeURIComponent(title)}.json`

export async function listWiki({ api }: Reading, project: Raw<'project'>): Promise<{ place: string; item: string }[]> {
  if (!hasModule(project, 'wiki')) return []
  const index = await api.find(`/projects/${project.id}/wiki/index.json`, 'wiki_pages')
  const titles = ((index ?? []) as unknown[]).map((page) => parseWhole(wikiPageSchema, page, 'a wiki page').title)
  return titles.sort((a, b) => (a < b ? -1 : 1)).map((title) => ({ place: title, item: title }))
}

export async function findWikiPage({ api }: Reading, projectId: number | string, title: string) {
  const page = await api.find(wikiPath(projectId, title), 'wiki_page', { include: 'attachments' })
  return page === null ? null : parseWhole(wikiPageSchema, page, 'a wiki page')
}

async function findWikiPages(reading: Reading, project: Raw<'project'>, titles: readonly string[]) {
  const pages: WikiPage[] = []
  for (const title of titles) {
    const page = await findWikiPage(reading, project.id, title)
    if (page) pages.push(page)
  }
  return pages
}

export function readWiki(reading: Reading, cursor: string | null): Promise<MappedPage> {
  const map = async (project: Raw<'project'>, titles: string[]) =>
    mapWiki(reading, project, await findWikiPages(reading, project, titles))
  return readByProject(reading, cursor, (project) => listWiki(reading, project), isLaterTitle, map)
}

export async function mapWiki(reading: Reading, project: Raw<'project'>, pages: readonly WikiPage[]) {
  const context = await reading.contextFor(pages)
  const mapped: MappedRecord[] = []
  for (const page of pages) mapped.push(await toProjectTool('toWikiPage', context, project, page))
  return mapped
}

export function readWikiFiles(reading: Reading, cursor: string | null): Promise<MappedPage> {
  const map = async (project: Raw<'project'>, titles: string[]) => {
    const pages = await findWikiPages(reading, project, titles)
    return (await Promise.all(pages.map((page) => mapWikiFiles(reading, project.id, page)))).flat()
  }
  return readByProject(reading, cursor, (project) => listWiki(reading, project), isLaterTitle, map)
}

export async function mapWikiFiles(reading: Reading, projectId: number, page: WikiPage): Promise<MappedRecord[]> {
  const context = await reading.contextFor([page])
  const parent: RecordRef = { entity: 'wiki_pages', sourceId: wikiId(projectId, page.title) }
  return (page.attachments ?? []).map((file) => {
    const { filename } = take('attachment', file)
    const isInline = filename !== undefined && showsFile(page.text ?? '', filename, context.vocabulary.textFormat)
    return toAttachment(context, parent, file, isInline)
  })
}

export function readProjectFiles(reading: Reading, cursor: string | null): Promise<MappedPage> {
  const list = async (project: Raw<'project'>) =>
    (await listProjectFiles(reading, project)).map((item) => ({ place: String(item.id), item }))
  return readByProject(reading, cursor, list, isLaterId, (project, files) =>
    mapProjectFiles(reading, project.id, files),
  )
}

export async function listProjectFiles({ api }: Reading, project: Raw<'project'>): Promise<{ id: number }[]> {
  if (!hasModule(project, 'files')) return []
  const { items } = await api.list(`/projects/${project.id}/files.json`, 'files')
  return (items as { id: number }[]).sort((a, b) => take('attachment', a).id - take('attachment', b).id)
}

export async function mapProjectFiles(reading: Reading, projectId: number, files: readonly unknown[]) {
  const context = await reading.contextFor(files)
  const parent: RecordRef = { entity: 'projects', sourceId: String(projectId) }
  return files.map((file) => toAttachment(context, parent, file, false))
}
