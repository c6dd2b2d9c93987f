/** Removes NUL and replaces lone surrogates: Tryton cannot store them. */
export const cleanText = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** Tryton refuses tabs and newlines in one-line fields. */
export const cleanLine = (text: string): string => cleanText(text).replace(/[\t\n\r\v\f]+/g, ' ')

/** Between the names of a category and of the one above it. */
export const pathSeparator = ' / '

export const joinFilled = (parts: readonly string[], separator: string): string =>
  parts.filter((part) => part !== '').join(separator)

/** Joins short texts into one that people and we can read: `skype | hans.maier | office`. */
export function joinParts(parts: readonly string[]): string {
  const escaped = parts.map((part) => part.replaceAll('\\', '\\\\').replaceAll('|', '\\|'))
  while (escaped.length > 1 && escaped.at(-1) === '') escaped.pop()
  return escaped.join(' | ')
}

export function splitParts(text: string): string[] {
  // A bar within a part has a backslash before it, so this separator never occurs inside a part.
  return text.split(' | ').map((part) => part.replace(/\\([\s\S])/g, '$1'))
}

// Our key for a record, stored where Tryton's search finds it: in an identifier of a party, in a note of an
// opportunity, or in the last line of a note or of a file's description.

const prefix = 'wherry:'

export const markerOf = (key: string): string => `${prefix}${key}`
/** The marker of the note with values that a party has no field for. */
export const aboutMarkerOf = (key: string): string => `${prefix}${key}/about`
export const isMarker = (text: string): boolean => text.startsWith(prefix)
/** Matches notes that consist of a marker only. */
export const markerPattern = `${prefix}%`

/** The party's kind in the source, taken from our key. */
export function kindInMarker(text: string): 'accounts' | 'contacts' | null {
  const entity = /^wherry:[^/]+\/(accounts|contacts)\//.exec(text)?.[1]
  return entity === 'accounts' || entity === 'contacts' ? entity : null
}

export const withMarker = (text: string, marker: string, origin: string | null = null): string =>
  joinFilled([text, origin === null ? marker : `— ${origin} · ${marker}`], '\n\n')

/** The text without its marker, and the author and time if the last line has them. */
export function readMarked(whole: string | null | undefined) {
  // Only the last line is matched, because the expression could take very long on a long text.
  const trimmed = (whole ?? '').trimEnd()
  const start = trimmed.lastIndexOf('\n') + 1
  const found = /^(?:— (.*) · )?(wherry:\S+)$/s.exec(trimmed.slice(start))
  const isAlone = start === 0 || trimmed.slice(0, start).endsWith('\n\n')
  if (!found || !isAlone) return { text: whole ?? '', origin: null, marker: null }
  return { text: trimmed.slice(0, Math.max(0, start - 2)), origin: found[1] ?? null, marker: found[2] ?? null }
}
