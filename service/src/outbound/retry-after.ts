/** The longest we let a tool send us away for; what asks for more is asked again after this. */
const longestMs = 5 * 60_000

/** Reads Retry-After, in seconds or as an HTTP date. Null when there is none that makes sense. */
export function readRetryAfter(
  header: string | string[] | undefined,
  now: number,
  atMostMs: number = longestMs,
): number | null {
  const text = String(header ?? '').trim()
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : /[a-z]/i.test(text) ? Date.parse(text) - now : Number.NaN
  if (Number.isNaN(ms)) return null
  return Math.min(Math.max(ms, 0), atMostMs)
}
