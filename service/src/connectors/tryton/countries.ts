/** Names of countries as people write them, in the languages that are met most. */
const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl']
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

let codes: Map<string, string> | null = null

/** The ISO code of a country that is given by code or name; null when it is neither. */
export function toCountryCode(text: string): string | null {
  const trimmed = text.trim()
  const upper = trimmed.toUpperCase()
  if (/^[A-Z]{2}$/.test(upper) && countryName(upper) !== null) return upper
  codes ??= listNames()
  return codes.get(trimmed.toLowerCase()) ?? null
}

/** In English; null for a code that stands for no country. */
export function countryName(code: string): string | null {
  return new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' }).of(code) ?? null
}

/** Intl knows names by codes only, so every pair of letters is asked for, once. */
function listNames(): Map<string, string> {
  const names = new Map<string, string>()
  for (const language of languages) {
    const display = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
    for (const first of letters) {
      for (const second of letters) {
        const name = display.of(`${first}${second}`)
        if (name !== undefined && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), `${first}${second}`)
      }
    }
  }
  return names
}
