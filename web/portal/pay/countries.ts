/** Codes that are not countries: unions and test codes. */
const noCountries = ['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** All countries that the browser knows, sorted by their name in this language. */
export function countries(language: string): { code: string; name: string }[] {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
  const found = new Map<string, string>()
  for (const code of letters.flatMap((first) => letters.map((second) => `${first}${second}`))) {
    const name = noCountries.includes(code) ? undefined : names.of(code)
    // Withdrawn codes have the name of their successor, so they are left out.
    const canonical = new Intl.Locale(`und-${code}`).region
    if (name !== undefined && canonical === code) found.set(code, name)
  }
  return [...found]
    .map(([code, name]) => ({ code, name }))
    .sort((one, two) => one.name.localeCompare(two.name, language))
}
