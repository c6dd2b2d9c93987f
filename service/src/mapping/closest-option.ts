import { optionMeanings } from '../families/option-meanings.ts'

/** No option has a name this long, so longer values are not compared. */
const longestName = 1_000

const plain = (text: string) => text.toLowerCase().replace(/[^\p{Letter}\p{Number}]/gu, '')

const offeredBy = (options: readonly string[]) =>
  new Map([...options].reverse().map((option) => [plain(option), option]))

/** The option with the same name, ignoring case and punctuation. */
export function sameOption(value: string, options: readonly string[]): string | null {
  if (options.includes(value)) return value
  return value.length > longestName ? null : (offeredBy(options).get(plain(value)) ?? null)
}

/** The option with the same meaning, otherwise the nearest one; null if there is none. */
export function closestOption(value: string, options: readonly string[]): string | null {
  const same = sameOption(value, options)
  if (same !== null || value.length > longestName) return same
  const offered = offeredBy(options)
  const known = Object.entries(optionMeanings)
  // The meaning with this name, otherwise the first meaning with this synonym.
  const start =
    known.find(([meaning]) => plain(meaning) === plain(value)) ??
    known.find(([, { names }]) => names.includes(plain(value)))
  return start ? follow(start[0], offered) : null
}

function follow(meaning: string, offered: ReadonlyMap<string, string>): string | null {
  const seen = new Set<string>()
  const waiting = [meaning]
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (seen.has(next)) continue
    seen.add(next)
    const names = optionMeanings[next]?.names.map((name) => offered.get(name)) ?? []
    const found = names.find((name) => name !== undefined)
    if (found !== undefined) return found
    waiting.push(...(optionMeanings[next]?.instead ?? []))
  }
  return null
}

/** Fields of the families that hold a language, such as `en` or `pt-BR`. */
const languageFields = new Set(['language', 'locale'])

/** The closest option for a value of this field. */
export function closestFor(field: string, value: string, options: readonly string[]): string | null {
  return closestOption(value, options) ?? (languageFields.has(field) ? sameLanguage(value, options) : null)
}

/** `en` and `en-us` are one language. `zh-TW` and `zh-CN` are not: both name a region. */
function sameLanguage(value: string, options: readonly string[]): string | null {
  const partsOf = (tag: string) => tag.toLowerCase().split(/[-_]/)
  const [language, ...regions] = partsOf(value.slice(0, longestName).trim())
  const isSame = (option: string) => {
    const [other, ...others] = partsOf(option)
    return other === language && (regions.length === 0 || others.length === 0)
  }
  return options.find(isSame) ?? null
}
