/** Names of countries as people write them, in the languages that are met most. */
const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl']
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
/** Intl has names for these, but nobody lives there. */
const noCountries = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ'])

/** Worked out when first needed; it is the same for everyone. */
let codesByName: ReadonlyMap<string, string> | null = null

/** The ISO code of a country that is given by code or name; null when it is neither. */
export function toCountryCode(text: string): string | null {
  const trimmed = text.trim()
  const upper = trimmed.toUpperCase()
  if (/^[A-Z]{2}$/.test(upper) && countryName(upper) !== null) return upper
  codesByName ??= listNames()
  return codesByName.get(trimmed.toLowerCase()) ?? null
}

/** In English; null for a code that stands for no country, or not for one any more. */
export function countryName(code: string): string | null {
  if (!isCurrent(code)) return null
  return new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' }).of(code) ?? null
}

/** A withdrawn code is replaced by today's: DD by DE. */
function isCurrent(code: string): boolean {
  return !noCountries.has(code) && Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`
}

/** Intl knows names by codes only, so every pair of letters is asked for. */
function listNames(): ReadonlyMap<string, string> {
  const codes = letters.flatMap((first) => letters.map((second) => `${first}${second}`)).filter(isCurrent)
  const names = new Map<string, string>()
  for (const language of languages) {
    const display = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
    for (const code of codes) {
      const name = display.of(code)?.toLowerCase()
      if (name !== undefined && !names.has(name)) names.set(name, code)
    }
  }
  return names
}
