import type { Lead } from '../../contract/contract.ts'
import { anchorOf, findInSite, isNumber } from '../../kit/find-in-site.ts'

type Target = Lead['to'][number]

/** Hosts with and without www are the same: WordPress redirects readers between them. */
const isSameHost = (one: URL, other: URL) => withoutWww(one) === withoutWww(other)
const withoutWww = ({ host }: URL) => host.replace(/^www\./, '')

const byId = (id: string | null | undefined, ...entities: string[]): Target[] =>
  isNumber(id) ? entities.map((entity) => ({ entity, sourceId: String(Number(id)) })) : []

const restLists = ['posts', 'pages', 'media', 'comments', 'tags', 'categories']
/** Paths without a record, or of a file. Links to files are resolved by the files of the text. */
const ownFolders = /^\/(wp-admin|wp-content|wp-includes|wp-json|wp-login\.php|xmlrpc\.php|feed)(\/|$)/

/** Finds the record of a WordPress site to which an address leads. */
export function followWordpress(address: string, site: string, from: string | null): Lead | null {
  const found = findInSite(address, site, from, isSameHost)
  if (!found) return null
  const { url, roots } = found
  const comment = /^#(?:div-)?comment-(\d+)$/.exec(url.hash)?.[1]
  const to = [...byId(comment, 'comments'), ...recordsAt(found.path, url.searchParams, roots)]
  const isPart = comment !== undefined || /^#(respond|comments)$/.test(url.hash)
  return { url: url.href, to, ...(isPart ? {} : anchorOf(url)) }
}

function recordsAt(whole: string, query: URLSearchParams, roots: readonly string[]): Target[] {
  const path = whole.replace(/^\/index\.php(?=\/|$)/, '').replace(/\/comment-page-\d+\/?$/, '/') || '/'
  const rest = /^\/(?:wp-json\/)?wp\/v2\/([a-z]+)\/(\d+)\/?$/.exec(query.get('rest_route') ?? path)
  if (rest) return restLists.includes(String(rest[1])) ? byId(rest[2], String(rest[1])) : []
  if (path === '/') return recordsAsked(query, roots)
  if (ownFolders.test(path)) return []
  // Some servers support only addresses with index.php, and then all addresses contain it.
  return roots.flatMap((root) => [path, `/index.php${path}`].map((one) => ({ sourceUrl: `${root}${one}` })))
}

function recordsAsked(query: URLSearchParams, roots: readonly string[]): Target[] {
  // WordPress opens the record with this number, whatever its type.
  if (query.has('attachment_id')) return byId(query.get('attachment_id'), 'media', 'posts', 'pages')
  if (query.has('page_id')) return byId(query.get('page_id'), 'pages', 'posts', 'media')
  if (query.has('p')) return byId(query.get('p'), 'posts', 'pages', 'media')
  if (query.has('cat')) return byId(query.get('cat'), 'categories')
  const tag = query.get('tag')
  if (!tag) return []
  const slug = encodeURIComponent(tag)
  return roots.flatMap((root) => [{ sourceUrl: `${root}/?tag=${slug}` }, { sourceUrl: `${root}/tag/${slug}/` }])
}
