// Our key for a record, where Tryton can find it again: as an identifier of a party, as a note of an opportunity, as the
// last line of a note or of a file's description.

const prefix = 'wherry:'

export const markerOf = (key: string): string => `${prefix}${key}`
/** The note that holds what a party has no field for. */
export const aboutMarkerOf = (key: string): string => `${prefix}${key}/about`
export const isMarker = (text: string): boolean => text.startsWith(prefix)
/** Notes that are nothing but a marker. */
export const markerPattern = `${prefix}%`

/** A party's kind in the source. */
export function kindInMarker(text: string): 'accounts' | 'contacts' | null {
  const entity = /^wherry:[^/]+\/(accounts|contacts)\//.exec(text)?.[1]
  return entity === 'accounts' || entity === 'contacts' ? entity : null
}

/** A text with who wrote it, when, and our marker in its last line. */
export function withMarker(text: string, marker: string, origin: string | null = null): string {
  const line = origin === null ? marker : `— ${origin} · ${marker}`
  return text === '' ? line : `${text}\n\n${line}`
}

export interface MarkedText {
  text: string
  /** Author and time, if they were noted. */
  origin: string | null
  marker: string | null
}

export function readMarked(whole: string | null | undefined): MarkedText {
  // Only the last line is looked at by an expression: over a long text it could take for ever.
  const trimmed = (whole ?? '').trimEnd()
  const start = trimmed.lastIndexOf('\n') + 1
  const found = /^(?:— (.*) · )?(wherry:\S+)$/s.exec(trimmed.slice(start))
  const isAlone = start === 0 || trimmed.slice(0, start).endsWith('\n\n')
  if (!found || !isAlone) return { text: whole ?? '', origin: null, marker: null }
  return { text: trimmed.slice(0, Math.max(0, start - 2)), origin: found[1] ?? null, marker: found[2] ?? null }
}
