import type { StoredContent } from '../../contract/contract.ts'
import { digestOf } from '../../kit/keys.ts'
import { cleanText } from '../../kit/sent-values.ts'

// Converts values to the form in which Request Tracker stores them. We convert before sending, so that the values read
// back equal the values sent.

/**
 * The form in which texts are compared: without addresses. Links in the source's text change once their targets are
 * imported, but the written text does not.
 */
export const withoutAddresses = (html: string): string =>
  html.replace(/\b(href|src)="[^"]*"/g, '$1=""').replace(/\bhttps?:[^\s"'<>]*/gi, '')

const msOf = (moment: unknown): number => (typeof moment === 'string' ? Date.parse(moment) : Number.NaN)

export const toMoment = (moment: unknown): string | null =>
  Number.isNaN(msOf(moment)) ? null : new Date(msOf(moment)).toISOString()

/** The moment in whole seconds. Null before 1970, because Request Tracker would read it as never set. */
export function toSecond(moment: unknown): string | null {
  const ms = msOf(moment)
  return Number.isNaN(ms) || ms < 1000 ? null : new Date(Math.floor(ms / 1000) * 1000).toISOString()
}

/** The format for requests: UTC, without a time zone. */
export const toRtMoment = (moment: string | null): string => (moment ?? neverSet).slice(0, 19).replace('T', ' ')
const neverSet = '1970-01-01T00:00:00Z'

export const sortIds = (ids: readonly string[]): string[] => [...new Set(ids)].sort((a, b) => Number(a) - Number(b))

/** A file name that is safe in a form header and in a path. */
export function toFileName(name: unknown): string {
  const harmless = cleanText(name)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes control characters
    .replace(/[\x00-\x1f\x7f/\\]/g, '_')
    .replaceAll('"', "'")
    .trim()
  return [...harmless].slice(0, 200).join('').trim() || 'file'
}

/** A digest that changes when people change a record. `beside` holds the values that we never write. */
export function versionOf({ fields, customFields }: StoredContent, beside: Record<string, unknown>): string {
  const isFilled = ([, value]: [string, unknown]) => value !== null && value !== '' && String(value ?? '') !== ''
  const filled = Object.entries({ ...beside, ...customFields, ...fields }).filter(isFilled)
  return digestOf(JSON.stringify(filled.sort(([a], [b]) => (a < b ? -1 : 1))))
}
