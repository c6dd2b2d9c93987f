import type { RecordRef } from '../../families/record.ts'
import { absoluteUrl } from '../../text/absolute-url.ts'

export interface InSite {
  url: URL
  /** Path within the site, with its leading slash. */
  path: string
  /**
   * Addresses of the site without a final slash: the address that the customer gave, and the address of the site's own
   * pages.
   */
  roots: string[]
}

/**
 * Resolves a link as a browser would on the page `from`, for http and https alike. Null when the link leaves the site.
 * The host of `from` may differ from the host that the customer gave. `isSameHost` is for tools that have several host
 * names.
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
  // Public pages may lie above the folder in which the tool is installed.
  const folder = isWithin(page.pathname, named) ? named : ''
  if (!isWithin(url.pathname, folder)) return null
  const roots = [...new Set([base, page].map(({ origin }) => `${origin}${folder}`))]
  return { url, path: url.pathname.slice(folder.length) || '/', roots }
}

const isWithin = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

/**
 * The record that a path shows, by the forms of such paths: the first group is the tool's id, and ours may begin with
 * another text.
 */
export function recordAt(
  path: string,
  forms: readonly (readonly [form: RegExp, entity: string, prefix?: string])[],
): RecordRef[] | null {
  for (const [form, entity, prefix = ''] of forms) {
    const id = form.exec(path)?.[1]
    if (id !== undefined) return [{ entity, sourceId: `${prefix}${id}` }]
  }
  return null
}

/** The fragment of an address, still encoded. */
export const anchorOf = (url: URL): { anchor?: string } => (url.hash.length > 1 ? { anchor: url.hash.slice(1) } : {})

/** Whether a text is a number of up to fifteen digits, as the tools' ids are. */
export const isNumber = (text: string | null | undefined): text is string => /^\d{1,15}$/.test(text ?? '')

/** Decodes percent signs. Null for a text that is not validly encoded. */
export function decodePart(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
