import type { Sent } from './api.ts'
import { hasModule } from './directory.ts'
import { searchMarked, type WikiPlace } from './find-again.ts'
import { markOf } from './markers.ts'
import { findWikiPage, wikiPath } from './read-wiki.ts'
import { issueIdOf } from './write-comments.ts'
import { placeOf as pageOf } from './write-wiki-pages.ts'
import type { Call } from './writing.ts'

/** The parent of a file. Files of notes belong to the issue. */
export interface Container {
  projectId: number
  /** Its name for comparing. */
  place: string
  files(): Promise<unknown[]>
  attach(upload: object): Promise<Sent>
}

export const placeOf = (entity: string, destinationId: string): string =>
  entity === 'comments'
    ? `issue ${issueIdOf(destinationId)}`
    : `${entity.replace(/^(issues|tickets)$/, 'issue')} ${destinationId}`

function inProject({ api }: Call, projectId: number): Container {
  const path = `/projects/${projectId}/files.json`
  return {
    projectId,
    place: placeOf('projects', String(projectId)),
    files: async () => (await api.list(path, 'files')).items,
    attach: (upload) => api.send('POST', path, { file: upload }),
  }
}

const inPage = (call: Call, { projectId, title }: WikiPlace): Container => ({
  projectId,
  place: placeOf('wiki_pages', `${projectId}/${title}`),
  files: async () => (await findWikiPage(call, projectId, title))?.attachments ?? [],
  async attach(upload) {
    const page = await findWikiPage(call, projectId, title)
    // The text is sent unchanged, so Redmine makes no new version of the page.
    const wiki_page = { text: page?.text ?? '', version: page?.version, uploads: [upload] }
    return call.api.send('PUT', wikiPath(projectId, title), { wiki_page })
  },
})

async function inIssue({ api, accountId, unwatch }: Call, id: number): Promise<Container | null> {
  const issue = await api.one('issue', id)
  if (!issue?.project) return null
  return {
    projectId: issue.project.id,
    place: placeOf('issues', String(id)),
    files: async () => (await api.one('issue', id, { include: 'attachments' }))?.attachments ?? [],
    async attach(upload) {
      await unwatch(id, accountId)
      return api.change('issue', id, { uploads: [upload] })
    },
  }
}

export async function findContainer(call: Call, entity: string, destinationId: string): Promise<Container | null> {
  if (entity === 'projects') return inProject(call, Number(destinationId))
  return entity === 'wiki_pages' ? inPage(call, pageOf(destinationId)) : inIssue(call, issueIdOf(destinationId))
}

/** Finds all issues, pages and projects that may hold the file with this key. */
export async function searchContainers(call: Call, key: string): Promise<(Container | null)[]> {
  const found = [await searchMarked(call, markOf(key), 'issues'), await searchMarked(call, markOf(key), 'wiki_pages')]
  const issueIds = found.flatMap((one) => one.issueIds)
  const withFiles = (await call.directory.projects()).filter((project) => hasModule(project, 'files'))
  return [
    ...found.flatMap(({ pages }) => pages.map((page) => inPage(call, page))),
    ...(await Promise.all(issueIds.map((id) => inIssue(call, id)))),
    ...withFiles.map(({ id }) => inProject(call, id)),
  ]
}
