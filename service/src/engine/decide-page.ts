import type { RecordWarning } from '../connectors/contract.ts'
import { entityOf } from '../families/index.ts'
import type { FamilyRecord, RecordRef } from '../families/record.ts'
import type { Coverage } from '../imports/covered-records.ts'
import { isWanted } from '../mapping/filter-record.ts'
import type { WarningCode } from '../warnings/codes.ts'
import type { Intent, Settled } from './change-ledger.ts'
import { findRows, type LedgerRow, stateKey } from './ledger.ts'
import { type PreparedRecord, prepareRecords } from './prepare-records.ts'
import { reconcile } from './reconcile.ts'
import type { RunContext, Stage } from './run-context.ts'
import type { Sending, SendOutcome } from './sending.ts'
import { codesOf, isFoundLater, orNull, uniteCodes, withoutMended } from './warnings.ts'

/** A page of which it is known what has to be done with each of its records. */
export interface DecidedPage {
  known: ReadonlyMap<string, LedgerRow>
  send: Sending[]
  /** Records that are held or filtered. */
  aside: Intent[]
  /** Records that are there as they would be sent; only what is open about them or warned of has changed. */
  settled: Settled[]
  /** What has an outcome without being sent, and the records that it is about. */
  outcomes: SendOutcome[]
  reconciled: Sending[]
  /** Set when some of the page was left out because nobody pays for it. */
  shortage?: Coverage
}

interface UndecidedPage {
  records: FamilyRecord[]
  warnings: readonly RecordWarning[]
}

/** Maps the records and decides about each. Only looks: nothing is announced or sent yet. */
export async function decidePage(context: RunContext, stage: Stage, page: UndecidedPage): Promise<DecidedPage> {
  const known = await findRows(context.db, context.importId, page.records)
  const sorted = await sortOut(context, stage, page, known)
  const { send, outcomes } = await reconcile(context, stage.entity, sorted.sendings, known)
  return { known, send, outcomes, reconciled: sorted.sendings, aside: sorted.aside, settled: sorted.settled }
}

export function intentOf({ record, parent, hash, isIncomplete, isDoubtful, base }: Sending, isTop: boolean): Intent {
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
  }
}

async function sortOut(
  context: RunContext,
  stage: Stage,
  page: UndecidedPage,
  known: ReadonlyMap<string, LedgerRow>,
): Promise<{ sendings: Sending[]; aside: Intent[]; settled: Settled[] }> {
  const { run, mapping } = context
  const isLastPass = stage.stage === 'link'
  const prepared = await prepareRecords(context, stage.entity, page.records, { known, isLastPass })
  // The source may have handed the record out with warnings already.
  const odd = Map.groupBy(page.warnings, ({ sourceId }) => sourceId)
  const entity = entityOf(context.family, stage.entity)
  const oddOf = (sourceId: string, { outgoing }: NonNullable<PreparedRecord['sending']>) => {
    const codes = (odd.get(sourceId) ?? []).flatMap(codesOf)
    return withoutMended(codes, entity, outgoing.fields)
  }
  const sorted = { sendings: [] as Sending[], aside: [] as Intent[], settled: [] as Settled[] }
  for (const { record, parent, parentRow, sending } of prepared) {
    const row = known.get(stateKey(record))
    const isThere = row?.state === 'written' || row?.state === 'matched'
    if (row && isLeftAlone(row, run)) continue
    if (!isThere && (parentRow?.state === 'filtered' || !isWanted(record, mapping.changes))) {
      sorted.aside.push(asideIntent(record, parent, 'filtered'))
    } else if (sending === null) {
      if (!isThere) sorted.aside.push(asideIntent(record, parent, 'held'))
      // It is there, but cannot be changed while its parent is not.
      else if (row) sorted.settled.push(...heldChange(row))
    } else if (row && isSettled(row, run.id, sending.hash)) {
      if (row.state === 'written') sorted.settled.push(...settledAnew(row, sending, oddOf(record.sourceId, sending)))
    } else {
      const parentId = parentRow?.destination_id
        ? { entity: parentRow.entity, destinationId: parentRow.destination_id }
        : null
      const warnings = uniteCodes(sending.warnings, oddOf(record.sourceId, sending), toldOfText(row))
      // A record that people deleted is made anew.
      const outgoing = row?.state === 'deleted' ? { ...sending.outgoing, destinationId: null } : sending.outgoing
      sorted.sendings.push({ ...sending, outgoing, warnings, record, parent, parentId, isDoubtful: false, base: null })
    }
  }
  return sorted
}

/** A text that never changes keeps its links, whatever has been written since. */
const toldOfText = (row: LedgerRow | undefined): WarningCode[] =>
  row?.state === 'written' && row.warned?.includes('link_not_rewritten') ? ['link_not_rewritten'] : []

/** Nothing is sent of it in this run: it was the destination's before, people deleted it, or nobody knows where it is. */
function isLeftAlone({ state, code, run_id }: LedgerRow, { id, options }: RunContext['run']): boolean {
  if (state === 'matched') return true
  if (state === 'deleted') return options.bring_back !== true
  return state === 'intended' && code === 'unknown' && !(options.send_unknown && run_id !== id)
}

/** The destination already holds exactly this content, or has refused it in this very run. */
function isSettled(row: LedgerRow, runId: string, hash: string): boolean {
  if (row.state === 'refused') return row.run_id === runId && row.sent_hash === hash
  // Something else on its way may have arrived; then it has to be sent once more.
  const isAlone = row.sent_hash === null || row.sent_hash === hash
  return row.state === 'written' && isAlone && row.written_hash === hash
}

/** Nothing has to be sent, but less may be open now, or something else has to be warned of. */
function settledAnew(
  row: LedgerRow,
  { warnings, isIncomplete }: NonNullable<PreparedRecord['sending']>,
  odd: WarningCode[],
): Settled[] {
  // A change that was refused is not wanted any more.
  const found = (row.warned ?? []).filter((code) => isFoundLater(code) && code !== 'refused')
  const warned = uniteCodes(warnings, odd, found)
  const isSame = row.is_incomplete === isIncomplete && `${[...warned].sort()}` === `${[...(row.warned ?? [])].sort()}`
  const { source_id, state } = row
  return isSame ? [] : [{ source_id, state, is_incomplete: isIncomplete, warned: orNull(warned) }]
}

function heldChange({ source_id, state, is_incomplete, warned }: LedgerRow): Settled[] {
  if (is_incomplete && warned?.includes('held')) return []
  return [{ source_id, state, is_incomplete: true, warned: uniteCodes(warned, ['held']) }]
}

/** A record that is not sent: the customer left it out, it waits for its parent, or nobody pays for it. */
export function asideIntent(
  record: FamilyRecord,
  parent: RecordRef | null,
  why: 'held' | 'filtered' | 'beyond_sample' | 'not_paid',
): Intent {
  return {
    ...placeOf(record, parent),
    state: why === 'filtered' ? 'filtered' : 'held',
    sent_hash: null,
    is_incomplete: false,
    is_doubtful: false,
    is_counted: false,
    warned: why === 'filtered' ? null : [why],
    destination_id: null,
    destination_version: null,
    written_hash: null,
  }
}

export function placeOf(record: FamilyRecord, parent: RecordRef | null) {
  return {
    source_id: record.sourceId,
    source_url: record.sourceUrl ?? null,
    parent_entity: parent?.entity ?? null,
    parent_source_id: parent?.sourceId ?? null,
  }
}
