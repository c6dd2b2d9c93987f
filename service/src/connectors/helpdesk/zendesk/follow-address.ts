import type { Lead } from '../../contract/contract.ts'
import { anchorOf, findInSite, recordAt } from '../../kit/find-in-site.ts'

const places: readonly [RegExp, string, string?][] = [
  [/^\/(?:agent\/|hc\/[\w-]+\/|api\/v2\/)?(?:tickets|requests)\/(\d{1,15})(?:\.json)?\/?$/, 'tickets'],
  [/^\/hc\/(?:[\w-]+\/)?articles\/(\d{1,15})(?:-[^/]*)?\/?$/, 'articles'],
  [/^\/hc\/(?:[\w-]+\/)?sections\/(\d{1,15})(?:-[^/]*)?\/?$/, 'categories'],
  [/^\/hc\/(?:[\w-]+\/)?categories\/(\d{1,15})(?:-[^/]*)?\/?$/, 'categories', 'c'],
]

/** Resolves an address to a record of a Zendesk. */
export function followZendesk(address: string, site: string, from: string | null): Lead | null {
  const found = findInSite(address, site, from)
  if (!found) return null
  const { url, path, roots } = found
  const isFile = /^\/(?:attachments\/|hc\/(?:[\w-]+\/)?article_attachments\/)/.test(path)
  const files = isFile ? roots.map((root) => ({ sourceUrl: `${root}${path}${url.search}` })) : []
  return { url: url.href, ...anchorOf(url), to: recordAt(path, places) ?? files }
}
