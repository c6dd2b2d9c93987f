/**
 * The absolute address, resolved as a browser does on the page `from`; null if it is not a web address, or if `from`
 * is unknown.
 */
export function absoluteUrl(address: string, from: string | null): URL | null {
  const url = from === null ? URL.parse(address.replace(/^\s*\/\//, 'https://')) : URL.parse(address, from)
  return url && /^https?:$/.test(url.protocol) ? url : null
}

/** True if the address is relative to its site. A place within the same text (`#below`) is not. */
export function isRelative(address: string): boolean {
  const trimmed = address.trim()
  return trimmed !== '' && !trimmed.startsWith('#') && !/^[a-z][a-z0-9+.-]*:/i.test(trimmed)
}

/** The absolute form of a relative address; null if it is absolute already, or if its site is unknown. */
export function pinUrl(address: string, from: string | null): string | null {
  return isRelative(address) ? (absoluteUrl(address, from)?.href ?? null) : null
}
