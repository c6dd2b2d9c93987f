import { issueEntity } from './read-issues.ts'
import { listWiki, wikiPath } from './read-projects.ts'
import type { Reading } from './reader.ts'
import { take } from './schema.ts'
import { wikiId } from './to-project.ts'

/**
 * What Redmine can be asked for by ids, or lists in few requests. Notes and files come only with each issue by itself;
 * hours, members, versions and users can be neither asked for by ids nor listed without reading them all.
 */
export const tellsDeleted = ['projects', 'groups', 'issues', 'tickets', 'wiki_pages']

const isNumber = (id: string) => /^\d{1,9}$/.test(id)

export async function findIds(reading: Reading, entity: string, ids: readonly string[]): Promise<string[]> {
  const { api, directory } = reading
  if (entity === issueEntity(reading)) {
    const numbers = ids.filter(isNumber)
    if (numbers.length === 0) return []
    const query = { status_id: '*', sort: 'id', issue_id: numbers.join(','), limit: 100 }
    const { items } = await api.list('/issues.json', 'issues', query)
    return items.map((item) => String(take('issue', item).id))
  }
  const projects = await directory.projects()
  if (entity !== 'wiki_pages') return projects.map(({ id }) => String(id)).filter((id) => ids.includes(id))
  const asked = new Set(ids.map((id) => id.slice(0, id.indexOf('/'))))
  const found: string[] = []
  for (const project of projects.filter(({ id }) => asked.has(String(id)))) {
    found.push(...(await listWiki(reading, project)).map(({ item }) => wikiId(project.id, item)))
  }
  return found.filter((id) => ids.includes(id))
}

/** Redmine answers 404 for what it does not have, and 403 for what the account may not see. */
export async function findGone({ api }: Reading, entity: string, ids: readonly string[]): Promise<string[]> {
  const gone: string[] = []
  for (const id of ids) {
    const path = pathOf(entity, id)
    if (path !== null && (await api.look(path)) === 404) gone.push(id)
  }
  return gone
}

const paths: Record<string, string> = {
  projects: 'projects',
  groups: 'projects',
  issues: 'issues',
  tickets: 'issues',
  time_entries: 'time_entries',
  memberships: 'memberships',
  milestones: 'versions',
  components: 'issue_categories',
  attachments: 'attachments',
}

/** A note goes with its issue. */
function pathOf(entity: string, id: string): string | null {
  if (entity === 'wiki_pages') {
    const slash = id.indexOf('/')
    return isNumber(id.slice(0, slash)) ? wikiPath(id.slice(0, slash), id.slice(slash + 1)) : null
  }
  const [number = ''] = entity === 'comments' ? id.split('-') : [id]
  const path = entity === 'comments' ? 'issues' : paths[entity]
  return path !== undefined && isNumber(number) ? `/${path}/${number}.json` : null
}
