import type { RecordPage, WriteOutcome } from '../connectors/contract.ts'
import type { RecordState } from '../db/schema.ts'
import type { FamilyRecord, RecordRef } from '../families/record.ts'
import { isWanted } from '../mapping/filter-record.ts'
import {
  addWarnings,
  countUp,
  findRows,
  type Intent,
  type LedgerRow,
  type Outcome,
  recordComplete,
  recordIntents,
  recordOutcomes,
  recordUnsent,
  stateKey,
  takeBackWarnings,
} from './ledger.ts'
import { askAboutMail, isFirstWithMail } from './look-for-mail.ts'
import { moveStage } from './move-stage.ts'
import { type PreparedRecord, prepareRecords } from './prepare-records.ts'
import { isOfStage } from './read-stage.ts'
import { reconcile, type UnknownOutcome } from './reconcile.ts'
import type { RunContext, Stage } from './run-context.ts'
import { sendBatches } from './send-batches.ts'

/** A record on its way. */
export interface Sending extends NonNullable<PreparedRecord['sending']> {
  record: FamilyRecord
  parent: RecordRef | null
  parentId: { entity: string; destinationId: string } | null
  isDoubtful: boolean
}

type AnyOutcome = WriteOutcome | UnknownOutcome

/**
 * One page: map it, say what will be sent, send it, and commit what came of it together with the checkpoint. A crash
 * at any point leaves the old checkpoint, so the page is read again, and the ledger tells what may have been sent.
 */
export async function writePage(context: RunContext, stage: Stage, page: RecordPage): Promise<void> {
  const { db, run, importId } = context
  await context.crashPoint('page read')
  const records = await isOfStage(context, stage, [
    ...new Map(page.items.map((item) => [item.sourceId, item])).values(),
  ])
  const known = await findRows(db, importId, records)
  const sorted = await sortOut(context, stage, records, known)
  const { send, outcomes } = await reconcile(context, stage.entity, sorted.sendings, known)
  const waiting = [...sorted.aside]
  const isFirst = await isFirstWithMail(context, stage)
  const parts = inParts(context, send, isFirst)
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1
    const intents = [...waiting.splice(0), ...part.map(intentOf)]
    if (intents.length > 0) await run.lease.commit((tx) => recordIntents(tx, run, stage.entity, intents))
    await context.crashPoint('intents committed')
    const sent = await sendBatches(context, stage.entity, part)
    await context.crashPoint('all batches sent')
    await commitOutcomes(context, stage, {
      outcomes: isLast || sent.failure ? [...sent.outcomes, ...outcomes.splice(0)] : sent.outcomes,
      unsent: sent.unsent,
      sendings: [...sorted.sendings, ...part],
      known,
      end: isLast && sent.failure === null ? { page, records, sorted } : null,
    })
    await context.crashPoint('outcomes committed')
    if (sent.failure) throw sent.failure.error
    const question = isFirst ? askAboutMail(sent.outcomes) : null
    if (question) throw question
  }
}

/** Where nothing can be looked up afterwards, only as much is under way as is sent at once: a crash leaves little in doubt. */
function inParts({ mapping }: RunContext, send: Sending[], isOneByOne: boolean): Sending[][] {
  const { deliveryClass, concurrency, batchSize } = mapping.destination.capabilities
  const size = isOneByOne ? 1 : deliveryClass === 'D' ? concurrency * batchSize : Math.max(send.length, 1)
  const parts: Sending[][] = []
  for (let start = 0; start < send.length; start += size) parts.push(send.slice(start, start + size))
  return parts.length === 0 ? [[]] : parts
}

interface SortedOut {
  sendings: Sending[]
  /** What waits for what it hangs on, and what the customer does not want. */
  aside: Intent[]
  /** Sent before just so; only what was open about it is settled now. */
  completed: string[]
}

async function sortOut(
  context: RunContext,
  stage: Stage,
  records: FamilyRecord[],
  known: ReadonlyMap<string, LedgerRow>,
): Promise<SortedOut> {
  const { db, importId, run, mapping } = context
  const isLastPass = stage.stage === 'link'
  const prepared = await prepareRecords(context, stage.entity, records, { known, isLastPass })
  const parents = await findRows(
    db,
    importId,
    prepared.flatMap(({ parent }) => parent ?? []),
  )
  const sorted: SortedOut = { sendings: [], aside: [], completed: [] }
  for (const { record, parent, sending } of prepared) {
    const row = known.get(stateKey(record))
    const parentRow = parent ? parents.get(stateKey(parent)) : undefined
    const isThere = row?.state === 'written' || row?.state === 'matched'
    const isSentAgain = run.options.send_unknown && row?.run_id !== run.id
    const isUnknown = row?.state === 'intended' && row.code === 'unknown' && !isSentAgain
    if (row?.state === 'matched' || isUnknown) continue
    if (!isThere && (parentRow?.state === 'filtered' || !isWanted(record, mapping.changes))) {
      sorted.aside.push(asideIntent(record, parent, 'filtered'))
    } else if (sending === null) {
      if (!isThere) sorted.aside.push(asideIntent(record, parent, 'held'))
    } else if (row && isSettled(row, run.id, sending.hash)) {
      if (row.is_incomplete && !sending.isIncomplete) sorted.completed.push(record.sourceId)
    } else {
      const parentId = parentRow?.destination_id
        ? { entity: parentRow.entity, destinationId: parentRow.destination_id }
        : null
      sorted.sendings.push({ ...sending, record, parent, parentId, isDoubtful: false })
    }
  }
  return sorted
}

/** It is there just so, from a sample or from before a crash; or this very run has been told that it is not wanted. */
function isSettled(row: LedgerRow, runId: string, hash: Buffer): boolean {
  if (row.state === 'refused') return row.run_id === runId && row.sent_hash?.equals(hash) === true
  // Something else on its way may have arrived; then it has to be sent once more.
  const isAlone = row.sent_hash === null || row.sent_hash.equals(hash)
  return row.state === 'written' && isAlone && row.written_hash?.equals(hash) === true
}

function asideIntent(record: FamilyRecord, parent: RecordRef | null, state: 'held' | 'filtered'): Intent {
  return { ...placeOf(record, parent), state, sent_hash: null, is_incomplete: false, is_doubtful: false }
}

function intentOf({ record, parent, hash, isIncomplete, isDoubtful }: Sending): Intent {
  return {
    ...placeOf(record, parent),
    state: 'intended',
    sent_hash: hash.toString('hex'),
    is_incomplete: isIncomplete,
    is_doubtful: isDoubtful,
  }
}

function placeOf(record: FamilyRecord, parent: RecordRef | null) {
  return {
    source_id: record.sourceId,
    source_url: record.sourceUrl ?? null,
    parent_entity: parent?.entity ?? null,
    parent_source_id: parent?.sourceId ?? null,
  }
}

interface PartResult {
  outcomes: AnyOutcome[]
  unsent: Sending[]
  sendings: Sending[]
  known: ReadonlyMap<string, LedgerRow>
  /** Set with the last part of a page that is through. */
  end: { page: RecordPage; records: FamilyRecord[]; sorted: SortedOut } | null
}

async function commitOutcomes({ run, importId }: RunContext, stage: Stage, result: PartResult): Promise<void> {
  const { outcomes, unsent, known, end } = result
  const byKey = new Map(result.sendings.map((sending) => [sending.outgoing.key, sending]))
  const before = (sourceId: string) => known.get(stateKey({ entity: stage.entity, sourceId }))?.state
  await run.lease.commitOutcome(async (tx) => {
    const isNew = await recordOutcomes(tx, importId, stage.entity, outcomes.map(toOutcome(byKey)))
    const unsentIds = unsent.map(({ record }) => record.sourceId)
    await recordUnsent(tx, importId, stage.entity, unsentIds)
    const warnings = outcomes.flatMap((outcome) => {
      const sent = byKey.get(outcome.key)
      return sent ? warningsOf(outcome, sent, before(sent.record.sourceId)) : []
    })
    await addWarnings(tx, importId, stage.entity, warnings)
    const settled = outcomes.filter(({ result }) => result === 'written' || result === 'matched')
    await takeBackWarnings(
      tx,
      importId,
      stage.entity,
      settled.flatMap(({ key }) =>
        warnedAs(known.get(stateKey(byKey.get(key)?.record ?? { entity: '', sourceId: '' }))),
      ),
    )
    // A page that is not through is read again; what it counts is counted then.
    const done = end && stage.stage !== 'link' ? end.records.length : 0
    await countUp(tx, importId, { entity: stage.entity, items: isNew, done })
    if (!end) {
      // It is slow going, but it goes.
      if (outcomes.length > 0) await tx.updateTable('runs').set({ failures: 0 }).where('id', '=', run.id).execute()
      return
    }
    await recordComplete(tx, importId, stage.entity, end.sorted.completed)
    const held = end.sorted.aside.filter(({ state, source_id }) => state === 'held' && before(source_id) !== 'held')
    const met = new Set(
      end.records.filter(({ sourceId }) => before(sourceId) === undefined).map(({ sourceId }) => sourceId),
    )
    // What could not even be handed out is no record of the page.
    const items = new Set(end.page.items.map(({ sourceId }) => sourceId))
    await addWarnings(tx, importId, stage.entity, [
      ...held.map(() => 'held'),
      // What the source handed out was odd already; said when the record is met for the first time.
      ...end.page.warnings
        .filter(({ sourceId }) => met.has(sourceId) || (run.kind === 'full' && !items.has(sourceId)))
        .map(({ code }) => code),
    ])
    await moveStage(tx, { run }, stage, { cursor: end.page.next, isDone: end.page.next === null })
  })
}

/** What a record that now is there was warned of before. */
function warnedAs(row: LedgerRow | undefined): string[] {
  if (row?.state === 'held') return ['held']
  if (row?.state === 'intended') return row.code === 'unknown' ? ['unknown'] : []
  return row?.state === 'refused' ? [refusalCode(row.code)] : []
}

const refusalCode = (code: string | null) => (code === 'file_too_large' ? code : 'refused')

/** A record is warned of once, however often it is sent. */
const linkLosses: ReadonlySet<string> = new Set(['parent_refused', 'relation_refused'])

function warningsOf(outcome: AnyOutcome, sent: Sending, before: RecordState | undefined): string[] {
  if (outcome.result === 'unknown') return ['unknown']
  if (outcome.result !== 'refused') {
    const losses = outcome.result === 'written' ? (outcome.losses ?? []) : []
    // A second pass tells again what the first told; only what it came for is new.
    const told = before === 'written' ? losses.filter((loss) => linkLosses.has(loss)) : losses
    return [...(before === 'written' ? [] : sent.warnings), ...told.map((loss) => `lost:${loss}`)]
  }
  if (before === 'refused') return []
  return [refusalCode(outcome.code)]
}

const nowhere = {
  destination_id: null,
  destination_url: null,
  destination_version: null,
  written_hash: null,
  is_incomplete: false,
}

function toOutcome(sent: ReadonlyMap<string, Sending>) {
  return (outcome: AnyOutcome): Outcome => {
    const sending = sent.get(outcome.key)
    const source_id = sending?.record.sourceId
    if (sending === undefined || source_id === undefined)
      throw new Error(`an outcome for ${outcome.key}, which was not sent`)
    switch (outcome.result) {
      case 'unknown':
        return { source_id, ...nowhere, state: 'intended', code: 'unknown', message: 'It may be there or not.' }
      case 'refused':
        return { source_id, ...nowhere, state: 'refused', code: outcome.code, message: outcome.message }
      default:
        return {
          source_id,
          state: outcome.result,
          destination_id: outcome.destinationId,
          destination_url: outcome.url,
          destination_version: outcome.result === 'written' ? outcome.version : null,
          written_hash: sending.hash.toString('hex'),
          is_incomplete: sending.isIncomplete,
          code: null,
          message: null,
        }
    }
  }
}
