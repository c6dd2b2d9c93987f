import { hasModule } from './directory.ts'
import { findWikiPage } from './read-wiki.ts'
import { type Raw, take } from './schema.ts'
import { searchMarked } from './search-marked.ts'
import { issueIdOf, markOf } from './write-comments.ts'
import { placeOf as pageOf } from './write-wiki-pages.ts'
import type { Writing } from './writing.ts'

/** The parent of a file. Files of notes belong to the issue. */
export type Container =
  | { kind: 'issue'; id: number; projectId: number }
  | { kind: 'page'; projectId: number; title: string }
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

export async function filesOf(writing: Writing, container: Container): Promise<Raw<'attachment'>[]> {
  const { api } = writing
  const read = (items: readonly unknown[]) => items.map((item) => take('attachment', item))
  if (container.kind === 'project') {
    return read((await api.list(`/projects/${container.projectId}/files.json`, 'files')).items)
  }
  if (container.kind === 'page') {
    return read((await findWikiPage(writing, container.projectId, container.title))?.attachments ?? [])
  }
  return read((await api.one('issue', container.id, { include: 'attachments' }))?.attachments ?? [])
}

export function placeName(container: Container): string {
  if (container.kind === 'issue') return placeOf('issues', String(container.id))
  if (container.kind === 'project') return placeOf('projects', String(container.projectId))
  return placeOf('wiki_pages', `${container.projectId}/${container.title}`)
}

/** Finds all issues, pages and projects that may hold the file with this key. */
export async function searchContainers(writing: Writing, key: string): Promise<Container[]> {
  const places = [
    ...(await searchMarked(writing, markOf(key), 'issues')),
    ...(await searchMarked(writing, markOf(key), 'wiki_pages')),
  ]
  const projects = await writing.directory.projects()
  const pages = places.flatMap((place) => {
    if ('issueId' in place) return []
    const project = projects.find(({ identifier }) => identifier === place.projectIdentifier)
    return project ? [{ kind: 'page' as const, projectId: project.id, title: place.title }] : []
  })
  const issues = await Promise.all(
    places.flatMap((place) => ('issueId' in place ? [findContainer(writing, 'issues', String(place.issueId))] : [])),
  )
  const withFiles = projects.filter((project) => hasModule(project, 'files'))
  return [
    ...pages,
    ...issues.filter((issue) => issue !== null),
    ...withFiles.map(({ id }): Container => ({ kind: 'project', projectId: id })),
  ]
}
