import { OperatorError } from '../errors.ts'

const dayMs = 86_400_000
const longestDays = 3_650

/**
 * Reads the expiry of a token: its last day in UTC such as 2027-01-31, or a number of days such as 90d. Without a
 * value the token does not expire.
 */
export function readExpiry(text: string | null | undefined, now = Date.now()): Date | null {
  if (text === null || text === undefined) return null
  const days = /^(\d{1,4})d$/.exec(text)?.[1]
  const expiresAt = days === undefined ? endOfDay(text) : now + Number(days) * dayMs
  if (expiresAt === null || expiresAt <= now || expiresAt > now + (longestDays + 1) * dayMs) {
    throw new OperatorError(
      `The end of a token must be a day to come, such as 2027-01-31, or a number of days, such as 90d, and at most ${longestDays} days away. Not: "${text}".`,
    )
  }
  return new Date(expiresAt)
}

/** The end of the day in UTC; null for a day that does not exist. */
function endOfDay(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null
  const start = Date.parse(`${text}T00:00:00Z`)
  const isReal = !Number.isNaN(start) && new Date(start).toISOString().startsWith(text)
  return isReal ? start + dayMs : null
}
