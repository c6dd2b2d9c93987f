import type { Family } from '../../../families/index.ts'
import type { Lead } from '../../contract/contract.ts'
import { anchorOf, decodePart, findInSite } from '../../kit/find-in-site.ts'
import { toWikiTitle } from './link-references.ts'
import { wikiId } from './to-project.ts'

type Target = Lead['to'][number]

/**
 * Resolves an address to a record of this Redmine. `link-references.ts` has already turned `#12` and similar
 * references into links.
 */
export function followRedmine(address: string, site: string, from: string | null, family: Family): Lead | null {
  const found = findInSite(address, site, from)
  if (!found) return null
  const { url, roots } = found
  // The same page in another format.
  const path = found.path.replace(/\.(pdf|json|xml|txt|html)$/, '').replace(/(?<=.)\/+$/, '')
  const issue = /^\/issues\/(\d{1,15})(?:\/edit)?$/.exec(path)?.[1]
  const parts = issue === undefined ? [] : notesAt(url.hash, issue, roots)
  const to = [...parts, ...recordsAt(found.path, path, roots, family)]
  return { url: url.href, to, ...(parts.length > 0 ? {} : anchorOf(url)) }
}

/** An address names a note by its number on the page or by its id. */
function notesAt(hash: string, issue: string, roots: readonly string[]): Target[] {
  const note = /^#note-(\d{1,9})$/.exec(hash)?.[1]
  if (note !== undefined) return roots.map((root) => ({ sourceUrl: `${root}/issues/${issue}#note-${note}` }))
  const journal = /^#change-(\d{1,15})$/.exec(hash)?.[1]
  return journal === undefined ? [] : [{ entity: 'comments', sourceId: `${issue}-${journal}` }]
}

function recordsAt(whole: string, path: string, roots: readonly string[], family: Family): Target[] {
  const [isHelpdesk, numbered] = [family === 'helpdesk', /^\/([a-z_]+)\/(\d{1,15})(?:\/edit)?$/.exec(path)]
  const byId = (entity: string, sourceId: string | undefined) => [{ entity, sourceId: String(Number(sourceId)) }]
  const file = /^\/attachments\/(?:download\/|thumbnail\/)?(\d{1,15})(?:\/|$)/.exec(whole)
  if (file) return byId('attachments', file[1])
  const entities: Record<string, string> = {
    issues: isHelpdesk ? 'tickets' : 'issues',
    projects: isHelpdesk ? 'groups' : 'projects',
    versions: 'milestones',
    users: 'contacts',
    time_entries: 'time_entries',
  }
  const entity = numbered && Object.hasOwn(entities, String(numbered[1])) ? entities[String(numbered[1])] : undefined
  if (entity !== undefined) return byId(entity, numbered?.[2])
  const page = /^\/projects\/([^/]+)\/wiki(?:\/([^/]+))?$/.exec(path)
  if (page) return wikiPages(String(page[1]), page[2] ?? 'Wiki', roots)
  const project = /^\/projects\/([^/]+)$/.exec(path)?.[1]
  return project === undefined ? [] : roots.map((root) => ({ sourceUrl: `${root}/projects/${project}` }))
}

function wikiPages(project: string, name: string, roots: readonly string[]): Target[] {
  const decoded = decodePart(name)
  if (decoded === null) return []
  const title = toWikiTitle(decoded)
  if (/^\d{1,15}$/.test(project)) return [{ entity: 'wiki_pages', sourceId: wikiId(Number(project), title) }]
  return roots.map((root) => ({ sourceUrl: `${root}/projects/${project}/wiki/${encodeURIComponent(title)}` }))
}
