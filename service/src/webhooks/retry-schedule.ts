const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** The waits between ten tries, as Standard Webhooks proposes them: about three days in all. */
const delaysMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

/** No delivery is tried for longer than this, however often its schedule began anew. */
export const longestTryingMs = 84 * hour

/** The longest that a target can send us away for. */
export const longestRetryAfterMs = 24 * hour

/** Failed tries in a row after which a target is paused; then one try at a time tells whether it is back. */
export const failuresBeforePause = 5
export const firstPauseMs = 30 * second
export const longestPauseMs = 30 * minute

/**
 * How long to wait after so many failed tries; null when that was the last. Up to a tenth more or less, so that what
 * failed together does not come back together.
 */
export function nextDelayMs(failures: number, random: () => number): number | null {
  const delay = delaysMs[failures - 1]
  return delay === undefined ? null : Math.round(delay * (0.9 + 0.2 * random()))
}
