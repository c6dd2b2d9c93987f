const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** The waits between ten attempts, as Standard Webhooks proposes them: about three days in all. */
const delaysMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

/** The longest time that a delivery is attempted, however often its schedule begins again. */
export const longestTryingMs = 84 * hour

/** The longest `Retry-After` that is honoured. */
export const longestRetryAfterMs = 24 * hour

/** Failed attempts in a row after which a target is paused and probed. */
export const failuresBeforePause = 5
export const firstPauseMs = 30 * second
export const longestPauseMs = 30 * minute

/**
 * The wait after this number of failed attempts; null after the last. Up to a tenth longer or shorter, so that
 * deliveries that failed together are not repeated together.
 */
export function nextDelayMs(failures: number, random: () => number): number | null {
  const delay = delaysMs[failures - 1]
  return delay === undefined ? null : Math.round(delay * (0.9 + 0.2 * random()))
}
