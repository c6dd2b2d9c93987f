import { AccountRefusedError } from '../../../errors.ts'
import type { Lead } from '../../contract/contract.ts'
import { decodePart, findInSite } from '../../kit/find-in-site.ts'

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

/** The address of a Tryton, and the name of its database. */
export type Place = ReturnType<typeof locateDatabase>

const names = /^[\w.-]{1,63}$/

/** Accepts `https://host/database` and the address bar of the web client: `https://host/#database/…`. */
export function locateDatabase(instanceUrl: string | null) {
  const url = URL.canParse(instanceUrl ?? '') ? new URL(String(instanceUrl)) : null
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new AccountRefusedError('The address must begin with https:// and end with the name of the database.')
  }
  const segments = url.pathname.split('/').filter((segment) => segment !== '')
  const inHash = url.hash.replace(/^#\/?/, '').split(/[/?;]/)[0] ?? ''
  const database = inHash === '' ? segments.pop() : inHash
  if (database === undefined || !names.test(database)) {
    throw new AccountRefusedError(
      'The address lacks the name of the database: write it at the end, as in https://tryton.example.com/company.',
    )
  }
  return { origin: [url.origin, ...segments].join('/'), database }
}
