/** The address as a browser on the page `from` reads it; null when it is no address of the web, or nobody knows where it begins. */
export function absoluteUrl(address: string, from: string | null): URL | null {
  const url = from === null ? URL.parse(address.replace(/^\s*\/\//, 'https://')) : URL.parse(address, from)
  return url && /^https?:$/.test(url.protocol) ? url : null
}

/** Whether it means something else on another site. A place within the same text does not. */
export function isRelative(address: string): boolean {
  const trimmed = address.trim()
  return trimmed !== '' && !trimmed.startsWith('#') && !/^[a-z][a-z0-9+.-]*:/i.test(trimmed)
}

/** The same address for any other site; null when it is that already, or nobody knows where it begins. */
export function pinUrl(address: string, from: string | null): string | null {
  return isRelative(address) ? (absoluteUrl(address, from)?.href ?? null) : null
}
