import type { Lead } from '../../contract/contract.ts'
import { anchorOf, findInSite, isNumber } from '../../kit/find-in-site.ts'

type Target = Lead['to'][number]

/** WordPress sends readers to the right one of both. */
const isSameHost = (one: URL, other: URL) => withoutWww(one) === withoutWww(other)
const withoutWww = ({ host }: URL) => host.replace(/^www\./, '')

const byId = (id: string | null | undefined, ...entities: string[]): Target[] =>
  isNumber(id) ? entities.map((entity) => ({ entity, sourceId: String(Number(id)) })) : []

const restLists = ['posts', 'pages', 'media', 'comments', 'tags', 'categories']
/** Addresses without a record, or of a record's file: texts with files name the file. */
const ownFolders = /^\/(wp-admin|wp-content|wp-includes|wp-json|wp-login\.php|xmlrpc\.php|feed)(\/|$)/

/** Resolves an address to a record of a WordPress. */
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
  // Some servers only know addresses with index.php, and then it stands in all of them.
  return roots.flatMap((root) => [path, `/index.php${path}`].map((one) => ({ sourceUrl: `${root}${one}` })))
}

function recordsAsked(query: URLSearchParams, roots: readonly string[]): Target[] {
  // A number may belong to a record of any type: WordPress opens it in any case.
  if (query.has('attachment_id')) return byId(query.get('attachment_id'), 'media', 'posts', 'pages')
  if (query.has('page_id')) return byId(query.get('page_id'), 'pages', 'posts', 'media')
  if (query.has('p')) return byId(query.get('p'), 'posts', 'pages', 'media')
  if (query.has('cat')) return byId(query.get('cat'), 'categories')
  const tag = query.get('tag')
  if (!tag) return []
  const slug = encodeURIComponent(tag)
  return roots.flatMap((root) => [{ sourceUrl: `${root}/?tag=${slug}` }, { sourceUrl: `${root}/tag/${slug}/` }])
}
