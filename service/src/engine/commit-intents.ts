import { entityOf } from '../families/index.ts'
import { countOutcomes, tell } from '../signals/signals.ts'
import { admitPage } from './admit-page.ts'
import { announce, isNew } from './announcements.ts'
import { forgetPlaces, forgetPlacesIn, recordIntents } from './change-ledger.ts'
import { type DecidedPage, intentOf } from './decide-page.ts'
import { refKey } from './ledger.ts'
import type { RunContext } from './run-context.ts'
import { type Sending, withParts } from './sending.ts'
import { countWarned } from './warnings.ts'

/** A page whose intents are committed. */
export interface IntendedPage extends DecidedPage {
  /** Ids of announcements: their records get their rows with their outcomes. */
  announcements: readonly string[]
}

/**
 * Writes down which records will be sent, held or left out. Records that are not sent get their outcome here. Returns
 * the page without records that nobody pays for.
 */
export async function commitIntents(context: RunContext, entity: string, decided: DecidedPage): Promise<IntendedPage> {
  if (decided.send.length === 0 && decided.aside.length === 0) return { ...decided, announcements: [] }
  const { run, importId, family, mapping } = context
  const isTop = entityOf(family, entity).isTop === true
  const intended = await run.lease.commit(async (tx) => {
    const page = await admitPage(tx, context, entity, decided)
    const { aside, send, known } = page
    const wasSent = (record: Sending['record']) => known.get(refKey(record))?.state === 'intended'
    const announcements: string[] = []
    await recordIntents(tx, run, entity, aside)
    // Parts are announced with the records that carry them.
    for (const [name, sendings] of Map.groupBy(withParts(send), ({ record }) => record.entity)) {
      const intentsOf = (some: Sending[]) => some.map((sending) => intentOf(sending, isTop && name === entity))
      const first = intentsOf(sendings.filter((sending) => isNew(sending, known)))
      if (first.length > 0) announcements.push(await announce(tx, run, name, first))
      await recordIntents(tx, run, name, intentsOf(sendings.filter((sending) => !isNew(sending, known))))
    }
    const dropped = send.flatMap(({ dropped: parts = [] }) => parts)
    for (const [name, parts] of Map.groupBy(dropped, (part) => part.entity)) {
      await forgetPlaces(
        tx,
        importId,
        name,
        parts.map(({ sourceId }) => sourceId),
      )
    }
    // What an earlier request carried is not in a record that is now sent without parts.
    const isCarrier = mapping.destination.entities[entity]?.carries !== undefined
    const isBare = ({ record, outgoing, parts = [], dropped: some }: Sending) =>
      outgoing.destinationId === null && parts.length === 0 && some === undefined && wasSent(record)
    const bare = isCarrier ? send.filter(isBare).map(({ record }) => record.sourceId) : []
    await forgetPlacesIn(tx, importId, entity, bare)
    const changes = aside.map(({ source_id, warned }) => ({
      before: known.get(refKey({ entity, sourceId: source_id }))?.warned,
      after: warned,
    }))
    await countWarned(tx, importId, entity, changes)
    return { ...page, announcements }
  })
  const aside = intended.aside.flatMap(({ state }) => (state === 'held' || state === 'filtered' ? [state] : []))
  if (aside.length > 0) tell('records settled', { tool: context.destinationTool, outcomes: countOutcomes(aside) })
  return intended
}
