import type { Coverage } from '../imports/covered-records.ts'
import { carryParts } from './carry-parts.ts'
import type { Intent, UnchangedRow } from './change-ledger.ts'
import { decideRecords, placeOf, type UndecidedPage } from './decide-records.ts'
import { findRows, type LedgerRow } from './ledger.ts'
import type { PartPage } from './read-parts.ts'
import { reconcile } from './reconcile.ts'
import type { RunContext, Stage } from './run-context.ts'
import type { Sending, SendOutcome } from './sending.ts'
import { uploadParts, withUploads } from './upload-parts.ts'

/** A page with a decision about each of its records. */
export interface DecidedPage {
  known: ReadonlyMap<string, LedgerRow>
  send: Sending[]
  /** Records that are held or filtered. */
  aside: Intent[]
  /** Records that the destination has as they would be sent. Only their open links or warnings have changed. */
  unchanged: UnchangedRow[]
  /** Outcomes of records that need no sending, because the destination was found to have them or cannot be asked. */
  outcomes: SendOutcome[]
  /** All records that were to be sent before `reconcile` looked for them. `outcomes` are about some of these. */
  candidates: Sending[]
  /** Set if records of the page were left out because nobody pays for them. */
  shortage?: Coverage
}

/** A page with the parts that its records can carry. */
interface LoadedPage extends UndecidedPage {
  parts: PartPage[]
}

/** Maps the records and decides about each. Nothing is announced yet, and nothing but files is sent. */
export async function decidePage(context: RunContext, stage: Stage, page: LoadedPage): Promise<DecidedPage> {
  const all = [...page.records, ...page.parts.flatMap(({ records }) => records)]
  const known = await findRows(context.db, context.importId, all)
  const uploaded = await uploadParts(context, stage, page, known)
  const places = withUploads(context, uploaded)
  const { sendings: candidates, aside, unchanged } = await decideRecords(context, stage, page, known, { places })
  const { send: sendings, outcomes } = await reconcile(context, stage.entity, candidates, known)
  const send = await carryParts(context, stage, sendings, { pages: page.parts, uploaded, places }, known)
  return { known, send, outcomes, candidates, aside, unchanged }
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
