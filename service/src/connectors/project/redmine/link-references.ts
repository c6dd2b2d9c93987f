import type { Family } from '../../../families/index.ts'
import { literals } from '../../../text/redmine-signs.ts'
import type { Lead } from '../../contract/contract.ts'
import { anchorOf, decodePart, findInSite } from '../../kit/find-in-site.ts'

// The characters that may come before and after a reference, as in Redmine's `LINKS_RE`.
const before = String.raw`(?<=^|[\s(,\-[>])`
const after = String.raw`(?=[!-/:-@[-\`{-~](?:[^A-Za-z0-9_/]|$)|[\s,\]<]|$)`
const numbered = String.raw`##?(?<issue>\d{1,9})(?:(?:#note)?-(?<note>\d{1,9}))?|#note-(?<own>\d{1,9})`
const prefixed = String.raw`(?<kind>document|version|forum|news|message|project|user)#(?<id>\d{1,9})`
const named = String.raw`project:(?<project>[a-z0-9_-]{1,100})|attachment:(?:"(?<quoted>[^"\n]{1,255})"|(?<file>[^"\s<>]{1,255}?))`
const page = String.raw`(?<!!)\[\[(?:(?<wiki>[a-z0-9_-]{1,100}):)?(?<page>[^\][|\n#:]{0,255})(?:#(?<anchor>[^\][|\n]{1,255}))?(?:\|(?<label>[^\][\n|]{1,255}))?\]\]`
const patternOf = (format: keyof typeof literals) =>
  new RegExp(`${literals[format]}|${before}(?:${numbered}|${prefixed}|${named})${after}|${page}`, 'g')
const patterns = { textile: patternOf('textile'), markdown: patternOf('markdown') }

/** The issue, project and files that references in a text can refer to. */
export interface Surroundings {
  issue?: number | undefined
  project?: number | string | undefined
  files?: readonly { id: number; filename?: string | undefined }[] | undefined
}

/** Folders in addresses that are not the plural of a reference's word. */
const folders: Record<string, string> = { forum: 'boards', news: 'news' }

/**
 * Turns `#12`, `[[Page]]` and `attachment:name` into links. They have a meaning only in their own instance: elsewhere,
 * #12 is another issue. Links are translated later like all other links.
 * `!#12` is no reference and stays: the reader of Redmine’s Textile shows it as `#12` (`redmine-signs.ts`).
 */
export function linkReferences(text: string, format: 'textile' | 'markdown', base: string, around: Surroundings = {}) {
  return text.replace(patterns[format], (found: string, ...rest: unknown[]) => {
    const path = pathOf(rest.at(-1) as Groups, around)
    if (path === null) return found
    const { label, page, wiki, quoted } = rest.at(-1) as Groups
    const words = (label ?? (page || wiki) ?? quoted ?? found).replace(/["[\]]/g, '')
    return format === 'textile' ? `"${words}":${base}${path}` : `[${words}](${base}${path})`
  })
}

type Groups = Record<string, string | undefined>

function pathOf(groups: Groups, around: Surroundings): string | null {
  const { issue, note, own, kind, id, project, quoted, file, page } = groups
  if (issue !== undefined) return `/issues/${issue}${note === undefined ? '' : `#note-${note}`}`
  if (own !== undefined) return around.issue === undefined ? null : `/issues/${around.issue}#note-${own}`
  if (kind !== undefined) return `/${folders[kind] ?? `${kind}s`}/${id}`
  if (project !== undefined) return `/projects/${project}`
  if (page !== undefined) return wikiPath(groups, around)
  const name = (quoted ?? file)?.toLowerCase()
  if (name === undefined) return null
  // If several files have this name, Redmine uses the newest.
  const files = (around.files ?? []).filter(({ filename }) => filename?.toLowerCase() === name)
  return files.length === 0 ? null : `/attachments/${Math.max(...files.map((one) => one.id))}`
}

function wikiPath({ wiki, page = '', anchor }: Groups, { project }: Surroundings): string | null {
  const place = wiki ?? project
  if (place === undefined || (page === '' && wiki === undefined)) return null
  const title = page === '' ? '' : `/${encodeURIComponent(toWikiTitle(page))}`
  return `/projects/${place}/wiki${title}${anchor === undefined ? '' : `#${encodeURIComponent(toAnchor(anchor))}`}`
}

export const wikiId = (projectId: number, title: string): string => `${projectId}/${title}`

/** Converts a title to its address as Redmine does. */
export function toWikiTitle(name: string): string {
  const plain = name.replace(/\s+/g, '_').replace(/[,./?;|:]/g, '')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

/** Converts a heading to its anchor as Redmine does. */
const toAnchor = (name: string) => name.replace(/[^\s\-\p{L}\p{M}\p{N}_]/gu, '').replace(/\s+(?:-+\s*)?/g, '-')

type Target = Lead['to'][number]

/** Resolves an address to a record of this Redmine. References such as `#12` have become links before. */
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
  const [issues, projects] = family === 'helpdesk' ? ['tickets', 'groups'] : ['issues', 'projects']
  const others = { versions: 'milestones', users: 'contacts', time_entries: 'time_entries' }
  const entities = new Map(Object.entries({ issues, projects, ...others }))
  const file = /^\/attachments\/(?:download\/|thumbnail\/)?(\d{1,15})(?:\/|$)/.exec(whole)
  const numbered = /^\/([a-z_]+)\/(\d{1,15})(?:\/edit)?$/.exec(path)
  const entity = file ? 'attachments' : entities.get(String(numbered?.[1]))
  if (entity !== undefined) return [{ entity, sourceId: String(Number(file?.[1] ?? numbered?.[2])) }]
  const [, project, isWiki, name = 'Wiki'] = /^\/projects\/([^/]+)(\/wiki(?:\/([^/]+))?)?$/.exec(path) ?? []
  if (project === undefined) return []
  if (isWiki === undefined) return roots.map((root) => ({ sourceUrl: `${root}/projects/${project}` }))
  const title = decodePart(name)
  if (title === null) return []
  const page = toWikiTitle(title)
  if (/^\d{1,15}$/.test(project)) return [{ entity: 'wiki_pages', sourceId: wikiId(Number(project), page) }]
  return roots.map((root) => ({ sourceUrl: `${root}/projects/${project}/wiki/${encodeURIComponent(page)}` }))
}
