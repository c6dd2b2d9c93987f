import { entityOf } from '../families/index.ts'
import { admitPage } from './admit-page.ts'
import { announce, isNew } from './announcements.ts'
import { recordIntents } from './change-ledger.ts'
import { type DecidedPage, intentOf } from './decide-page.ts'
import { stateKey } from './ledger.ts'
import type { RunContext } from './run-context.ts'
import type { Sending } from './sending.ts'
import { countWarned } from './warnings.ts'

/** A page that is announced. */
export interface IntendedPage extends DecidedPage {
  /** Names the records that get their rows with their outcomes, if there are any. */
  announcement: string | null
}

/**
 * Says what is about to be sent, held or left out. What is not sent has its outcome with that. Answers the page without
 * the records that nobody pays for.
 */
export async function commitIntents(context: RunContext, entity: string, decided: DecidedPage): Promise<IntendedPage> {
  if (decided.send.length === 0 && decided.aside.length === 0) return { ...decided, announcement: null }
  const { run, importId, family } = context
  const isTop = entityOf(family, entity).isTop === true
  return run.lease.commit(async (tx) => {
    const page = await admitPage(tx, context, entity, decided)
    const { aside, send, known } = page
    const intentsOf = (sendings: Sending[]) => sendings.map((sending) => intentOf(sending, isTop))
    const first = intentsOf(send.filter((sending) => isNew(sending, known)))
    const again = intentsOf(send.filter((sending) => !isNew(sending, known)))
    const announcement = first.length === 0 ? null : await announce(tx, run, entity, first)
    await recordIntents(tx, run, entity, [...aside, ...again])
    const changes = aside.map(({ source_id, warned }) => ({
      before: known.get(stateKey({ entity, sourceId: source_id }))?.warned,
      after: warned,
    }))
    await countWarned(tx, importId, entity, changes)
    return { ...page, announcement }
  })
}
