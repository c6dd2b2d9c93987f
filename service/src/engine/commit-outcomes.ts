import { sql } from 'kysely'
import type { RecordPage, WriteOutcome } from '../connectors/contract.ts'
import type { Tx } from '../db/open-database.ts'
import { entityOf } from '../families/index.ts'
import { recordAnnounced } from '../imports/record-announced.ts'
import type { WarningCode } from '../warnings/codes.ts'
import { dropAnnouncement } from './announcements.ts'
import { countUp, type Outcome, recordFailures, recordOutcomes, recordSettled, recordUnsent } from './change-ledger.ts'
import { type DecidedPage, placeOf } from './decide-page.ts'
import { findRows, type LedgerRow, stateKey } from './ledger.ts'
import { forgetFailures, moveStage } from './move-stage.ts'
import { endStage } from './recount.ts'
import type { RunContext, Stage } from './run-context.ts'
import type { Sent } from './send-batches.ts'
import type { Sending, SendOutcome } from './sending.ts'
import { reasonOf } from './set-aside.ts'
import { tellMerged } from './tell-merged.ts'
import { addSkipped, addWarnings, codesOf, countWarned, orNull, uniteCodes } from './warnings.ts'

/** What is known at the end of a page of the source. */
export interface PageEnd {
  page: RecordPage
  /** Records of the page that the stage is about. */
  records: number
  /** They are all records of the page, and of this lot. */
  isWhole: boolean
  /** How many the source says there are, asked for with the last page. */
  counted: number | null
}

interface PartResult extends Pick<DecidedPage, 'known' | 'settled'>, Omit<Sent, 'failure'> {
  /** The records that the outcomes are about. */
  sendings: Sending[]
  /** Set with the last part of a page that is through. */
  end: PageEnd | null
  /** Set with the last part of what was announced. */
  announcement: string | null
}

/** Commits what came of a part of a page; with the last one, the checkpoint moves on. */
export async function commitOutcomes(context: RunContext, stage: Stage, result: PartResult): Promise<void> {
  const { run, importId, family } = context
  const isTop = entityOf(family, stage.entity).isTop === true
  const { outcomes, unsent, failed, known: rows } = result
  const byKey = new Map(result.sendings.map((sending) => [sending.outgoing.key, sending]))
  const rowOf = (sourceId: string) => rows.get(stateKey({ entity: stage.entity, sourceId }))
  await run.lease.commitOutcome(async (tx, state) => {
    // A run that was stopped has no checkpoint to move any more.
    const end = state === 'stopped' ? null : result.end
    const settled = state === 'stopped' ? [] : result.settled
    const bySource = new Map(result.sendings.map(({ record }) => [record.sourceId, record]))
    const nameOf = (sourceId: string) => bySource.get(sourceId)?.fields.name
    const known = await tellMerged(tx, importId, stage.entity, outcomes.map(toOutcome(byKey, rowOf, isTop)), nameOf)
    const recorded = state === 'stopped' ? await withoutRemoved(tx, importId, stage.entity, known) : known
    // Whatever has no plain outcome needs the row that says "intended" first.
    const isPlain = ({ state }: Outcome) => state === 'written' || state === 'matched'
    if (!result.isComplete || !recorded.every(isPlain)) await recordAnnounced(tx, importId)
    else if (result.announcement) await dropAnnouncement(tx, importId, result.announcement)
    await recordOutcomes(tx, run, stage.entity, recorded)
    const idsOf = (sendings: Sending[]) => sendings.map(({ record }) => record.sourceId)
    await recordUnsent(tx, importId, stage.entity, idsOf(unsent))
    const failures = failed.map(({ sending, error }) => ({
      sourceId: sending.record.sourceId,
      message: reasonOf(error),
    }))
    await recordFailures(tx, importId, stage.entity, failures)
    await recordSettled(tx, run, stage.entity, settled)
    const changes = [...recorded, ...settled].map(({ source_id, warned }) => ({
      before: rowOf(source_id)?.warned,
      after: warned,
    }))
    await countWarned(tx, importId, stage.entity, changes)
    // A page that is not through is read again; what it counts is counted then.
    const unlinked = end && mayBeUnlinked(result, end) ? await countUnlinked(tx, importId, stage, end.page) : 0
    const done = end ? Math.max(0, end.records - unlinked) : 0
    const items = recorded.reduce((sum, { state, source_id }) => sum + arrivalsOf(state, rowOf(source_id)), 0)
    await countUp(tx, importId, { entity: stage.entity, items, done, runId: run.id })
    if (!end) {
      // It is slow going, but it goes.
      if (outcomes.length > 0) await forgetFailures(tx, run)
      return
    }
    if (isFirstReading(stage, run.kind)) {
      await addWarnings(tx, importId, stage.entity, unreadableOf(end.page))
      await addSkipped(tx, importId, end.page.skipped ?? {})
    }
    if (end.page.next === null) await endStage(tx, { run, importId }, stage, end.counted)
    else await moveStage(tx, { run }, stage, { cursor: end.page.next, isDone: false })
  })
}

/** Most pages have no record of that kind, and then nothing has to be counted. */
const mayBeUnlinked = ({ known, settled, sendings }: PartResult, { isWhole }: PageEnd): boolean =>
  !isWhole ||
  sendings.some(({ isIncomplete }) => isIncomplete) ||
  settled.some(({ is_incomplete }) => is_incomplete) ||
  known.values().some(({ is_incomplete }) => is_incomplete)

/** Records of a page whose links are still to be written: they are done with the link stage. */
async function countUnlinked(tx: Tx, importId: string, { stage, entity }: Stage, page: RecordPage): Promise<number> {
  if (stage === 'link' || page.items.length === 0) return 0
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from unnest(${page.items.map(({ sourceId }) => sourceId)}::text[]) as item(source_id)
    cross join lateral (
      -- Found by its key, one by one; see ledger.ts.
      select * from id_map k
      where k.import_id = ${importId} and k.entity = ${entity} and k.source_id = item.source_id offset 0
    ) m
    where m.is_incomplete`.execute(tx)
  return rows[0]?.count ?? 0
}

/** An undo that followed the stop may have removed some already, and sealed them against what arrives late. */
async function withoutRemoved(tx: Tx, importId: string, entity: string, outcomes: Outcome[]): Promise<Outcome[]> {
  const refs = outcomes.map(({ source_id }) => ({ entity, sourceId: source_id }))
  const rows = await findRows(tx, importId, refs)
  return outcomes.filter(({ source_id }) => rows.get(stateKey({ entity, sourceId: source_id }))?.state !== 'removed')
}

/** How many records more the destination has now: one, none, or one less. */
function arrivalsOf(state: Outcome['state'], before: LedgerRow | undefined): number {
  if (state === 'written') return isThere(before) ? 0 : 1
  return state === 'deleted' && isThere(before) ? -1 : 0
}

/** The run that reads everything, and not once more. */
const isFirstReading = ({ stage, passes }: Stage, kind: RunContext['run']['kind']): boolean =>
  kind === 'full' && stage === 'write' && passes === 0

/** What could not even be handed out is no record of the page. */
function unreadableOf(page: RecordPage): WarningCode[] {
  const items = new Set(page.items.map(({ sourceId }) => sourceId))
  return page.warnings.filter(({ sourceId }) => !items.has(sourceId)).flatMap(codesOf)
}

const nowhere = {
  destination_id: null,
  destination_url: null,
  destination_version: null,
  written_hash: null,
  stored_hash: null,
  is_incomplete: false,
}

function toOutcome(
  sent: ReadonlyMap<string, Sending>,
  rowOf: (sourceId: string) => LedgerRow | undefined,
  isTop: boolean,
) {
  const placeOfNew = ({ record, parent }: Sending) =>
    rowOf(record.sourceId) === undefined && { place: { ...placeOf(record, parent), is_counted: isTop } }
  return (outcome: SendOutcome): Outcome => {
    const sending = sent.get(outcome.key)
    const source_id = sending?.record.sourceId
    if (sending === undefined || source_id === undefined)
      throw new Error(`an outcome for ${outcome.key}, which was not sent`)
    switch (outcome.result) {
      case 'unknown':
        return {
          source_id,
          ...nowhere,
          state: 'intended',
          code: 'unknown',
          message: 'It may be there or not.',
          warned: ['unknown'],
        }
      case 'deleted':
        return {
          source_id,
          ...nowhere,
          state: 'deleted',
          code: 'deleted',
          message: deletedMessage,
          warned: ['deleted'],
        }
      case 'edited':
        return { ...editedOutcome(outcome, sending, rowOf(source_id)), source_id }
      case 'refused': {
        const { code, message } = outcome
        return {
          source_id,
          ...nowhere,
          state: 'refused',
          code,
          message,
          warned: warnedOfRefusal(rowOf(source_id), code),
        }
      }
      default:
        return {
          source_id,
          ...placeOfNew(sending),
          state: outcome.result,
          destination_id: outcome.destinationId,
          destination_url: outcome.url,
          destination_version: outcome.result === 'written' ? outcome.version : null,
          written_hash: `\\x${sending.hash}`,
          stored_hash: 'storedHash' in outcome ? `\\x${outcome.storedHash}` : null,
          is_incomplete: sending.isIncomplete,
          code: null,
          message: null,
          warned: orNull(uniteCodes(sending.warnings, lossesOf(outcome))),
        }
    }
  }
}

export const deletedMessage = 'Someone deleted it in the destination after it was written.'

/** It stays as people left it. One of which we never heard an answer is known to be there with that. */
function editedOutcome(
  { destinationId, url }: Extract<SendOutcome, { result: 'edited' }>,
  { hash, warnings }: Sending,
  row: LedgerRow | undefined,
): Omit<Outcome, 'source_id'> {
  const message = 'It was changed in the destination since it was written, so it was left as it is there.'
  const told = { code: 'edited', message }
  if (isThere(row)) return { ...nowhere, ...told, state: 'refused', warned: warnedOfRefusal(row, 'edited') }
  return {
    ...nowhere,
    ...told,
    state: 'written',
    destination_id: destinationId,
    destination_url: url,
    written_hash: `\\x${hash}`,
    warned: uniteCodes(warnings, ['edited']),
  }
}

const isThere = (row: LedgerRow | undefined) => row?.state === 'written' || row?.state === 'matched'

/** What the destination took of the record, but not of all of it. */
function lossesOf(outcome: Extract<WriteOutcome, { result: 'written' | 'matched' }>): WarningCode[] {
  return outcome.result === 'written' ? (outcome.losses ?? []).map((loss) => `lost:${loss}` as const) : []
}

/** Refusals that the customer is told of in words of their own. */
const ownWords = ['file_too_large', 'file_missing', 'edited', 'not_protected', 'parent_missing'] as const

/** What is there and only was not changed is warned of as before, and of that besides. */
function warnedOfRefusal(row: LedgerRow | undefined, code: string | null): WarningCode[] {
  const warning = ownWords.find((one) => one === code) ?? 'refused'
  return uniteCodes(isThere(row) ? row?.warned : null, [warning])
}
