import type { RecordPage, WriteOutcome } from '../connectors/contract.ts'
import { entityOf } from '../families/index.ts'
import type { FamilyRecord, RecordRef } from '../families/record.ts'
import { isWanted } from '../mapping/filter-record.ts'
import { commitIntents } from './commit-intents.ts'
import { commitOutcomes } from './commit-outcomes.ts'
import { keepEdits } from './keep-edits.ts'
import { findRows, type Intent, type LedgerRow, recordUnsent, type Settled, stateKey } from './ledger.ts'
import { askAboutMail, isFirstWithMail } from './look-for-mail.ts'
import { orderWaves } from './order-waves.ts'
import { type PreparedRecord, prepareRecords } from './prepare-records.ts'
import { isOfStage } from './read-stage.ts'
import { reconcile, type UnknownOutcome } from './reconcile.ts'
import type { RunContext, Stage } from './run-context.ts'
import { sendBatches } from './send-batches.ts'
import { isFoundLater, orNull } from './warnings.ts'

/** A record on its way. */
export interface Sending extends NonNullable<PreparedRecord['sending']> {
  record: FamilyRecord
  parent: RecordRef | null
  parentId: { entity: string; destinationId: string } | null
  isDoubtful: boolean
}

/** A page that is mapped, and of which it is known what has to be done with it. */
export interface PreparedPage {
  page: RecordPage
  records: FamilyRecord[]
  known: ReadonlyMap<string, LedgerRow>
  /** Null where the records have to be written one after the other, so that each knows the one before. */
  sorted: SortedOut | null
}

/** Only looks: nothing of this is said or sent yet. */
export async function preparePage(context: RunContext, stage: Stage, page: RecordPage): Promise<PreparedPage> {
  const { db, importId } = context
  const records = await isOfStage(context, stage, [
    ...new Map(page.items.map((item) => [item.sourceId, item])).values(),
  ])
  const known = await findRows(db, importId, records)
  const isOneWave = fixedRelationsOf(context, stage).length === 0
  const sorted = isOneWave ? await sortOut(context, stage, { ...page, items: records }, known) : null
  return { page, records, known, sorted }
}

/** A page can be prepared while one before is written, unless it takes anything from that one. */
export function isIndependent(context: RunContext, stage: Stage, page: RecordPage, before: RecordPage): boolean {
  const { fields, secondPass = [] } = entityOf(context.family, stage.entity)
  const needsItself = Object.entries(fields).some(
    ([name, { to = [] }]) => to.includes(stage.entity) && !secondPass.includes(name),
  )
  const written = new Set(before.items.map(({ sourceId }) => sourceId))
  const isMetAgain = page.items.some(({ sourceId }) => written.has(sourceId))
  return !needsItself && !isMetAgain && fixedRelationsOf(context, stage).length === 0
}

const fixedRelationsOf = ({ mapping }: RunContext, { entity }: Stage) =>
  mapping.destination.entities[entity]?.fixedRelations ?? []

/** A page of which the ledger says that it may have been sent. */
export interface AnnouncedPage extends PreparedPage {
  sorted: SortedOut
  send: Sending[]
  outcomes: (WriteOutcome | UnknownOutcome)[]
}

export interface SentPage extends AnnouncedPage {
  sent: Awaited<ReturnType<typeof sendBatches<Sending>>>
}

/** Its records need not be written one after the other, or a few at a time: it may be announced before its turn. */
export async function isSentAtOnce(context: RunContext, stage: Stage, { sorted }: PreparedPage): Promise<boolean> {
  const isFew = context.mapping.destination.capabilities.deliveryClass === 'D'
  return sorted !== null && !isFew && !(await isFirstWithMail(context, stage))
}

/** Says what will be sent; after a crash the ledger tells so. */
export async function announcePage(
  context: RunContext,
  stage: Stage,
  prepared: PreparedPage & { sorted: SortedOut },
): Promise<AnnouncedPage> {
  await context.crashPoint('page read')
  const { sorted, known } = prepared
  const { send, outcomes } = await decide(context, stage, sorted, known)
  const intents = [...sorted.aside, ...send.map(intentOf)]
  if (intents.length > 0) await commitIntents(context, stage.entity, intents, known)
  await context.crashPoint('intents committed')
  return { ...prepared, send, outcomes }
}

export async function sendPage(context: RunContext, stage: Stage, page: AnnouncedPage): Promise<SentPage> {
  const sent = await sendBatches(context, stage.entity, page.send)
  await context.crashPoint('all batches sent')
  return { ...page, sent }
}

/** Commits what came of a page, together with the checkpoint. */
export async function settlePage(
  context: RunContext,
  stage: Stage,
  { page, records, known, sorted, send, outcomes, sent }: SentPage,
  counted: number | null,
): Promise<void> {
  await commitOutcomes(context, stage, {
    outcomes: [...sent.outcomes, ...outcomes],
    unsent: sent.unsent,
    sendings: [...sorted.sendings, ...send],
    known,
    end: sent.failure === null ? { page, counted, records, sorted } : null,
  })
  await context.crashPoint('outcomes committed')
}

/** What was announced and is not sent after all need not be doubted later. */
export async function takeBackPage(
  { run, importId }: RunContext,
  stage: Stage,
  { send }: AnnouncedPage,
): Promise<void> {
  const ids = send.map(({ record }) => record.sourceId)
  await run.lease.commitOutcome((tx) => recordUnsent(tx, importId, stage.entity, ids))
}

/**
 * One page by itself: say what will be sent, send it, and commit what came of it together with the checkpoint. A crash
 * at any point leaves the old checkpoint, so the page is read again, and the ledger tells what may have been sent.
 * `counted`: how many records the source says there are, asked for with the last page.
 */
export async function writePage(
  context: RunContext,
  stage: Stage,
  { page, records, known, sorted: prepared }: PreparedPage,
  counted: number | null,
): Promise<void> {
  await context.crashPoint('page read')
  const waves = prepared ? [records] : orderWaves(records, fixedRelationsOf(context, stage))
  const all: SortedOut = { sendings: [], aside: [], settled: [] }
  for (const [index, wave] of waves.entries()) {
    const sorted = prepared ?? (await sortOut(context, stage, { ...page, items: wave }, known))
    all.aside.push(...sorted.aside)
    all.settled.push(...sorted.settled)
    const end = index === waves.length - 1 ? { page, counted, records, sorted: all } : null
    await writeWave(context, stage, { sorted, known, end })
  }
}

interface Wave {
  sorted: SortedOut
  known: ReadonlyMap<string, LedgerRow>
  /** Set with the last wave of a page. */
  end: { page: RecordPage; counted: number | null; records: FamilyRecord[]; sorted: SortedOut } | null
}

/** What has to be sent of it, and what is settled without. */
async function decide(
  context: RunContext,
  stage: Stage,
  sorted: SortedOut,
  known: ReadonlyMap<string, LedgerRow>,
): Promise<Pick<AnnouncedPage, 'send' | 'outcomes'>> {
  const reconciled = await reconcile(context, stage.entity, sorted.sendings, known)
  const { send, outcomes } = await keepEdits(context, stage.entity, reconciled.send, known)
  return { send, outcomes: [...reconciled.outcomes, ...outcomes] }
}

async function writeWave(context: RunContext, stage: Stage, { sorted, known, end }: Wave): Promise<void> {
  const { send, outcomes } = await decide(context, stage, sorted, known)
  const waiting = [...sorted.aside]
  const isFirst = await isFirstWithMail(context, stage)
  const parts = inParts(context, send, isFirst)
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1
    const intents = [...waiting.splice(0), ...part.map(intentOf)]
    if (intents.length > 0) await commitIntents(context, stage.entity, intents, known)
    await context.crashPoint('intents committed')
    const sent = await sendBatches(context, stage.entity, part)
    await context.crashPoint('all batches sent')
    await commitOutcomes(context, stage, {
      outcomes: isLast || sent.failure ? [...sent.outcomes, ...outcomes.splice(0)] : sent.outcomes,
      unsent: sent.unsent,
      sendings: [...sorted.sendings, ...part],
      known,
      end: isLast && sent.failure === null ? end : null,
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
  /** Sent before just so; only what is open about it or warned of has changed. */
  settled: Settled[]
}

async function sortOut(
  context: RunContext,
  stage: Stage,
  page: RecordPage,
  known: ReadonlyMap<string, LedgerRow>,
): Promise<SortedOut> {
  const { run, mapping } = context
  const isLastPass = stage.stage === 'link'
  const prepared = await prepareRecords(context, stage.entity, page.items, { known, isLastPass })
  // What the source handed out may have been odd already.
  const oddOf = (sourceId: string) =>
    page.warnings.filter((warning) => warning.sourceId === sourceId).map(({ code }) => code)
  const sorted: SortedOut = { sendings: [], aside: [], settled: [] }
  for (const { record, parent, parentRow, sending } of prepared) {
    const row = known.get(stateKey(record))
    const isThere = row?.state === 'written' || row?.state === 'matched'
    const isSentAgain = run.options.send_unknown && row?.run_id !== run.id
    const isUnknown = row?.state === 'intended' && row.code === 'unknown' && !isSentAgain
    if (row?.state === 'matched' || isUnknown) continue
    if (!isThere && (parentRow?.state === 'filtered' || !isWanted(record, mapping.changes))) {
      sorted.aside.push(asideIntent(record, parent, 'filtered'))
    } else if (sending === null) {
      if (!isThere) sorted.aside.push(asideIntent(record, parent, 'held'))
    } else if (row && isSettled(row, run.id, sending.hash)) {
      if (row.state === 'written') sorted.settled.push(...settledAnew(row, sending, oddOf(record.sourceId)))
    } else {
      const parentId = parentRow?.destination_id
        ? { entity: parentRow.entity, destinationId: parentRow.destination_id }
        : null
      const warnings = [...new Set([...sending.warnings, ...oddOf(record.sourceId)])]
      sorted.sendings.push({ ...sending, warnings, record, parent, parentId, isDoubtful: false })
    }
  }
  return sorted
}

/** It is there just so, from a sample or from before a crash; or this very run has been told that it is not wanted. */
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
  odd: string[],
): Settled[] {
  const found = (row.warned ?? []).filter((code) => isFoundLater(code))
  const warned = [...new Set([...warnings, ...odd, ...found])]
  const isSame = row.is_incomplete === isIncomplete && `${[...warned].sort()}` === `${[...(row.warned ?? [])].sort()}`
  const { source_id, state } = row
  return isSame ? [] : [{ source_id, state, is_incomplete: isIncomplete, warned: orNull(warned) }]
}

function asideIntent(record: FamilyRecord, parent: RecordRef | null, state: 'held' | 'filtered'): Intent {
  return {
    ...placeOf(record, parent),
    state,
    sent_hash: null,
    is_incomplete: false,
    is_doubtful: false,
    warned: state === 'held' ? ['held'] : null,
  }
}

function intentOf({ record, parent, hash, isIncomplete, isDoubtful }: Sending): Intent {
  return {
    ...placeOf(record, parent),
    state: 'intended',
    sent_hash: hash,
    is_incomplete: isIncomplete,
    is_doubtful: isDoubtful,
    warned: null,
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
