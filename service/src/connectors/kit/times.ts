/** `2026-02-28`, and a day that there is: a date of JavaScript makes the 30th of February one of March. */
export function isDay(text: string): boolean {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}

/** ISO 8601 with a time. One without a zone is taken for UTC by `toMoment`. */
export const isMoment = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) && !Number.isNaN(Date.parse(text))

/** In UTC, independent of this machine's zone. */
export const toMoment = (text: string): string =>
  new Date(/(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}Z`).toISOString()
