/**
 * Whether a text is an existing day such as `2026-02-28`. JavaScript's Date would turn 30 February into a day of March.
 * There was no year 0.
 */
export function isDay(text: string): boolean {
  const ms = /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}

/** A moment as `toISOString` writes it, on a day that every month has. Many tools send moments only in this form. */
const plainMoment = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

const momentForm = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?$/i
const inZone = (text: string): Date => new Date(/(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}Z`)

/**
 * Whether a text is an ISO 8601 moment with a time of day, on a day that exists, in the years 1 to 9999 (UTC).
 * `toMoment` reads a moment without a zone as UTC.
 */
export function isMoment(text: string): boolean {
  if (plainMoment.test(text)) return true
  const [, day = ''] = momentForm.exec(text) ?? []
  if (!isDay(day)) return false
  const moment = inZone(text)
  return !Number.isNaN(moment.getTime()) && /^(?!0000)\d{4}-/.test(moment.toISOString())
}

/** Converts a moment to UTC, independent of this machine's zone. */
export const toMoment = (text: string): string => (plainMoment.test(text) ? text : inZone(text).toISOString())
