import { createHash } from 'node:crypto'
import type { CustomField, SentRelation, StoredContent } from '../contract.ts'

// The forms in which Request Tracker keeps values. Everything is brought into them before it is sent, so that what is read
// back is what was sent.

/** What its database cannot hold goes; line ends become those of Unix. */
export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '').replace(/\r+\n/g, '\n')
}

/**
 * A text as it is compared. It never changes once it is written, while its links would, when what they lead to has come:
 * so addresses do not count.
 */
export function withoutAddresses(html: string): string {
  return html.replace(/\b(href|src)="[^"]*"/g, '$1=""').replace(/\bhttps?:[^\s"'<>]*/gi, '')
}

export function oneLine(text: string, maxLength: number): string {
  const line = cleanText(text)
    .replace(/\s*[\r\n]+\s*/g, ' ')
    .trim()
  return line.length <= maxLength ? line : [...line].slice(0, maxLength).join('').trim()
}

/** To the second. Null for what comes before 1970, which would be read as never set. */
export function toSecond(moment: unknown): string | null {
  const ms = typeof moment === 'string' ? Date.parse(moment) : Number.NaN
  return Number.isNaN(ms) || ms < 1000 ? null : new Date(Math.floor(ms / 1000) * 1000).toISOString()
}

/** As it is sent: in UTC, without a zone. */
export const toRtMoment = (moment: string | null): string => (moment ?? neverSet).slice(0, 19).replace('T', ' ')
const neverSet = '1970-01-01T00:00:00Z'

export const toMinutes = (seconds: unknown): number =>
  typeof seconds === 'number' && seconds > 0 ? Math.round(seconds / 60) : 0

export const idOf = (relation: unknown): string | null =>
  (relation as SentRelation | null | undefined)?.destinationId ?? null

export function idsOf(relations: unknown): string[] {
  return sortIds(Array.isArray(relations) ? relations.flatMap((relation) => idOf(relation) ?? []) : [])
}

export const sortIds = (ids: readonly string[]): string[] => [...new Set(ids)].sort((a, b) => Number(a) - Number(b))

export const textsOf = (values: unknown): string[] =>
  (Array.isArray(values) ? values : [values]).flatMap((value) =>
    typeof value === 'string' && value !== '' ? [value] : [],
  )

/** Values of a custom field as Request Tracker takes them: texts, of which it drops what the field does not allow. */
export function customTexts({ type, many, options }: CustomField, value: unknown): string[] {
  const texts = (Array.isArray(value) ? value : [value])
    .map((one) => plainValue(one))
    .map((text) => (type === 'long_text' || type === 'rich_text' ? cleanText(text) : oneLine(text, 4_000)))
    .map((text) => {
      if (type === 'date') return /^\d{4}-\d{2}-\d{2}/.test(text) && text >= '1970-01-02' ? text.slice(0, 10) : ''
      if (type === 'datetime') return toSecond(text) ?? ''
      return type === 'option' && !options.includes(text) ? '' : text
    })
    .filter((text) => text !== '')
  const unique = [...new Set(texts)]
  return many ? unique : unique.slice(0, 1)
}

/** What people would write for it. */
function plainValue(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'object' || value === null) return ''
  if ('body' in value) return String(value.body)
  if ('amount' in value && 'currency' in value) return `${value.amount} ${value.currency}`
  return Object.values(value)
    .filter((part) => typeof part === 'string' && part !== '')
    .join(', ')
}

/** A name that fits into the header of a form, and that no page cuts at a slash. */
export function toFileName(name: string): string {
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
