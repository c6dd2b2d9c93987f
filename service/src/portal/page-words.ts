/** The words of the pages themselves; all others are the portal's own. They stand in English in web/*.html. */
const words: Record<string, Record<string, string>> = {
  de: {
    'Opening your import': 'Ihr Import wird geöffnet',
    'We are looking up where it stands.': 'Wir sehen nach, wo er steht.',
    'This page needs JavaScript to show where your import stands. Please allow it and reload.':
      'Diese Seite braucht JavaScript, um zu zeigen, wo Ihr Import steht. Bitte erlauben Sie es und laden Sie neu.',
    'Wherry carries data from one tool to another': 'Wherry bringt Daten von einem Werkzeug ins andere',
    "Are you here for your own import? Please open it from the app that offered it to you: its link leads to your import and to nobody else's.":
      'Geht es um Ihren eigenen Import? Bitte öffnen Sie ihn aus der App, die ihn angeboten hat: Ihr Link führt zu Ihrem Import und zu keinem anderen.',
    'Do you build such an app? Read the <a class="underline underline-offset-4" href="/docs">API reference</a>.':
      'Entwickeln Sie eine solche App? Lesen Sie die <a class="underline underline-offset-4" href="/docs">API-Referenz</a> (englisch).',
  },
}

/** The page in the language that the browser names first, or in English. */
export function putIntoLanguage(page: string, acceptLanguage: string | undefined): string {
  const language = acceptLanguage?.trim().slice(0, 2).toLowerCase() ?? ''
  const translated = Object.hasOwn(words, language) ? words[language] : undefined
  if (!translated) return page
  return Object.entries(translated).reduce(
    (text, [english, other]) => text.replace(english, () => other),
    page.replace('<html lang="en">', () => `<html lang="${language}">`),
  )
}
