/**
 * Whether a text is an existing day such as `2026-02-28`. JavaScript's Date would turn 30 February into a day of March.
 */
export function isDay(text: string): boolean {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}

/** Whether a text is an ISO 8601 moment with a time of day. `toMoment` reads a moment without a zone as UTC. */
export const isMoment = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) && !Number.isNaN(Date.parse(text))

/** Converts a moment to UTC, independent of this machine's zone. */
export const toMoment = (text: string): string =>
  new Date(/(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}Z`).toISOString()
