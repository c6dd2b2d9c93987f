import type { Family } from '../../../families/index.ts'
import type { Lead } from '../../contract/contract.ts'
import type { ObjectType } from './api.ts'
import { entityOf, objectNumbers } from './objects.ts'

const oldNames: Record<string, ObjectType> = {
  contact: 'contacts',
  company: 'companies',
  deal: 'deals',
  ticket: 'tickets',
}

/**
 * The addresses of two accounts differ only in the account number. It must be the number of the page that has the
 * link.
 */
export function followHubspot(address: string, from: string | null, family: Family): Lead | null {
  const place = /^\/contacts\/(\d+)\/(?:record\/(0-\d+)|(contact|company|deal|ticket))\/(\d{1,18})\/?$/
  const url = URL.parse(address, from ?? undefined)
  if (!url || !/^https?:$/.test(url.protocol) || !/(^|\.)hubspot\.com$/.test(url.hostname)) return null
  const [, portal, number, name = '', id = ''] = place.exec(url.pathname) ?? []
  const [, home] = /\/contacts\/(\d+)\//.exec(from ?? '') ?? []
  if (portal === undefined || (home !== undefined && home !== portal)) return null
  const type =
    number === undefined
      ? oldNames[name]
      : (Object.keys(objectNumbers) as ObjectType[]).find((one) => objectNumbers[one] === number)
  const entity = type === undefined ? '' : entityOf(family, type)
  return { url: url.href, to: entity === '' ? [] : [{ entity, sourceId: id }] }
}
