import { OperatorError } from '../errors.ts'

const dayMs = 86_400_000
const longestDays = 3_650

/**
 * Reads when a token ends: a day such as 2027-01-31, to whose last moment in UTC it is valid, or a number of days such
 * as 90d. Nothing given means that it does not end.
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

/** The moment at which the day is over in UTC; null for a day that no calendar has. */
function endOfDay(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null
  const start = Date.parse(`${text}T00:00:00Z`)
  const isReal = !Number.isNaN(start) && new Date(start).toISOString().startsWith(text)
  return isReal ? start + dayMs : null
}
