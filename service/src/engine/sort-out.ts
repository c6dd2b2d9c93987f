import type { RecordWarning } from '../connectors/contract/contract.ts'
import { entityOf } from '../families/index.ts'
import type { FamilyRecord, RecordRef } from '../families/record.ts'
import { isWanted } from '../mapping/filter-record.ts'
import type { WarningCode } from '../warnings/codes.ts'
import type { Intent, Settled } from './change-ledger.ts'
import { hasComeInside, type LedgerRow, stateKey } from './ledger.ts'
import { type PreparedRecord, prepareRecords } from './prepare-records.ts'
import type { RunContext, Stage } from './run-context.ts'
import type { Sending } from './sending.ts'
import { codesOf, isFoundLater, orNull, uniteCodes, withoutMended } from './warnings.ts'

export interface UndecidedPage {
  records: FamilyRecord[]
  warnings: readonly RecordWarning[]
}

/** Maps records and tells which of them are to be sent, which are left out or wait, and which are there already. */
export async function sortOut(
  context: RunContext,
  stage: Stage,
  page: UndecidedPage,
  known: ReadonlyMap<string, LedgerRow>,
  { comesInside = false } = {},
): Promise<{ sendings: Sending[]; aside: Intent[]; settled: Settled[] }> {
  const { run, mapping } = context
  const isLastPass = stage.stage === 'link'
  const prepared = await prepareRecords(context, stage.entity, page.records, { known, isLastPass, comesInside })
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
      // The record went inside a parent of unknown fate, and shares that fate. The sweep finds out.
      if (hasComeInside(row) && parentRow?.state === 'intended') continue
      if (!isThere) sorted.aside.push(asideIntent(record, parent, 'held'))
      // The record is there, but cannot change while its parent is missing.
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
      const isSought = row?.state === 'intended' && row.carried_at !== null && hasComeInside(row)
      const place = { record, parent, parentId, ...(isSought && { soughtAt: row.carried_at ?? 0 }) }
      sorted.sendings.push({ ...sending, ...place, outgoing, warnings, isDoubtful: false, base: null })
    }
  }
  return sorted
}

/** A text that cannot be changed later keeps its links, even if their targets were written since. */
const toldOfText = (row: LedgerRow | undefined): WarningCode[] =>
  row?.state === 'written' && row.warned?.includes('link_not_rewritten') ? ['link_not_rewritten'] : []

/** Whether this run sends nothing of the record: the destination had it before, people deleted it, or its fate is unknown. */
function isLeftAlone(row: LedgerRow, { id, options }: RunContext['run']): boolean {
  const { state, code, run_id } = row
  if (state === 'matched') return true
  // This run sent it inside its parent, with a text that cannot change: its links stay as they are.
  if (state === 'written' && run_id === id && hasComeInside(row) && row.warned?.includes('link_not_rewritten'))
    return true
  if (state === 'deleted') return options.bring_back !== true
  return state === 'intended' && code === 'unknown' && !(options.send_unknown && run_id !== id)
}

/** The destination already holds exactly this content, or has refused it in this very run. */
function isSettled(row: LedgerRow, runId: string, hash: string): boolean {
  if (row.state === 'refused') return row.run_id === runId && row.sent_hash === hash
  // Another request may have changed the record. Then it is sent again.
  const isAlone = row.sent_hash === null || row.sent_hash === hash
  return row.state === 'written' && isAlone && row.written_hash === hash
}

/** Nothing is sent, but open links or warnings of the record may have changed. */
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
    carried_at: null,
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
