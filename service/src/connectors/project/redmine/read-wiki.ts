import type { RecordRef } from '../../../families/record.ts'
import type { Page } from '../../contract/contract.ts'
import { hasModule } from './directory.ts'
import { toProjectTool } from './long-texts.ts'
import { byId, listByProject, projectOf } from './read-projects.ts'
import { parseWhole, type Raw, type WikiPage, wikiPageSchema } from './schema.ts'
import { isNumber, type Reading, type Shelf } from './shelf.ts'
import { type FileItem, wikiId } from './to-project.ts'

/** A wiki page has no number. Its id is `project/Title`. */
export function splitWikiId(id: string): { projectId: string; title: string } {
  const slash = id.indexOf('/')
  return { projectId: id.slice(0, slash), title: id.slice(slash + 1) }
}

export const wikiPath = (projectId: number | string, title: string) =>
  `/projects/${projectId}/wiki/${encodeURIComponent(title)}.json`

export async function findWikiPage(
  { api }: Pick<Reading, 'api'>,
  projectId: number | string,
  title: string,
): Promise<WikiPage | null> {
  const page = await api.find(wikiPath(projectId, title), 'wiki_page', { include: 'attachments' })
  return page === null ? null : parseWhole(wikiPageSchema, page, 'a wiki page')
}

interface PageItem {
  project: Raw<'project'>
  page: WikiPage
}

async function listTitles({ api }: Reading, project: Raw<'project'>) {
  if (!hasModule(project, 'wiki')) return []
  const index = await api.find(`/projects/${project.id}/wiki/index.json`, 'wiki_pages')
  const titles = ((index ?? []) as unknown[]).map((page) => parseWhole(wikiPageSchema, page, 'a wiki page').title)
  return titles.sort((a, b) => (a < b ? -1 : 1)).map((title) => ({ project, title }))
}

async function listPages(reading: Reading, cursor: string | null): Promise<Page<PageItem>> {
  const list = (project: Raw<'project'>) => listTitles(reading, project)
  const { items, next } = await listByProject(reading, cursor, list, ({ title }) => title)
  const pages: PageItem[] = []
  for (const { project, title } of items) {
    const page = await findWikiPage(reading, project.id, title)
    if (page) pages.push({ project, page })
  }
  return { items: pages, next }
}

export const wikiPages: Shelf<PageItem> = {
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
    const found: string[] = []
    for (const project of (await reading.directory.projects()).filter(({ id }) => asked.has(String(id)))) {
      found.push(...(await listTitles(reading, project)).map(({ title }) => wikiId(project.id, title)))
    }
    return found.filter((id) => ids.includes(id))
  },
  map: (context, { project, page }) => toProjectTool('toWikiPage', context, project, page),
}

// Files of wiki pages and of projects.

export async function listWikiFiles(reading: Reading, cursor: string | null): Promise<Page<FileItem>> {
  const { items, next } = await listPages(reading, cursor)
  return { items: items.flatMap(({ project, page }) => filesIn(project.id, page)), next }
}

export async function filesOfPage(reading: Reading, { sourceId }: RecordRef): Promise<FileItem[]> {
  const { projectId, title } = splitWikiId(sourceId)
  const page = isNumber(projectId) ? await findWikiPage(reading, projectId, title) : null
  return page ? filesIn(Number(projectId), page) : []
}

function filesIn(projectId: number, { title, text, attachments = [] }: WikiPage): FileItem[] {
  const parent: RecordRef = { entity: 'wiki_pages', sourceId: wikiId(projectId, title) }
  return attachments.map((file) => ({ file, parent, texts: [text] }))
}

export function listProjectFiles(reading: Reading, cursor: string | null): Promise<Page<FileItem>> {
  const list = (project: Raw<'project'>) => listFiles(reading, project)
  return listByProject(reading, cursor, list, ({ file }) => file.id)
}

export async function filesOfProject(reading: Reading, { sourceId }: RecordRef): Promise<FileItem[]> {
  const project = await projectOf(reading, sourceId)
  return project ? listFiles(reading, project) : []
}

async function listFiles({ api }: Reading, project: Raw<'project'>) {
  if (!hasModule(project, 'files')) return []
  const { items } = await api.list(`/projects/${project.id}/files.json`, 'files')
  const parent: RecordRef = { entity: 'projects', sourceId: String(project.id) }
  return (items as { id: number }[]).sort(byId).map((file) => ({ file, parent, texts: [] }))
}
