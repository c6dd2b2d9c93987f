import { absoluteUrl } from '../../text/absolute-url.ts'

export interface InSite {
  url: URL
  /** Within the site, from its first slash on. */
  path: string
  /** The site's first address without a slash at the end: the customer's form, and the form of its own pages. */
  roots: string[]
}

/**
 * Resolves an address as the pages of a site do, under any scheme. Null when it points elsewhere. `from` is the page
 * with the link; its host may differ from the host that the customer named. `isSameHost` is for tools that answer under
 * several names.
 */
export function findInSite(
  address: string,
  site: string,
  from: string | null,
  isSameHost = (one: URL, other: URL) => one.host === other.host,
): InSite | null {
  const base = URL.parse(site.trim())
  if (!base) return null
  const page = from === null ? base : (URL.parse(from) ?? base)
  const url = absoluteUrl(address, from ?? `${base.origin}${base.pathname.replace(/\/+$/, '')}/`)
  if (!url || !(isSameHost(url, base) || isSameHost(url, page))) return null
  const named = base.pathname.replace(/\/+$/, '')
  // Public pages may begin above the folder in which the tool is installed.
  const folder = isWithin(page.pathname, named) ? named : ''
  if (!isWithin(url.pathname, folder)) return null
  const roots = [...new Set([base, page].map(({ origin }) => `${origin}${folder}`))]
  return { url, path: url.pathname.slice(folder.length) || '/', roots }
}

const isWithin = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

/** The place within the page, decoded as little as it was. */
export const anchorOf = (url: URL): { anchor?: string } => (url.hash.length > 1 ? { anchor: url.hash.slice(1) } : {})

/** Ids of tools are numbers of up to fifteen digits. */
export const isNumber = (text: string | null | undefined): text is string => /^\d{1,15}$/.test(text ?? '')

/** Null for what is no text in percent signs. */
export function decodePart(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
