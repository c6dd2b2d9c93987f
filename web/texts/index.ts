import { de } from './de.ts'
import { en, type Texts } from './en.ts'

export type { StatusFacts } from './status-facts.ts'
export type { Texts }

export const language: 'de' | 'en' = /^de\b/i.test(navigator.language) ? 'de' : 'en'

export const texts: Texts = language === 'de' ? de : en

/** Dates and numbers as the customer's own country writes them. */
const locale = navigator.language.toLowerCase().startsWith(language) ? navigator.language : language
const numbers = new Intl.NumberFormat(locale)
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
const calendar = new Intl.DateTimeFormat(locale, { dateStyle: 'long' })

export const formatNumber = (value: number) => numbers.format(value)
export const formatTime = (at: Date) => clock.format(at)
export const formatDate = (at: Date) => calendar.format(at)

/** A right-to-left name must not turn the sentence around it. */
export function inSentence(name: string): string {
  return /[\u0590-\u08ff\ufb1d-\ufefc]/.test(name) ? `\u2068${name}\u2069` : name
}

/** What people call an entity; one that the catalog does not know is shown by its own name, made readable. */
export function entityLabel(entity: string): string {
  const labels: Record<string, string> = texts.items.entity
  const readable = entity.replaceAll('_', ' ')
  const known = Object.hasOwn(labels, entity) ? labels[entity] : undefined
  return known ?? `${readable.charAt(0).toUpperCase()}${readable.slice(1)}`
}
