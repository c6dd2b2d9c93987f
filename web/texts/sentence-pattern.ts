/** The fixed parts of a sentence. There is a value between each two parts. */
export type Pattern = readonly string[]

export const patternOf = (sentence: string): Pattern => sentence.split('{}')

/** The values in a sentence; null if the sentence does not match. It needs one pass over any text. */
export function valuesIn([first = '', ...others]: Pattern, text: string): string[] | null {
  const last = others.pop()
  if (last === undefined) return text === first ? [] : null
  if (!text.startsWith(first) || !text.endsWith(last)) return null
  const values: string[] = []
  let at = first.length
  for (const part of others) {
    // A value has at least one character.
    const found = text.indexOf(part, at + 1)
    if (found === -1) return null
    values.push(text.slice(at, found))
    at = found + part.length
  }
  const end = text.length - last.length
  return end > at ? [...values, text.slice(at, end)] : null
}
