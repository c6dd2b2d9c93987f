import { sql } from 'kysely'
import type { Journey } from '../../engine/journey.ts'
import { keepBudgetsEmpty } from '../../support/empty-budgets.ts'
import { minuteMs } from '../../twins/clock.ts'
import type { HelpScoutTwin } from '../../twins/helpscout/twin.ts'

/** Clears the budgets, so that no test waits for the declared limits. */
export const hurry = ({ db }: Journey): (() => void) => keepBudgetsEmpty(db)

/** Ends all waiting times, for the service and for the twin. */
export async function letTimePass({ db }: Journey, twin: HelpScoutTwin): Promise<void> {
  twin.clock.advance(3 * minuteMs)
  await sql`update account_paces set blocked_until = '-infinity'`.execute(db)
  await sql`update id_map set sent_at = sent_at - interval '1 hour' where sent_at is not null`.execute(db)
}

/** Works until the run ends. */
export async function workThrough(journey: Journey, twin: HelpScoutTwin, runId: string): Promise<void> {
  const stop = hurry(journey)
  try {
    for (;;) {
      const { next } = await journey.slice(runId)
      if (next === 'nothing') return
      await letTimePass(journey, twin)
    }
  } finally {
    stop()
  }
}
