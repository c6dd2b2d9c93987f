/** The longest that we wait. A tool that asks for more is asked again after this: it may have meant something else. */
export const longestWaitMs = 3_600_000
/** People are told of a wait that is longer. */
const tellingMs = 5 * 60_000
/** Beyond this nobody can write a date. */
const latest = Date.parse('9999-12-31T23:59:59Z')

/** How long the tool wants us to wait, by Retry-After in seconds or as an HTTP date. Null when it does not say so. */
export function readAskedMs(header: string | string[] | undefined, now: number): number | null {
  const text = String(header ?? '').trim()
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : /[a-z]/i.test(text) ? Date.parse(text) - now : Number.NaN
  if (Number.isNaN(ms)) return null
  return Math.min(Math.max(ms, 0), latest - now)
}

/** How long we wait. */
export function readRetryAfter(
  header: string | string[] | undefined,
  now: number,
  atMostMs: number = longestWaitMs,
): number | null {
  const ms = readAskedMs(header, now)
  return ms === null ? null : Math.min(ms, atMostMs)
}

/** Until when the tool wants us to wait, if that is so long that people should know. */
export function readAskedUntil(header: string | string[] | undefined, now: number): Date | null {
  const ms = readAskedMs(header, now)
  return ms !== null && ms > tellingMs ? new Date(now + ms) : null
}
