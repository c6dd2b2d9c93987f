import { keepChoice, readChoice } from './chosen-language.ts'
import type { Texts } from './en/index.ts'
import { findLanguage, type Language, languages } from './languages.ts'

export type { StatusFacts } from './status-facts.ts'
export type { Language, Texts }

/** The customer's earlier choice or, without one, the first of the browser's languages that we support. */
export let language: Language = findLanguage([...readChoice(), ...navigator.languages]) ?? 'en'

/** Only the current language is loaded. Read `texts` while rendering, because it changes with the language. */
export let texts: Texts = (await languages[language].first()).texts
let formats = formatsOf(language)

/** Loads the texts of a language. Returns a function that puts them into use. */
export type Catalog = (language: Language) => Promise<() => void>
const catalogs: Catalog[] = [
  async (next) => {
    const loaded = await languages[next].first()
    return () => {
      texts = loaded.texts
    }
  },
]
const listeners: (() => void)[] = []

/** Adds texts that are loaded later. */
export const addCatalog = (catalog: Catalog) => catalogs.push(catalog)

/** Calls `draw` now and after each change of the language. */
export function drawInLanguage(draw: () => void): void {
  listeners.push(draw)
  draw()
}

let wanted = language

/** Changes all texts at once, or none if they cannot be loaded. Typed input stays. */
export async function speak(next: Language): Promise<void> {
  wanted = next
  const places = await Promise.all(catalogs.map((catalog) => catalog(next)))
  // If the customer chose another language in the meantime, that choice counts.
  if (wanted !== next) return
  language = next
  formats = formatsOf(next)
  for (const place of places) place()
  keepChoice(next)
  for (const draw of listeners) draw()
}

/** Formats dates and numbers as in the customer's country. */
function formatsOf(spoken: Language) {
  const locale = navigator.languages.find((tag) => findLanguage([tag]) === spoken) ?? spoken
  return {
    locale,
    numbers: new Intl.NumberFormat(locale),
    shares: new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }),
    clock: new Intl.DateTimeFormat(locale, { timeStyle: 'short' }),
    calendar: new Intl.DateTimeFormat(locale, { dateStyle: 'long' }),
    moments: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }),
    months: new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric' }),
    lists: new Intl.ListFormat(locale, { type: 'conjunction' }),
  }
}

export const formatNumber = (value: number) => formats.numbers.format(value)
export const formatShare = (part: number, whole: number) => formats.shares.format(whole === 0 ? 0 : part / whole)
export const formatTime = (at: Date) => formats.clock.format(at)
export const formatDate = (at: Date) => formats.calendar.format(at)
export const formatMoment = (at: Date) => formats.moments.format(at)
export const formatMonth = (at: Date) => formats.months.format(at)
/** Formats a decimal amount without rounding. */
export const formatMoney = (amount: string, currency: string) =>
  new Intl.NumberFormat(formats.locale, { style: 'currency', currency }).format(amount as Intl.StringNumericLiteral)
export const formatList = (parts: string[]) => formats.lists.format(parts)

/** Formats a number of bytes, such as 31 MB. */
export function formatSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return `${formatNumber(value < 10 && power > 0 ? Math.round(value * 10) / 10 : Math.round(value))} ${texts.sizes[power]}`
}

/** Isolates a right-to-left name, so that it does not change the direction of its sentence. */
export function inSentence(name: string): string {
  return /[\u0590-\u08ff\ufb1d-\ufefc]/.test(name) ? `\u2068${name}\u2069` : name
}

/** The name of an entity. For an unknown entity it is made from the code name. */
export function entityLabel(entity: string): string {
  return known(texts.items.entity, entity) ?? readable(entity)
}

export function known<T>(texts: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined
}

/** Turns a code name into words. */
export function readable(name: string): string {
  const words = name.replace(/^custom:/, '').replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
