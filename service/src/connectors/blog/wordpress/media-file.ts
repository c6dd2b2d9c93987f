/** The properties of a media record that we use. A property is missing if it has the wrong type. */
export interface MediumFields {
  id: number
  source_url?: string
  /** PHP writes an empty object as a list. */
  media_details?: unknown
  alt_text?: string
  caption?: { raw: string }
}

/** The original file. For a very large picture, WordPress shows a smaller file instead. */
export function mediaFile({
  source_url: shown,
  media_details: details,
}: Pick<MediumFields, 'source_url' | 'media_details'>): { url: string; name: string; size: number | null } | null {
  if (typeof shown !== 'string') return null
  const original = textOf(details, 'original_image')
  const name = original ?? shown.slice(shown.lastIndexOf('/') + 1)
  if (name === '' || name.includes('/')) return null
  const size = propertyOf(details, 'filesize')
  return {
    url: `${shown.slice(0, shown.lastIndexOf('/') + 1)}${original === null ? name : encodeURIComponent(original)}`,
    name: decoded(name),
    // The known size is that of the smaller file.
    size: original === null && Number.isSafeInteger(size) ? Number(size) : null,
  }
}

/** Every address by which a text can show this file. */
export function mediaAddresses(medium: MediumFields): string[] {
  const sizes = propertyOf(medium.media_details, 'sizes')
  const shown = typeof sizes === 'object' && sizes !== null ? Object.values(sizes) : []
  const addresses = [medium.source_url, mediaFile(medium)?.url, ...shown.map((size) => textOf(size, 'source_url'))]
  return [...new Set(addresses.flatMap((address) => address ?? []))]
}

/** The address without protocol, query and size, so that all forms of one file are equal. */
export function comparableAddress(address: string, site: string): string | null {
  const url = URL.canParse(address, `${site}/`) ? new URL(address, `${site}/`) : null
  if (!url || !/^https?:$/.test(url.protocol)) return null
  const path = url.pathname.replace(/(?:-\d{1,5}x\d{1,5}|-scaled|-rotated)?(\.[a-z0-9]{1,5})$/i, '$1')
  return `${url.host}${path}`
}

function propertyOf(object: unknown, name: string): unknown {
  return typeof object === 'object' && object !== null ? (object as Record<string, unknown>)[name] : undefined
}

function textOf(object: unknown, name: string): string | null {
  const value = propertyOf(object, name)
  return typeof value === 'string' && value !== '' ? value : null
}

export function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
