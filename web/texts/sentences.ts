import { addCatalog, type Catalog, formatNumber, known, language, texts } from './index.ts'
import type { Language } from './languages.ts'
import { type Pattern, patternOf, valuesIn } from './sentence-pattern.ts'

const catalogs: Partial<Record<Language, () => Promise<{ sentences: Record<string, string> }>>> = {
  de: () => import('./de/sentences.ts'),
  es: () => import('./es/sentences.ts'),
  fr: () => import('./fr/sentences.ts'),
}

/** Longer than any message of the service. */
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

/** Loads the translations when the first sentence needs them. If that fails, sentences stay in English. */
export async function fetchSentences(): Promise<void> {
  while (words === null) {
    const asked = language
    const place = await load(asked).catch(() => null)
    if (place === null) return
    // Another caller may have loaded them, or the customer may have changed the language meanwhile.
    if (words !== null || asked !== language) continue
    place()
    addCatalog(load)
    for (const tell of listeners) tell()
  }
}

/** Calls `tell` when the translations are loaded. */
export function whenFetched(tell: () => void): () => void {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

export const areFetched = (): boolean => words !== null

/** Translates an English sentence of the service; null for an unknown sentence. */
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

/**
 * Translates a value inside a sentence. A value in quotes is the customer's own and stays; others can be our own
 * words.
 */
function inWords(value: string, before: string): string {
  if (before.endsWith('"')) return value
  // The service writes numbers in the English way.
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

/** Translates several sentences, or a file name followed by a sentence. */
function translateParts(message: string): string | null {
  const sentences = message.split(/(?<=[.!?]) /)
  const all = sentences.length > mostSentences ? null : translateAll(sentences)
  if (all !== null) return all
  const [, file, rest] = /^([^:]+): (.+)$/s.exec(message) ?? []
  const said = rest === undefined ? null : (translateWhole(rest) ?? translateParts(rest))
  return said === null ? null : `${file}${texts.colon} ${said}`
}

/**
 * Translates the longest known group of sentences first. If one sentence is unknown, the whole message stays in
 * English.
 */
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
