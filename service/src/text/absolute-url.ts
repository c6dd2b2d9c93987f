/**
 * Resolves an address as a browser does on the page `from`. Null if the result is no web address, or if a relative
 * address has no `from`.
 */
export function absoluteUrl(address: string, from: string | null): URL | null {
  const url = from === null ? URL.parse(address.replace(/^\s*\/\//, 'https://')) : URL.parse(address, from)
  return url && /^https?:$/.test(url.protocol) ? url : null
}

/** True if the address is relative to its site. An anchor within the same text (`#below`) is not. */
export function isRelative(address: string): boolean {
  const trimmed = address.trim()
  return trimmed !== '' && !trimmed.startsWith('#') && !/^[a-z][a-z0-9+.-]*:/i.test(trimmed)
}

/** The absolute form of a relative address; null if the address is already absolute or its site is unknown. */
export function pinUrl(address: string, from: string | null): string | null {
  return isRelative(address) ? (absoluteUrl(address, from)?.href ?? null) : null
}
