import type { RecordRef } from '../../../families/record.ts'
import { type MappedRecord, showsFile } from './build-record.ts'
import { hasModule } from './directory.ts'
import { toProjectTool } from './long-texts.ts'
import { byIds, projectOf, readByProject } from './read-projects.ts'
import { parseWhole, type Raw, take, type WikiPage, wikiPageSchema } from './schema.ts'
import { isNumber, type MappedPage, mapEach, type Reading, type Shelf } from './shelf.ts'
import { toAttachment, wikiId } from './to-project.ts'

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

async function listWiki({ api }: Reading, project: Raw<'project'>): Promise<{ place: string; item: string }[]> {
  if (!hasModule(project, 'wiki')) return []
  const index = await api.find(`/projects/${project.id}/wiki/index.json`, 'wiki_pages')
  const titles = ((index ?? []) as unknown[]).map((page) => parseWhole(wikiPageSchema, page, 'a wiki page').title)
  return titles.sort((a, b) => (a < b ? -1 : 1)).map((title) => ({ place: title, item: title }))
}

const readPages = (
  reading: Reading,
  cursor: string | null,
  map: (project: Raw<'project'>, pages: WikiPage[]) => Promise<MappedRecord[]>,
): Promise<MappedPage> =>
  readByProject(
    reading,
    cursor,
    (project) => listWiki(reading, project),
    async (project, titles) => {
      const pages: WikiPage[] = []
      for (const title of titles) pages.push(...[(await findWikiPage(reading, project.id, title)) ?? []].flat())
      return map(project, pages)
    },
  )

async function mapPages(reading: Reading, project: Raw<'project'>, pages: readonly WikiPage[]) {
  const context = await reading.contextFor(pages)
  return mapEach(pages, (page) => toProjectTool('toWikiPage', context, project, page))
}

export const wikiPages: Shelf = {
  read: (reading, cursor) => readPages(reading, cursor, (project, pages) => mapPages(reading, project, pages)),
  path(id) {
    const { projectId, title } = splitWikiId(id)
    return isNumber(projectId) ? wikiPath(projectId, title) : null
  },
  async byId(reading, id) {
    const { projectId, title } = splitWikiId(id)
    const project = await projectOf(reading, projectId)
    const page = project && title !== '' ? await findWikiPage(reading, project.id, title) : null
    return project && page ? mapPages(reading, project, [page]) : []
  },
  async listed(reading, ids) {
    const asked = new Set(ids.map((id) => splitWikiId(id).projectId))
    const found: string[] = []
    for (const project of (await reading.directory.projects()).filter(({ id }) => asked.has(String(id)))) {
      found.push(...(await listWiki(reading, project)).map(({ item }) => wikiId(project.id, item)))
    }
    return found.filter((id) => ids.includes(id))
  },
}

// Files of wiki pages and of projects.

export const readWikiFiles = (reading: Reading, cursor: string | null): Promise<MappedPage> =>
  readPages(reading, cursor, async (project, pages) =>
    (await Promise.all(pages.map((page) => mapPageFiles(reading, project.id, page)))).flat(),
  )

export async function filesOfPage(reading: Reading, { sourceId }: RecordRef): Promise<MappedRecord[]> {
  const { projectId, title } = splitWikiId(sourceId)
  const page = isNumber(projectId) ? await findWikiPage(reading, projectId, title) : null
  return page ? mapPageFiles(reading, Number(projectId), page) : []
}

async function mapPageFiles(reading: Reading, projectId: number, page: WikiPage): Promise<MappedRecord[]> {
  const context = await reading.contextFor([page])
  const parent: RecordRef = { entity: 'wiki_pages', sourceId: wikiId(projectId, page.title) }
  return (page.attachments ?? []).map((file) => {
    const { filename } = take('attachment', file)
    const isInline = filename !== undefined && showsFile(page.text ?? '', filename, context.vocabulary.textFormat)
    return toAttachment(context, parent, file, isInline)
  })
}

export const readProjectFiles = (reading: Reading, cursor: string | null): Promise<MappedPage> =>
  readByProject(
    reading,
    cursor,
    (project) => listFiles(reading, project),
    (project, files) => mapFiles(reading, project.id, files),
  )

export async function filesOfProject(reading: Reading, { sourceId }: RecordRef): Promise<MappedRecord[]> {
  const project = await projectOf(reading, sourceId)
  if (!project) return []
  const files = (await listFiles(reading, project)).map(({ item }) => item)
  return mapFiles(reading, project.id, files)
}

async function listFiles(
  { api }: Reading,
  project: Raw<'project'>,
): Promise<{ place: number; item: { id: number } }[]> {
  if (!hasModule(project, 'files')) return []
  return byIds((await api.list(`/projects/${project.id}/files.json`, 'files')).items as { id: number }[])
}

async function mapFiles(reading: Reading, projectId: number, files: readonly unknown[]): Promise<MappedRecord[]> {
  const context = await reading.contextFor(files)
  const parent: RecordRef = { entity: 'projects', sourceId: String(projectId) }
  return files.map((file) => toAttachment(context, parent, file, false))
}
