import type { Texts } from './en/index.ts'

export type { StatusFacts } from './status-facts.ts'
export type { Texts }

export const language: 'de' | 'en' = /^de\b/i.test(navigator.language) ? 'de' : 'en'

/** Only the catalog that is read is loaded. */
export const texts: Texts = (await (language === 'de' ? import('./de/index.ts') : import('./en/index.ts'))).texts

/** Dates and numbers as the customer's own country writes them. */
const locale = navigator.language.toLowerCase().startsWith(language) ? navigator.language : language
const numbers = new Intl.NumberFormat(locale)
const shares = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 })
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
const calendar = new Intl.DateTimeFormat(locale, { dateStyle: 'long' })
const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const months = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric' })
const lists = new Intl.ListFormat(locale, { type: 'conjunction' })

export const formatNumber = (value: number) => numbers.format(value)
export const formatShare = (part: number, whole: number) => shares.format(whole === 0 ? 0 : part / whole)
export const formatTime = (at: Date) => clock.format(at)
export const formatDate = (at: Date) => calendar.format(at)
export const formatMoment = (at: Date) => moments.format(at)
export const formatMonth = (at: Date) => months.format(at)
/** A decimal amount, digit by digit as it is. */
export const formatMoney = (amount: string, currency: string) =>
  new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount as Intl.StringNumericLiteral)
export const formatList = (parts: string[]) => lists.format(parts)

/** Bytes as people say them. */
export function formatSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB']
  const power = bytes < 1 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return `${formatNumber(value < 10 && power > 0 ? Math.round(value * 10) / 10 : Math.round(value))} ${units[power]}`
}

/** A right-to-left name must not turn the sentence around it. */
export function inSentence(name: string): string {
  return /[\u0590-\u08ff\ufb1d-\ufefc]/.test(name) ? `\u2068${name}\u2069` : name
}

/** What people call an entity; one that the catalog does not know is shown by its own name, made readable. */
export function entityLabel(entity: string): string {
  return known(texts.items.entity, entity) ?? readable(entity)
}

export function known<T>(texts: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined
}

/** A machine's name as words. */
export function readable(name: string): string {
  const words = name.replace(/^custom:/, '').replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
