import { absoluteUrl } from '../../../text/absolute-url.ts'
import type { Lead } from '../../contract/contract.ts'
import { anchorOf } from '../../kit/find-in-site.ts'

/**
 * Resolves an address to a record. Each Docs site has its own host, which we know only from `from`, the page with the
 * link.
 */
export function followHelpscout(
  address: string,
  from: string | null,
  isAsset: (url: URL) => boolean = () => false,
): Lead | null {
  const url = absoluteUrl(address, from ?? 'https://secure.helpscout.net/')
  if (!url) return null
  const lead = { url: url.href, ...anchorOf(url) }
  if (isAsset(url)) return { ...lead, to: [{ sourceUrl: url.href }] }
  if (url.host === 'secure.helpscout.net') {
    const [, id] = /^\/conversation\/(\d{1,15})(?:\/\d+)?\/?$/.exec(url.pathname) ?? []
    if (id !== undefined) return { ...lead, to: [{ entity: 'tickets', sourceId: id }] }
    const isFile = url.pathname.startsWith('/file/')
    return { ...lead, to: isFile ? [{ sourceUrl: url.href }] : [] }
  }
  const isDocs = url.host.endsWith('.helpscoutdocs.com') || (from !== null && url.host === URL.parse(from)?.host)
  if (!isDocs) return null
  const { origin, pathname } = url
  const isPage = /^\/(article|collection|category)\/\d+-/.test(pathname)
  return {
    ...lead,
    to: isPage
      ? ['https:', 'http:'].map((scheme) => ({ sourceUrl: `${scheme}${origin.replace(/^https?:/, '')}${pathname}` }))
      : [],
  }
}
