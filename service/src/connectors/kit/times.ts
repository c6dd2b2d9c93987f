/**
 * Whether a text is an existing day such as `2026-02-28`. JavaScript's Date would turn 30 February into a day of March.
 */
export function isDay(text: string): boolean {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}

/** A moment as `toISOString` writes it, on a day that every month has. Many tools send moments only in this form. */
const plainMoment = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/** Whether a text is an ISO 8601 moment with a time of day. `toMoment` reads a moment without a zone as UTC. */
export const isMoment = (text: string): boolean =>
  plainMoment.test(text) || (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) && !Number.isNaN(Date.parse(text)))

/** Converts a moment to UTC, independent of this machine's zone. */
export const toMoment = (text: string): string =>
  plainMoment.test(text) ? text : new Date(/(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}Z`).toISOString()
