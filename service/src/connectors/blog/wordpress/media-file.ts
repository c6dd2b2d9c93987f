import { decodePart } from '../../kit/find-in-site.ts'
import { objectsIn, valueAt } from '../../kit/lens.ts'

/** A media record. Any property may be missing or of the wrong type; PHP writes an empty object as a list. */
type Medium = Readonly<Record<string, unknown>>

export const decoded = (name: string): string => decodePart(name) ?? name

/** The original file. For a very large picture, WordPress shows a smaller file instead. */
export function mediaFile(medium: Medium): { url: string; name: string; size: number | null } | null {
  const shown = medium.source_url
  if (typeof shown !== 'string') return null
  const folder = shown.slice(0, shown.lastIndexOf('/') + 1)
  const original = valueAt(medium, 'media_details.original_image')
  const isReplaced = typeof original === 'string' && original !== ''
  const name = isReplaced ? original : shown.slice(folder.length)
  if (name === '' || name.includes('/')) return null
  const size = valueAt(medium, 'media_details.filesize')
  return {
    url: `${folder}${isReplaced ? encodeURIComponent(name) : name}`,
    name: decoded(name),
    // The known size is that of the smaller file.
    size: !isReplaced && Number.isSafeInteger(size) ? Number(size) : null,
  }
}

/** Every address by which a text can show this file. */
export function mediaAddresses(medium: Medium): string[] {
  const sizes = objectsIn(Object.values(valueAt(medium, 'media_details.sizes') ?? {}))
  const addresses = [medium.source_url, mediaFile(medium)?.url, ...sizes.map(({ source_url }) => source_url)]
  return [...new Set(addresses.filter((address) => typeof address === 'string' && address !== ''))] as string[]
}

/** The address without protocol, query and size, so that all forms of one file are equal. */
export function comparableAddress(address: string, site: string): string | null {
  const url = URL.parse(address, `${site}/`)
  if (!url || !/^https?:$/.test(url.protocol)) return null
  const path = url.pathname.replace(/(?:-\d{1,5}x\d{1,5}|-scaled|-rotated)?(\.[a-z0-9]{1,5})$/i, '$1')
  return `${url.host}${path}`
}
