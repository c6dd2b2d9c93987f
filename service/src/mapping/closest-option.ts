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
