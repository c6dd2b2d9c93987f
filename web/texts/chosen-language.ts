import type { Language } from './languages.ts'

const key = 'wherry-language'

/** The choice of an earlier visit. A browser may forbid its storage; the choice then lasts for this visit. */
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
