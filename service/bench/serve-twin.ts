import { type Clock, createClock, dayMs } from '../../test/twins/clock.ts'
import { type HostedTool, type StartedTwin, twinStarters } from './hosted-tools.ts'
import { answerParent } from './run-child.ts'

/** Serves a hosted tool without records: with the limits of a common plan and a faster clock, or without limits. */
export type ServeTwin =
  | { start: { tool: HostedTool; speed: number | null } }
  /** Asks for the cost of the requests since the last question. */
  | { tell: true }
  /** Lets a day pass, because searches and exports do not show new records at once. */
  | { nextDay: true }

export interface TwinTold {
  requests: number
  /** Requests that were refused because a limit was used up. */
  refused: number
  limits: { name: string; perMs: number; limit: number; spent: number }[]
}

let twin: StartedTwin
let clock: Clock

/** A faster clock for the twin. Its days start at the same time as the shortened days in our connectors' limits. */
function fastClock(speed: number): Clock {
  const now = Date.now()
  return createClock({ speed, startsAt: new Date(now - (now % dayMs) + ((speed * now) % dayMs)).toISOString() })
}

answerParent(async (question: ServeTwin, cleanup) => {
  if ('start' in question) {
    const { tool, speed } = question.start
    clock = speed === null ? createClock() : fastClock(speed)
    twin = await twinStarters[tool](clock, speed !== null)
    cleanup.defer(() => twin.close())
    return { username: null, ...twin.access, instanceUrl: twin.url }
  }
  if ('nextDay' in question) return clock.advance(dayMs)
  twin.expectNoViolations()
  const { spent, refusals, limits } = twin.limits
  const told: TwinTold = {
    requests: twin.seen.splice(0).length,
    refused: [...refusals.values()].reduce((sum, count) => sum + count, 0),
    limits: limits.map(({ name, perMs, limit }) => ({ name, perMs, limit, spent: spent.get(name) ?? 0 })),
  }
  spent.clear()
  refusals.clear()
  return told
})
