import { addCatalog, type Catalog, formatNumber, known, language, texts } from './index.ts'
import type { Language } from './languages.ts'
import { type Pattern, patternOf, valuesIn } from './sentence-pattern.ts'

const catalogs: Partial<Record<Language, () => Promise<{ sentences: Record<string, string> }>>> = {
  de: () => import('./de/sentences.ts'),
  es: () => import('./es/sentences.ts'),
  fr: () => import('./fr/sentences.ts'),
}

/** Longer than anything that the service says. */
const longest = 2_000
const mostSentences = 12

interface Words {
  whole: Map<string, string>
  withValues: { pattern: Pattern; translation: string }[]
}

let words: Words | null = null
const listeners = new Set<() => void>()

const load: Catalog = async (next) => {
  const entries = Object.entries((await catalogs[next]?.())?.sentences ?? {})
  const loaded: Words = {
    whole: new Map(entries),
    withValues: entries
      .filter(([sentence]) => sentence.includes('{}'))
      .map(([sentence, translation]) => ({ pattern: patternOf(sentence), translation })),
  }
  return () => {
    words = loaded
  }
}

/** Fetches the words with the first sentence that needs them. Without them it stays in English. */
export async function fetchSentences(): Promise<void> {
  while (words === null) {
    const asked = language
    const place = await load(asked).catch(() => null)
    if (place === null) return
    // Another caller may have been faster, and the customer may have chosen another language meanwhile.
    if (words !== null || asked !== language) continue
    place()
    addCatalog(load)
    for (const tell of listeners) tell()
  }
}

/** Called when the translations are loaded. */
export function whenFetched(tell: () => void): () => void {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

export const areFetched = (): boolean => words !== null

/** A service's English sentence in the customer's language; null for an unknown sentence. */
export function translate(message: string): string | null {
  return message.length > longest ? null : (translateWhole(message) ?? translateParts(message))
}

function translateWhole(message: string): string | null {
  if (words === null) return null
  const said = words.whole.get(message)
  if (said !== undefined && !message.includes('{}')) return said
  for (const { pattern, translation } of words.withValues) {
    const values = valuesIn(pattern, message)
    if (values === null) continue
    let index = 0
    return translation.replaceAll('{}', () => inWords(values[index] ?? '', pattern[index++] ?? ''))
  }
  return null
}

/** A value in quotes is the customer's own. Others may be words of ours, several of them among each other. */
function inWords(value: string, before: string): string {
  if (before.endsWith('"')) return value
  // The service writes numbers as English does.
  const [, number, unit] = /^(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?= MB$))( MB)?$/.exec(value) ?? []
  if (number !== undefined) {
    return `${formatNumber(Number(number.replaceAll(',', '')))}${unit === undefined ? '' : ` ${texts.sizes[2]}`}`
  }
  const said = value.split('; ').map((part) => translateWhole(part) ?? entityName(part))
  return said.includes(null) ? value : said.join('; ')
}

function entityName(value: string): string | null {
  const label = known(texts.items.entity, value.replaceAll(' ', '_'))
  return label === undefined ? null : language === 'de' ? label : label.toLocaleLowerCase(language)
}

/** Several sentences, or the name of a file and what is said about it. */
function translateParts(message: string): string | null {
  const sentences = message.split(/(?<=[.!?]) /)
  const all = sentences.length > mostSentences ? null : translateAll(sentences)
  if (all !== null) return all
  const [, file, rest] = /^([^:]+): (.+)$/s.exec(message) ?? []
  const said = rest === undefined ? null : (translateWhole(rest) ?? translateParts(rest))
  return said === null ? null : `${file}${texts.colon} ${said}`
}

/** As many sentences at once as the catalog has together. One unknown sentence leaves all of it in English. */
function translateAll(sentences: string[]): string | null {
  for (let count = sentences.length; count > 0; count--) {
    const said = translateWhole(sentences.slice(0, count).join(' '))
    if (said === null) continue
    if (count === sentences.length) return said
    const rest = translateAll(sentences.slice(count))
    return rest === null ? null : `${said} ${rest}`
  }
  return null
}
