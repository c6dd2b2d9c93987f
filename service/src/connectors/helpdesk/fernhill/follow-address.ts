import type { Lead } from '../../contract/contract.ts'
import { anchorOf, findInSite } from '../../kit/find-in-site.ts'

/** Resolves an address to a record of a Fernhill Desk. */
export function followFernhill(address: string, site: string, from: string | null): Lead | null {
  const found = findInSite(address, site, from)
  if (!found) return null
  const { url, path, roots } = found
  // Addresses show a ticket's number, which differs from its id.
  const ticket = /^\/tickets\/(\d{1,15})\/?$/.exec(path)?.[1]
  const [, entity, sourceId = ''] =
    /^\/(?:api\/v1\/)?(tickets|articles|attachments|comments)\/(\d{1,15})(?:\/content)?\/?$/.exec(path) ?? []
  const byId = entity === undefined ? [] : [{ entity, sourceId }]
  const to = ticket === undefined ? byId : roots.map((root) => ({ sourceUrl: `${root}/tickets/${ticket}` }))
  return { url: url.href, to, ...anchorOf(url) }
}
