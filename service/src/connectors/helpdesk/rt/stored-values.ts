import { createHash } from 'node:crypto'
import type { SentRelation, StoredContent } from '../../contract/contract.ts'

// The forms in which Request Tracker keeps values. Everything is brought into them before it is sent, so that what is read
// back is what was sent.

/** Characters that its database cannot store are dropped; line ends become those of Unix. */
export function cleanText(text: unknown): string {
  return typeof text === 'string' ? text.toWellFormed().replaceAll('\0', '').replace(/\r+\n/g, '\n') : ''
}

/**
 * A text in its compared form. The written text never changes, while its links would once their targets arrive: so
 * addresses do not count.
 */
export function withoutAddresses(html: string): string {
  return html.replace(/\b(href|src)="[^"]*"/g, '$1=""').replace(/\bhttps?:[^\s"'<>]*/gi, '')
}

export function oneLine(text: unknown, maxLength: number): string {
  const line = cleanText(text)
    .replace(/\s*[\r\n]+\s*/g, ' ')
    .trim()
  return line.length <= maxLength ? line : [...line].slice(0, maxLength).join('').trim()
}

const msOf = (moment: unknown): number => (typeof moment === 'string' ? Date.parse(moment) : Number.NaN)

/** Null for what is none. */
export const toMoment = (moment: unknown): string | null =>
  Number.isNaN(msOf(moment)) ? null : new Date(msOf(moment)).toISOString()

/** To the second. Null for what comes before 1970, which would be read as never set. */
export function toSecond(moment: unknown): string | null {
  const ms = msOf(moment)
  return Number.isNaN(ms) || ms < 1000 ? null : new Date(Math.floor(ms / 1000) * 1000).toISOString()
}

/** As it is sent: in UTC, without a zone. */
export const toRtMoment = (moment: string | null): string => (moment ?? neverSet).slice(0, 19).replace('T', ' ')
const neverSet = '1970-01-01T00:00:00Z'

export const idOf = (relation: unknown): string | null =>
  (relation as SentRelation | null | undefined)?.destinationId ?? null

export const sortIds = (ids: readonly string[]): string[] => [...new Set(ids)].sort((a, b) => Number(a) - Number(b))

export const textsOf = (values: unknown): string[] =>
  [values].flat().flatMap((value) => (typeof value === 'string' && value !== '' ? [value] : []))

/** A name that fits into the header of a form, and that no page cuts at a slash. */
export function toFileName(name: unknown): string {
  const harmless = cleanText(name)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no tool stores and nobody sees
    .replace(/[\x00-\x1f\x7f/\\]/g, '_')
    .replaceAll('"', "'")
    .trim()
  return [...harmless].slice(0, 200).join('').trim() || 'file'
}

/** Changes when people change a record: what is compared anyway, and `beside` it what we never write. */
export function versionOf(
  { fields, customFields }: Pick<StoredContent, 'fields' | 'customFields'>,
  beside: Record<string, unknown>,
): string {
  const isFilled = ([, value]: [string, unknown]) => value !== null && value !== '' && String(value ?? '') !== ''
  const filled = Object.entries({ ...beside, ...customFields, ...fields }).filter(isFilled)
  const state = JSON.stringify(filled.sort(([a], [b]) => (a < b ? -1 : 1)))
  return createHash('sha256').update(state).digest('hex').slice(0, 32)
}
