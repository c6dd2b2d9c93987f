import type { Lead } from '../../contract/contract.ts'
import { decodePart, findInSite } from '../../kit/find-in-site.ts'
import type { Place } from './locate-database.ts'

/** A party can be an account or a contact. */
const entities: Record<string, string[]> = { 'party.party': ['accounts', 'contacts'], 'sale.opportunity': ['deals'] }

/** Resolves an address of the web client or of the desktop program to a record of this Tryton. */
export function followTryton(address: string, { origin, database }: Place, from: string | null): Lead | null {
  const desktop = /^tryton:\/\/([^/\s]+)\/(\S+)$/i.exec(address.trim())
  const isHere = desktop?.[1]?.split(':')[0]?.toLowerCase() === new URL(origin).hostname
  const written = desktop && isHere ? `${origin}/#${desktop[2]}` : address
  const found = findInSite(written, origin, from)
  if (!found) return null
  const [, named = '', model = '', id = ''] = /^#\/?([^/]+)\/model\/([a-z._]+)\/(\d{1,15})/.exec(found.url.hash) ?? []
  const own = decodePart(named) === database && Object.hasOwn(entities, model) ? (entities[model] ?? []) : []
  return { url: found.url.href, to: own.map((entity) => ({ entity, sourceId: String(Number(id)) })) }
}
