import type { Language } from '../../service/src/languages.ts'

export type { Language }

/** The languages of the portal, each with its own name and the modules of its texts. */
export const languages = {
  en: { name: 'English', first: () => import('./en/index.ts'), later: () => import('./en/later.ts') },
  de: { name: 'Deutsch', first: () => import('./de/index.ts'), later: () => import('./de/later.ts') },
  es: { name: 'Español', first: () => import('./es/index.ts'), later: () => import('./es/later.ts') },
  fr: { name: 'Français', first: () => import('./fr/index.ts'), later: () => import('./fr/later.ts') },
} satisfies Record<Language, object>

export const languageCodes = Object.keys(languages) as Language[]

/** The first supported language among these tags, such as es for es-MX. */
export function findLanguage(tags: readonly string[]): Language | undefined {
  for (const tag of tags) {
    const found = languageCodes.find((code) => code === tag.toLowerCase().split('-')[0])
    if (found) return found
  }
  return undefined
}
