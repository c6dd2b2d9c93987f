import type { Lead } from '../../contract/contract.ts'
import { anchorOf, findInSite, isNumber } from '../../kit/find-in-site.ts'

const byId = (entity: string, id: string | null | undefined): Lead['to'] =>
  isNumber(id) ? [{ entity, sourceId: String(Number(id)) }] : []

/** Pages that show one record. Its id is in the path or in the parameter `id`. */
const pages: [path: RegExp, entity: string][] = [
  [/^\/REST\/[12]\.0\/ticket\/(\d+)(?:\/|$)/, 'tickets'],
  [/^\/REST\/2\.0\/queue\/(\d+)(?:\/|$)/, 'groups'],
  [/^\/REST\/2\.0\/transaction\/(\d+)(?:\/|$)/, 'comments'],
  [/^\/User\/Summary\/(\d+)$/, 'contacts'],
  [/^\/(?:Ticket|SelfService)\/[A-Za-z]+\.html$/, 'tickets'],
  [/^\/m\/ticket\/[a-z]+$/, 'tickets'],
  [/^\/(?:User\/(?:Summary|History)|Admin\/Users\/[A-Za-z]+)\.html$/, 'contacts'],
  [/^\/Admin\/Queues\/[A-Za-z]+\.html$/, 'groups'],
]

/** Resolves an address to a record. Request Tracker itself does not turn numbers in texts into links. */
export function followRt(address: string, site: string, from: string | null): Lead | null {
  // Request Tracker's address format for links between tickets.
  const own = /^fsck\.com-rt:\/\/[^/\s]+\/ticket\/(\d{1,15})$/i.exec(address.trim())?.[1]
  const written = own === undefined ? address : `${site}/Ticket/Display.html?id=${own}`
  const found = findInSite(written, site, from)
  if (!found) return null
  const { url } = found
  const path = found.path.replace(/\/{2,}/g, '/')
  const message = /^#txn-(\d+)$/.exec(url.hash)?.[1] ?? url.searchParams.get('Transaction')
  const to = [...byId('comments', message), ...recordsAt(path, url.searchParams)]
  return { url: url.href, to, ...(url.hash.startsWith('#txn-') ? {} : anchorOf(url)) }
}

function recordsAt(path: string, query: URLSearchParams): Lead['to'] {
  const file = /^\/(?:Ticket|SelfService)\/Attachment\/(\d{1,15})\/(\d{1,15})(?:\/|$)/.exec(path)
  if (file) return [{ entity: 'attachments', sourceId: `${Number(file[1])}-${Number(file[2])}` }]
  const page = pages.find(([pattern]) => pattern.test(path))
  return page ? byId(page[1], page[0].exec(path)?.[1] ?? query.get('id')) : []
}
