import { absoluteUrl } from '../../../text/absolute-url.ts'
import type { Lead } from '../../contract/contract.ts'
import { anchorOf, recordAt } from '../../kit/find-in-site.ts'

const places: readonly [RegExp, string, string?][] = [
  [/\/(?:conversations?|inbox\/conversation)\/t(\d{1,20})\/?$/, 'tickets', 't'],
  [/\/(?:conversations?|inbox\/conversation)\/(\d{1,20})\/?$/, 'tickets', 'c'],
  [/\/articles\/(\d{1,20})(?:-[^/]*)?\/?$/, 'articles', 'a'],
  [/\/(?:collections|sections)\/(\d{1,20})(?:-[^/]*)?\/?$/, 'categories'],
]

/**
 * Resolves an address to a record of a workspace. The help center has its own host, which we know only from `from`, the
 * page with the link.
 */
export function followIntercom(address: string, site: string, from: string | null): Lead | null {
  const url = absoluteUrl(address, from ?? `${site}/`)
  if (!url) return null
  const hosts = [site, from ?? ''].flatMap((one) => URL.parse(one)?.host ?? [])
  const isHere = hosts.includes(url.host) || /\.intercom\.help$/.test(url.host)
  if (!isHere) return null
  const to = recordAt(url.pathname, places) ?? [{ sourceUrl: `${url.origin}${url.pathname}` }]
  return { url: url.href, ...anchorOf(url), to }
}
