/** The words of the pages themselves; all others are the portal's own. They stand in English in web/*.html. */
const words: Record<string, Record<string, string>> = {
  de: {
    'Opening your import': 'Ihr Import wird geöffnet',
    'We are loading its status.': 'Wir sehen nach, wo er steht.',
    'This page needs JavaScript to show your import. Please allow it and reload.':
      'Diese Seite braucht JavaScript, um Ihren Import anzuzeigen. Bitte erlauben Sie es und laden Sie neu.',
    'Wherry carries data from one tool to another': 'Wherry überträgt Daten von einem Programm in ein anderes',
    'Are you here for your own import? Please open it from the app that offered it to you: the link there opens your import and no other.':
      'Geht es um Ihren eigenen Import? Bitte öffnen Sie ihn aus der App, die ihn angeboten hat: Ihr Link führt zu Ihrem Import und zu keinem anderen.',
    'Do you build such an app? Read the <a class="underline underline-offset-4" href="/docs">API reference</a>.':
      'Entwickeln Sie eine solche App? Lesen Sie die <a class="underline underline-offset-4" href="/docs">API-Referenz</a> (englisch).',
  },
  es: {
    'Opening your import': 'Abriendo su importación',
    'We are loading its status.': 'Estamos comprobando en qué punto está.',
    'This page needs JavaScript to show your import. Please allow it and reload.':
      'Esta página necesita JavaScript para mostrar su importación. Permítalo y vuelva a cargar.',
    'Wherry carries data from one tool to another': 'Wherry lleva datos de una herramienta a otra',
    'Are you here for your own import? Please open it from the app that offered it to you: the link there opens your import and no other.':
      '¿Busca su propia importación? Ábrala desde la aplicación que se la ofreció: su enlace lleva a su importación y a la de nadie más.',
    'Do you build such an app? Read the <a class="underline underline-offset-4" href="/docs">API reference</a>.':
      '¿Desarrolla una aplicación así? Lea la <a class="underline underline-offset-4" href="/docs">referencia de la API</a> (en inglés).',
  },
  fr: {
    'Opening your import': 'Ouverture de votre import',
    'We are loading its status.': 'Nous regardons où il en est.',
    'This page needs JavaScript to show your import. Please allow it and reload.':
      'Cette page a besoin de JavaScript pour afficher votre import. Autorisez-le et rechargez.',
    'Wherry carries data from one tool to another': 'Wherry transporte des données d’un outil à un autre',
    'Are you here for your own import? Please open it from the app that offered it to you: the link there opens your import and no other.':
      'Vous venez pour votre propre import ? Ouvrez-le depuis l’application qui vous l’a proposé : son lien mène à votre import et à aucun autre.',
    'Do you build such an app? Read the <a class="underline underline-offset-4" href="/docs">API reference</a>.':
      'Vous développez une telle application ? Lisez la <a class="underline underline-offset-4" href="/docs">référence de l’API</a> (en anglais).',
  },
}

/** The page in the first language of the browser that we have, or in English. */
export function putIntoLanguage(page: string, acceptLanguage = ''): string {
  const wanted = acceptLanguage.split(',', 20).map((tag) => tag.trim().slice(0, 2).toLowerCase())
  const language = wanted.find((tag) => tag === 'en' || Object.hasOwn(words, tag)) ?? 'en'
  if (language === 'en') return page
  return Object.entries(words[language] ?? {}).reduce(
    (text, [english, other]) => text.replace(english, () => other),
    page.replace('<html lang="en">', () => `<html lang="${language}">`),
  )
}
