import type { Lead } from '../../contract/contract.ts'
import { anchorOf, findInSite } from '../../kit/find-in-site.ts'
import { isId } from './lenses.ts'
import { mediumId } from './list-media.ts'

/** Finds the record of a Ghost site to which an address leads. */
export function followGhost(address: string, site: string, from: string | null): Lead | null {
  // Ghost stores the site's own addresses in texts with this prefix.
  const written = address.trim().replace(/^__GHOST_URL__/, site)
  const found = findInSite(written, site, from)
  if (!found) return null
  const { url, roots } = found
  const comment = /^#ghost-comments-([0-9a-f]{24})$/.exec(url.hash)?.[1]
  const isPart = /^#(ghost-comments(-[0-9a-f]{24})?|\/portal.*)$/.test(url.hash)
  const to = recordsAt(url, found.path, roots)
  return {
    url: url.href,
    to: [...(isId(comment ?? '') ? [{ entity: 'comments', sourceId: String(comment) }] : []), ...to],
    ...(isPart ? {} : anchorOf(url)),
  }
}

function recordsAt(url: URL, path: string, roots: readonly string[]): Lead['to'] {
  if (path.startsWith('/content/')) {
    const id = mediumId(url.href)
    if (id === null) return []
    // The id of a file is its address.
    const addresses = new Set([id, ...roots.map((root) => id.replace(url.origin, new URL(root).origin))])
    return [...addresses].map((sourceId) => ({ entity: 'media', sourceId }))
  }
  if (path === '/' || /^\/ghost(\/|$)/.test(path)) return []
  const page = path.replace(/\/amp\/?$/, '/')
  return roots.map((root) => ({ sourceUrl: `${root}${page}` }))
}
