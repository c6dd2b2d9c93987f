/** The longest wait. If a tool asks for more, we try again after this time, because it may have used another unit. */
export const longestWaitMs = 3_600_000
/** A wait longer than this is shown to people. */
const tellingMs = 5 * 60_000
/** The latest date that can be written. */
const latest = Date.parse('9999-12-31T23:59:59Z')

/** The wait that the tool asks for, by Retry-After in seconds or as an HTTP date; null without the header. */
export function readAskedMs(header: string | string[] | undefined, now: number): number | null {
  const text = String(header ?? '').trim()
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : /[a-z]/i.test(text) ? Date.parse(text) - now : Number.NaN
  if (Number.isNaN(ms)) return null
  return Math.min(Math.max(ms, 0), latest - now)
}

/** The time that we wait: what the tool asks for, up to a limit. */
export function readRetryAfter(
  header: string | string[] | undefined,
  now: number,
  atMostMs: number = longestWaitMs,
): number | null {
  const ms = readAskedMs(header, now)
  return ms === null ? null : Math.min(ms, atMostMs)
}

/** The end of the wait that the tool asks for, if it is long enough to be shown to people. */
export function readAskedUntil(header: string | string[] | undefined, now: number): Date | null {
  const ms = readAskedMs(header, now)
  return ms !== null && ms > tellingMs ? new Date(now + ms) : null
}
