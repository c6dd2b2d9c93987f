import { addCatalog, type Catalog, formatNumber, language } from './index.ts'
import type { Language } from './languages.ts'

const catalogs: Partial<Record<Language, () => Promise<{ sentences: Record<string, string> }>>> = {
  de: () => import('./de/sentences.ts'),
  es: () => import('./es/sentences.ts'),
  fr: () => import('./fr/sentences.ts'),
}

/** Longer than anything that the service says. */
const longest = 2_000

interface Rule {
  pattern: RegExp
  translation: string
}

let rules: Rule[] | null = null

const load: Catalog = async (next) => {
  const entries = Object.entries((await catalogs[next]?.())?.sentences ?? {})
  return () => {
    rules = entries.map(([sentence, translation]) => ({ pattern: patternOf(sentence), translation }))
  }
}

/** Fetches the words with the first refusal. Without them it stays in English. */
export async function fetchSentences(): Promise<void> {
  if (rules !== null) return
  const asked = language
  const place = await load(asked).catch(() => null)
  if (place === null || rules !== null || asked !== language) return
  place()
  addCatalog(load)
}

/** What the service said in English, in the customer's language; null where it is not known. */
export function translate(message: string): string | null {
  return message.length > longest ? null : (translateWhole(message) ?? translateParts(message))
}

function translateWhole(message: string): string | null {
  for (const { pattern, translation } of rules ?? []) {
    const values = pattern.exec(message)
    if (values === null) continue
    let index = 0
    return translation.replaceAll('{}', () => inNumbers(values[++index] ?? ''))
  }
  return null
}

/** The service groups digits as English does. */
const inNumbers = (value: string) =>
  /^\d{1,3}(,\d{3})+$/.test(value) ? formatNumber(Number(value.replaceAll(',', ''))) : value

/** Several sentences, or the name of a file and what is said about it. */
function translateParts(message: string): string | null {
  const sentences = message.split(/(?<=[.!?]) /)
  const all = sentences.length > 1 ? sentences.map(translateWhole) : [null]
  if (!all.includes(null)) return all.join(' ')
  const [, file, rest] = /^([^:]+): (.+)$/s.exec(message) ?? []
  const said = rest === undefined ? null : (translateWhole(rest) ?? translateParts(rest))
  return said === null ? null : `${file}: ${said}`
}

function patternOf(sentence: string): RegExp {
  const parts = sentence.split('{}').map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
  return new RegExp(`^${parts.join('(.+?)')}$`, 's')
}
