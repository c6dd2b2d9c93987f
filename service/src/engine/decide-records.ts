import type { RecordWarning } from '../connectors/contract/contract.ts'
import { entityOf } from '../families/index.ts'
import type { FamilyRecord, RecordRef } from '../families/record.ts'
import { isWanted } from '../mapping/filter-record.ts'
import type { WarningCode } from '../warnings/codes.ts'
import type { Intent, UnchangedRow } from './change-ledger.ts'
import { hasComeInside, isInDestination, type LedgerRow, refKey } from './ledger.ts'
import { type PreparedSending, type PrepareOptions, prepareRecords } from './prepare-records.ts'
import type { RunContext, Stage } from './run-context.ts'
import type { Sending } from './sending.ts'
import { codesOf, isFoundLater, orNull, uniteCodes, withoutMended } from './warnings.ts'

export interface UndecidedPage {
  records: FamilyRecord[]
  warnings: readonly RecordWarning[]
}

/** Maps records and decides about each: send, hold, leave out, or nothing to send. */
export async function decideRecords(
  context: RunContext,
  stage: Stage,
  page: UndecidedPage,
  known: ReadonlyMap<string, LedgerRow>,
  { comesInside = false, places }: Pick<PrepareOptions, 'comesInside' | 'places'> = {},
): Promise<{ sendings: Sending[]; aside: Intent[]; unchanged: UnchangedRow[] }> {
  const { run, mapping } = context
  const isLastPass = stage.stage === 'link'
  const prepared = await prepareRecords(context, stage.entity, page.records, {
    known,
    isLastPass,
    comesInside,
    ...(places && { places }),
  })
  const sourceWarnings = Map.groupBy(page.warnings, ({ sourceId }) => sourceId)
  const entity = entityOf(context.family, stage.entity)
  const sourceCodesOf = (sourceId: string, { outgoing }: PreparedSending) => {
    const codes = (sourceWarnings.get(sourceId) ?? []).flatMap(codesOf)
    return withoutMended(codes, entity, outgoing.fields)
  }
  const { hidesLinks = false } = mapping.destination.entities[stage.entity] ?? {}
  const decided = { sendings: [] as Sending[], aside: [] as Intent[], unchanged: [] as UnchangedRow[] }
  for (const { record, parent, parentRow, sending } of prepared) {
    const row = known.get(refKey(record))
    if (row && isLeftAlone(row, run)) continue
    if (!isInDestination(row) && (parentRow?.state === 'filtered' || !isWanted(record, mapping.changes))) {
      decided.aside.push(asideIntent(record, parent, 'filtered'))
    } else if (sending === null) {
      // The record was sent inside a parent without an outcome. The sweep finds the outcome of both.
      if (hasComeInside(row) && parentRow?.state === 'intended') continue
      if (!isInDestination(row)) decided.aside.push(asideIntent(record, parent, 'held'))
      // The destination has the record, which cannot change while its parent is missing.
      else if (row) decided.unchanged.push(...heldRow(row))
    } else if (
      row &&
      needsNoSending(row, run.id, sending.hash) &&
      !(hidesLinks && (isLinkedNow(row, sending, isLastPass) || isChangedSince(row, record, run)))
    ) {
      if (row.state === 'written')
        decided.unchanged.push(...unchangedRow(row, sending, sourceCodesOf(record.sourceId, sending)))
    } else {
      const parentId = parentRow?.destination_id
        ? { entity: parentRow.entity, destinationId: parentRow.destination_id }
        : null
      const warnings = uniteCodes(sending.warnings, sourceCodesOf(record.sourceId, sending), fixedTextWarning(row))
      // A record that people deleted is made anew.
      const outgoing = row?.state === 'deleted' ? { ...sending.outgoing, destinationId: null } : sending.outgoing
      const isSought = row?.state === 'intended' && row.carried_at !== null && hasComeInside(row)
      const place = { record, parent, parentId, ...(isSought && { soughtAt: row.carried_at ?? 0 }) }
      decided.sendings.push({ ...sending, ...place, outgoing, warnings, isDoubtful: false, base: null })
    }
  }
  return decided
}

/** A text that cannot be changed later keeps its links, even if their targets were written since. */
const fixedTextWarning = (row: LedgerRow | undefined): WarningCode[] =>
  row?.state === 'written' && row.warned?.includes('link_not_rewritten') ? ['link_not_rewritten'] : []

/** Whether this run leaves the record alone: the destination had it before, people deleted it, or its outcome is unknown. */
function isLeftAlone(row: LedgerRow, { id, options }: RunContext['run']): boolean {
  const { state, code, run_id } = row
  if (state === 'matched') return true
  // This run sent the record inside its parent, with a text that cannot change. Its links stay as they are.
  if (state === 'written' && run_id === id && hasComeInside(row) && row.warned?.includes('link_not_rewritten'))
    return true
  if (state === 'deleted') return options.bring_back !== true
  return state === 'intended' && code === 'unknown' && !(options.send_unknown && run_id !== id)
}

/** Whether the destination already holds exactly this content, or has refused it in this run. */
function needsNoSending(row: LedgerRow, runId: string, hash: string): boolean {
  if (row.state === 'refused') return row.run_id === runId && row.sent_hash === hash
  // Another request may have changed the record. Then it is sent again.
  const isOnlyContent = row.sent_hash === null || row.sent_hash === hash
  return row.state === 'written' && isOnlyContent && row.written_hash === hash
}

/**
 * Whether targets of the record's links were unknown when it was written, and are known now. In the last pass, some
 * targets may never arrive, such as a missing file. The links to the others are still written.
 */
const isLinkedNow = (row: LedgerRow, { isIncomplete }: PreparedSending, isLastPass: boolean): boolean =>
  row.state === 'written' && row.is_incomplete && (isLastPass || !isIncomplete)

/** A clock may be ahead of ours, but not by more. */
const dayMs = 86_400_000

/**
 * Whether the source says that the record has changed since the last run: perhaps only a link or a picture has. A time
 * far in the future says nothing, or the record would be sent again by every run.
 */
const isChangedSince = (row: LedgerRow, { updatedAt }: FamilyRecord, { id, since }: RunContext['run']): boolean =>
  row.state === 'written' &&
  row.run_id !== id &&
  since !== null &&
  updatedAt !== undefined &&
  Date.parse(updatedAt) >= since.getTime() &&
  Date.parse(updatedAt) < Date.now() + dayMs

/** The row's change, if open links or warnings of a record that needs no sending have changed. */
function unchangedRow(
  row: LedgerRow,
  { warnings, isIncomplete }: PreparedSending,
  sourceCodes: WarningCode[],
): UnchangedRow[] {
  // The refused change is not wanted any more.
  const found = (row.warned ?? []).filter((code) => isFoundLater(code) && code !== 'refused')
  const warned = uniteCodes(warnings, sourceCodes, found)
  const isSame = row.is_incomplete === isIncomplete && `${[...warned].sort()}` === `${[...(row.warned ?? [])].sort()}`
  const { source_id, state } = row
  return isSame ? [] : [{ source_id, state, is_incomplete: isIncomplete, warned: orNull(warned) }]
}

function heldRow({ source_id, state, is_incomplete, warned }: LedgerRow): UnchangedRow[] {
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
