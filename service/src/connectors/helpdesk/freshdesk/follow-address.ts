import type { Lead } from '../../contract/contract.ts'
import { anchorOf, findInSite, recordAt } from '../../kit/find-in-site.ts'

const places: readonly [RegExp, string, string?][] = [
  [/^\/(?:a|helpdesk|support|en\/support|api\/v2)\/tickets\/(?:archived\/)?(\d{1,15})\/?$/, 'tickets'],
  [/^\/(?:[\w-]+\/)?(?:support\/|a\/)?solutions?\/articles\/(\d{1,15})(?:-[^/]*)?\/?$/, 'articles'],
  [/^\/(?:[\w-]+\/)?(?:support\/|a\/)?solutions?\/folders\/(\d{1,15})(?:-[^/]*)?\/?$/, 'categories'],
  [/^\/(?:[\w-]+\/)?(?:support\/|a\/)?solutions?\/(?:categories\/)?(\d{1,15})(?:-[^/]*)?\/?$/, 'categories', 'c'],
]

/** Resolves an address to a record of a Freshdesk. */
export function followFreshdesk(address: string, site: string, from: string | null): Lead | null {
  const found = findInSite(address, site, from)
  return found && { url: found.url.href, ...anchorOf(found.url), to: recordAt(found.path, places) ?? [] }
}
