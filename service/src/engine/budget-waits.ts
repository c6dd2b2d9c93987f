import type { Obstacle } from '../db/run-tables.ts'
import type { BudgetSpentError } from '../errors.ts'

/** The first window was partly spent by earlier pages, the second perhaps by another import of the account. */
const windowsUntilTold = 3

export interface BudgetWait {
  /** Windows that ended without a page getting through, this one included. */
  windows: number
  /** The moment from which earlier requests no longer count. */
  freeAt: Date
  obstacle: Obstacle | null
  afterMs: number
}

/**
 * Decides how long a run waits whose limit is used up. A page begins anew each time. So after a page that did not
 * finish, the run waits for the whole limit: with less, it would spend it again and again and never finish a page.
 */
export function judgeBudget(
  error: BudgetSpentError,
  earlier: { budget_windows: number; budget_free_at: Date | null },
  now = Date.now(),
): BudgetWait {
  const isNewWindow = earlier.budget_free_at === null || earlier.budget_free_at.getTime() <= now
  const windows = earlier.budget_windows + (isNewWindow ? 1 : 0)
  const isAgain = earlier.budget_windows > 0
  const { freeMs, askedUntil, role } = error
  const retryMs = error.retryAfterMs ?? 0
  // If the whole limit comes back at once, an early look costs nothing and may find a higher limit.
  const comesBackInParts = freeMs > (askedUntil ? askedUntil.getTime() - now : retryMs) + 1_000
  const waitsForAll = isAgain && comesBackInParts
  const freeAt = new Date(now + freeMs)
  const until = waitsForAll ? freeAt : askedUntil
  const afterMs = waitsForAll ? freeMs : retryMs
  if (windows >= windowsUntilTold) return { windows, freeAt, afterMs, obstacle: tooSmall(role, freeAt) }
  return { windows, freeAt, afterMs, obstacle: until && spent(role, until) }
}

const whoOf = (role: BudgetSpentError['role']) => (role === null ? 'A tool' : `The ${role}`)
const inUtc = (moment: Date) => moment.toISOString().slice(0, 16).replace('T', ' ')

function spent(role: BudgetSpentError['role'], until: Date): Obstacle {
  const message = `${whoOf(role)} allows a limited number of requests, and they are used up until ${inUtc(until)} UTC. The run then goes on by itself; nothing is lost.`
  return { code: 'budget_spent', must_act: 'nobody', message, until: until.toISOString(), ...(role && { role }) }
}

function tooSmall(role: BudgetSpentError['role'], until: Date): Obstacle {
  const message = `${whoOf(role)} allows fewer requests at a time than one step of this run needs. The run tries again at ${inUtc(until)} UTC, and gets further only with a higher limit. Nothing is lost.`
  return { code: 'budget_too_small', must_act: 'operator', message, until: until.toISOString(), ...(role && { role }) }
}
