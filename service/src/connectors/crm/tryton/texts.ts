/** Removes NUL and replaces lone surrogates: Tryton cannot store them. */
export const cleanText = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** Tryton refuses tabs and newlines in one-line fields. */
export const cleanLine = (text: string): string => cleanText(text).replace(/[\t\n\r\v\f]+/g, ' ')

/** Joins the parts that are not empty. */
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
