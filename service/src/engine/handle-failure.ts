import { isDatabaseUnavailable } from '../db/open-database.ts'
import type { Obstacle } from '../db/schema.ts'
import { BudgetSpentError, ConnectorFaultError, ObstacleError, RetryableError } from '../errors.ts'
import { showObstacle } from '../imports/obstacles.ts'
import { tellCustomer } from '../mail/tell-customer.ts'
import { tell } from '../signals/signals.ts'
import { type BudgetWait, judgeBudget } from './budget-waits.ts'
import { showsObstacles } from './finish-run.ts'
import { type ClaimedRun, LeaseLostError } from './lease.ts'
import { leaveOut, type StuckPage } from './stuck-page.ts'
import { takeSkip } from './take-skip.ts'
import type { SliceResult } from './work-slice.ts'

const longestPauseMs = 5 * 60_000
/** After this many failures in a row the customer is told. The attempts go on. With the pauses between, about an hour. */
const failuresUntilTold = 20
/** After about a day in which a limit turned every request away, the run pauses: a daily limit would have come back. */
const limitsUntilPaused = 300
/** After this many faults in a row, of this service or of a connector, the run waits for the operator. */
const failuresUntilHopeless = 5

/** An obstacle pauses the run. After any other failure the run is tried again, each time after a longer pause. */
export async function handleFailure(run: ClaimedRun, error: unknown, stuck: StuckPage | null): Promise<SliceResult> {
  let failures = 0
  let isPaused = false
  let isSkipped = false
  let wait = null as BudgetWait | null
  let newObstacle = null as string | null
  try {
    await run.lease.commit(async (tx) => {
      // Each finished page of this slice has reset the count.
      const row = await tx
        .selectFrom('runs')
        .select(['failures', 'obstacle', 'budget_windows', 'budget_free_at'])
        .where('id', '=', run.id)
        .executeTakeFirstOrThrow()
      // Waiting for a limit of the tool is no failure.
      wait = error instanceof BudgetSpentError ? judgeBudget(error, row) : null
      failures = row.failures + (wait ? 0 : 1)
      if (stuck && (await takeSkip(tx, run.id, stuck.obstacle.code))) {
        await leaveOut(tx, { run }, stuck)
        isSkipped = true
        return
      }
      const told = stuck ?? wait
      const judged = told ? { obstacle: told.obstacle, isPaused: false } : findObstacle(error, failures)
      isPaused = judged.isPaused
      const isSame = !isPaused && row.obstacle?.code === judged.obstacle?.code
      newObstacle = isSame ? null : (judged.obstacle?.code ?? null)
      if (judged.obstacle && (await showsObstacles(tx, run))) {
        await showObstacle(tx, run.importId, judged.obstacle)
        const { must_act, code, role = null } = judged.obstacle
        const isNews = isPaused || row.obstacle?.code !== code
        if (isNews && must_act === 'customer') await tellCustomer(tx, run.importId, 'paused', () => ({ code, role }))
      }
      await tx
        .updateTable('runs')
        .set({
          state: isPaused ? 'paused' : 'working',
          failures,
          obstacle: judged.obstacle && JSON.stringify(judged.obstacle),
          ...(wait && { budget_windows: wait.windows, budget_free_at: wait.freeAt }),
        })
        .where('id', '=', run.id)
        .execute()
    })
  } catch (lost) {
    if (lost instanceof LeaseLostError) return { next: 'nothing' }
    throw lost
  }
  if (newObstacle !== null) tell('obstacle met', { code: newObstacle })
  if (isPaused) tell('run changed', { kind: run.kind, change: 'paused' })
  if (isPaused) return { next: 'nothing' }
  if (isSkipped) return { next: 'slice', afterMs: 0 }
  if (!wait) tell('retried', { work: 'run' })
  const asked = wait?.afterMs ?? (error instanceof RetryableError ? (error.retryAfterMs ?? 0) : 0)
  const backoff = Math.min(500 * 2 ** Math.min(failures, 10), longestPauseMs) * (0.75 + Math.random() / 2)
  return { next: 'slice', afterMs: Math.max(asked, backoff) }
}

/** The obstacle that the customer is shown, and whether the run is paused. No failure loses data. */
function findObstacle(error: unknown, failures: number): { obstacle: Obstacle | null; isPaused: boolean } {
  if (error instanceof ObstacleError) {
    const { code, mustAct: must_act, message, role, records } = error
    return { obstacle: { code, must_act, message, ...(role && { role }), ...(records && { records }) }, isPaused: true }
  }
  const isTurnedAway = error instanceof RetryableError && error.isForAll
  if (isTurnedAway && failures >= limitsUntilPaused) return { obstacle: turnedAway(error, true), isPaused: true }
  if (error instanceof RetryableError && error.askedUntil) return { obstacle: askedToWait(error), isPaused: false }
  // A fault of a connector repeats itself.
  const isTold = failures >= (error instanceof ConnectorFaultError ? failuresUntilHopeless : failuresUntilTold)
  if (isTold && isTurnedAway) return { obstacle: turnedAway(error, false), isPaused: false }
  if (isTold && error instanceof RetryableError && error.obstacle) return findObstacle(error.obstacle, failures)
  if (error instanceof RetryableError || isDatabaseUnavailable(error)) {
    const message = 'A tool has not answered for a long time. We keep trying; nothing is lost.'
    return { obstacle: isTold ? { code: 'tool_unreachable', must_act: 'operator', message } : null, isPaused: false }
  }
  // Anything else is a fault of this service, which another attempt seldom mends.
  const isHopeless = failures >= failuresUntilHopeless
  const message = 'Something on our side keeps failing. We have been notified; nothing is lost.'
  return { obstacle: isHopeless ? { code: 'internal', must_act: 'operator', message } : null, isPaused: isHopeless }
}

/** A limit without a stated end, or a firewall. */
function turnedAway({ role, message: answer }: RetryableError, isPaused: boolean): Obstacle {
  const who = role === null ? 'A tool' : `The ${role}`
  const told = { ...(role && { role }) }
  if (!isPaused) {
    const message = `${who} has turned our requests away for about an hour: a limit or a firewall stops us. Its last answer: ${answer}. We keep trying; nothing is lost.`
    return { code: 'requests_refused', must_act: 'operator', message, ...told }
  }
  const message = `${who} has turned our requests away for a day: a limit or a firewall stops us. Its last answer: ${answer}. Ask the people who run the tool to let this service in. Then try again.`
  return { code: 'requests_refused', must_act: 'customer', message, ...told }
}

function askedToWait({ askedUntil, role }: RetryableError): Obstacle {
  const until = askedUntil?.toISOString() ?? ''
  const who = role === null ? 'A tool' : `The ${role}`
  const message = `${who} asked us to wait until ${until.slice(0, 16).replace('T', ' ')} UTC (Retry-After). We ask again after an hour at the latest; nothing is lost.`
  return { code: 'asked_to_wait', must_act: 'nobody', message, until, ...(role && { role }) }
}
