/** The languages in which country names are recognized. */
const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl']
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
/** Intl has names for these codes, but they are no countries. */
const noCountries = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ'])

/** Built at the first use, and shared by all accounts. */
let codesByName: ReadonlyMap<string, string> | null = null

/** Returns the ISO code for a code or a name, or null if the text is neither. */
export function toCountryCode(text: string): string | null {
  const trimmed = text.trim()
  const upper = trimmed.toUpperCase()
  if (/^[A-Z]{2}$/.test(upper) && countryName(upper) !== null) return upper
  codesByName ??= listNames()
  return codesByName.get(trimmed.toLowerCase()) ?? null
}

/** Returns the English name, or null for a code that no country has today. */
export function countryName(code: string): string | null {
  if (!isCurrent(code)) return null
  return new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' }).of(code) ?? null
}

/** Intl replaces a withdrawn code by today's: DD becomes DE. */
function isCurrent(code: string): boolean {
  return !noCountries.has(code) && Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`
}

/** Intl finds names by code only, so every pair of letters is tried. */
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
