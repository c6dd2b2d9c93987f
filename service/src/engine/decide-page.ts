import type { Coverage } from '../imports/covered-records.ts'
import { carryParts } from './carry-parts.ts'
import type { Intent, Settled } from './change-ledger.ts'
import { findRows, type LedgerRow } from './ledger.ts'
import type { PartPage } from './read-parts.ts'
import { reconcile } from './reconcile.ts'
import type { RunContext, Stage } from './run-context.ts'
import type { Sending, SendOutcome } from './sending.ts'
import { placeOf, sortOut, type UndecidedPage } from './sort-out.ts'

/** A page with a decision about each of its records. */
export interface DecidedPage {
  known: ReadonlyMap<string, LedgerRow>
  send: Sending[]
  /** Records that are held or filtered. */
  aside: Intent[]
  /** Records that the destination has as they would be sent. Only their open links or warnings have changed. */
  settled: Settled[]
  /** Outcomes of records that are not sent, and these records. */
  outcomes: SendOutcome[]
  reconciled: Sending[]
  /** Set when some of the page was left out because nobody pays for it. */
  shortage?: Coverage
}

/** A page with the parts that its records can carry. */
interface LoadedPage extends UndecidedPage {
  parts: readonly PartPage[]
}

/** Maps the records and decides about each. Nothing is announced or sent yet. */
export async function decidePage(context: RunContext, stage: Stage, page: LoadedPage): Promise<DecidedPage> {
  const all = [...page.records, ...page.parts.flatMap(({ records }) => records)]
  const known = await findRows(context.db, context.importId, all)
  const sorted = await sortOut(context, stage, page, known)
  const { send: sendings, outcomes } = await reconcile(context, stage.entity, sorted.sendings, known)
  const send = await carryParts(context, stage, sendings, page.parts, known)
  return { known, send, outcomes, reconciled: sorted.sendings, aside: sorted.aside, settled: sorted.settled }
}

export function intentOf(
  { record, parent, hash, isIncomplete, isDoubtful, base, position }: Sending,
  isTop: boolean,
): Intent {
  return {
    ...placeOf(record, parent),
    state: 'intended',
    sent_hash: hash,
    is_incomplete: isIncomplete,
    is_doubtful: isDoubtful,
    is_counted: isTop,
    warned: null,
    destination_id: base?.destinationId ?? null,
    destination_version: base?.version ?? null,
    written_hash: base?.hash ?? null,
    carried_at: position ?? null,
  }
}
