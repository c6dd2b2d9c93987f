import type { Language } from './languages.ts'

const key = 'wherry-language'

/** The language chosen at an earlier visit. If the browser forbids storage, a choice lasts for one visit. */
export function readChoice(): string[] {
  try {
    return [localStorage.getItem(key) ?? []].flat()
  } catch {
    return []
  }
}

export function keepChoice(language: Language): void {
  try {
    localStorage.setItem(key, language)
  } catch {}
}
