/** The fixed parts of a sentence, with a value between each two of them. */
export type Pattern = readonly string[]

export const patternOf = (sentence: string): Pattern => sentence.split('{}')

/** What stands at the places of the values; null if the text is another one. Takes one pass, whatever the text holds. */
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
