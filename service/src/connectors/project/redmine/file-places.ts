import { hasModule } from './directory.ts'
import { searchMarked, type WikiPlace } from './find-again.ts'
import { markOf } from './markers.ts'
import { findWikiPage } from './read-wiki.ts'
import { type Raw, take } from './schema.ts'
import { issueIdOf } from './write-comments.ts'
import { placeOf as pageOf } from './write-wiki-pages.ts'
import type { Writing } from './writing.ts'

/** The parent of a file. Files of notes belong to the issue. */
export type Container =
  | { kind: 'issue'; id: number; projectId: number }
  | ({ kind: 'page' } & WikiPlace)
  | { kind: 'project'; projectId: number }

export const placeOf = (entity: string, destinationId: string): string =>
  entity === 'comments'
    ? `issue ${issueIdOf(destinationId)}`
    : `${entity.replace(/^(issues|tickets)$/, 'issue')} ${destinationId}`

export async function findContainer(
  { api }: Writing,
  entity: string,
  destinationId: string,
): Promise<Container | null> {
  if (entity === 'projects') return { kind: 'project', projectId: Number(destinationId) }
  if (entity === 'wiki_pages') return { kind: 'page', ...pageOf(destinationId) }
  const issue = await api.one('issue', issueIdOf(destinationId))
  return issue?.project ? { kind: 'issue', id: issue.id, projectId: issue.project.id } : null
}

/** The files of a parent, and its name for comparing. */
export async function filesOf(writing: Writing, container: Container) {
  const { api } = writing
  const { kind, projectId } = container
  const read = (place: string, items: readonly unknown[] = []): { place: string; files: Raw<'attachment'>[] } => ({
    place,
    files: items.map((item) => take('attachment', item)),
  })
  if (kind === 'project') {
    const { items } = await api.list(`/projects/${projectId}/files.json`, 'files')
    return read(placeOf('projects', String(projectId)), items)
  }
  if (kind === 'page') {
    const page = await findWikiPage(writing, projectId, container.title)
    return read(placeOf('wiki_pages', `${projectId}/${container.title}`), page?.attachments)
  }
  const issue = await api.one('issue', container.id, { include: 'attachments' })
  return read(placeOf('issues', String(container.id)), issue?.attachments)
}

/** Finds all issues, pages and projects that may hold the file with this key. */
export async function searchContainers(writing: Writing, key: string): Promise<(Container | null)[]> {
  const inIssues = await searchMarked(writing, markOf(key), 'issues')
  const inPages = await searchMarked(writing, markOf(key), 'wiki_pages')
  const pages = [...inIssues.pages, ...inPages.pages]
  const issueIds = [...inIssues.issueIds, ...inPages.issueIds]
  const withFiles = (await writing.directory.projects()).filter((project) => hasModule(project, 'files'))
  return [
    ...pages.map((page): Container => ({ kind: 'page', ...page })),
    ...(await Promise.all(issueIds.map((id) => findContainer(writing, 'issues', String(id))))),
    ...withFiles.map(({ id }): Container => ({ kind: 'project', projectId: id })),
  ]
}
