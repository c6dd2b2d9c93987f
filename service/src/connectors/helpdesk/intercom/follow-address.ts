import { absoluteUrl } from '../../../text/absolute-url.ts'
import type { Lead } from '../../contract/contract.ts'
import { anchorOf } from '../../kit/find-in-site.ts'

const conversation = /\/(?:conversations?|inbox\/conversation)\/(t?)(\d{1,20})\/?$/
const article = /\/articles\/(\d{1,20})(?:-[^/]*)?\/?$/
const collection = /\/(?:collections|sections)\/(\d{1,20})(?:-[^/]*)?\/?$/

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
  const lead = { url: url.href, ...anchorOf(url) }
  const [, ticket, number] = conversation.exec(url.pathname) ?? []
  if (number !== undefined)
    return { ...lead, to: [{ entity: 'tickets', sourceId: `${ticket === 't' ? 't' : 'c'}${number}` }] }
  const [, articleId] = article.exec(url.pathname) ?? []
  if (articleId !== undefined) return { ...lead, to: [{ entity: 'articles', sourceId: `a${articleId}` }] }
  const [, collectionId] = collection.exec(url.pathname) ?? []
  if (collectionId !== undefined) return { ...lead, to: [{ entity: 'categories', sourceId: collectionId }] }
  return { ...lead, to: [{ sourceUrl: `${url.origin}${url.pathname}` }] }
}
