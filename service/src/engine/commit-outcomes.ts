import { sql } from 'kysely'
import type { RecordPage } from '../connectors/contract/contract.ts'
import type { Tx } from '../db/open-database.ts'
import type { RunState } from '../db/schema.ts'
import { entityOf } from '../families/index.ts'
import { recordAnnounced } from '../imports/record-announced.ts'
import { countOutcomes, type RecordOutcome, tell } from '../signals/signals.ts'
import type { WarningCode } from '../warnings/codes.ts'
import { dropAnnouncement } from './announcements.ts'
import { countUp, type Outcome, recordFailures, recordOutcomes, recordSettled, recordUnsent } from './change-ledger.ts'
import type { DecidedPage } from './decide-page.ts'
import { findRows, type LedgerRow, stateKey } from './ledger.ts'
import { forgetFailures, moveStage } from './move-stage.ts'
import { endStage } from './recount.ts'
import type { RunContext, Stage } from './run-context.ts'
import type { Sent } from './send-batches.ts'
import { type Sending, type SendOutcome, withParts } from './sending.ts'
import { reasonOf } from './set-aside.ts'
import { tellMerged } from './tell-merged.ts'
import { isThere, toOutcome } from './to-outcome.ts'
import { addSkipped, addWarnings, codesOf, countWarned } from './warnings.ts'

/** The numbers that are known at the end of a page of the source. */
export interface PageEnd {
  page: RecordPage
  /** Records of the page that the stage is about. */
  records: number
  /** Whether these are all records of the page and of this lot. */
  isWhole: boolean
  /** The number of records that the source counts, asked for with the last page. */
  counted: number | null
}

interface PartResult extends Pick<DecidedPage, 'known' | 'settled'>, Omit<Sent, 'failure'> {
  /** The records that the outcomes are about. */
  sendings: Sending[]
  /** Set with the last part of a finished page. */
  end: PageEnd | null
  /** Set with the last part of the announced records. */
  announcements: readonly string[]
}

/** Commits the outcomes of a part of a page. With the last part, the checkpoint moves on. */
export async function commitOutcomes(context: RunContext, stage: Stage, result: PartResult): Promise<void> {
  const { run, importId } = context
  const { outcomes } = result
  let told: RecordOutcome[] = []
  await run.lease.commitOutcome(async (tx, state) => {
    // A stopped run has no checkpoint to move.
    const end = state === 'stopped' ? null : result.end
    const settled = state === 'stopped' ? [] : result.settled
    let items = 0
    const recorded: [string, Outcome[]][] = []
    for (const [entity, ofEntity] of byEntity(stage.entity, result))
      recorded.push([entity, await toRecorded(tx, context, entity, { ...result, outcomes: ofEntity }, state)])
    // A record without a plain outcome first needs the row that says "intended".
    const isPlain = ({ state }: Outcome) => state === 'written' || state === 'matched'
    const arePlain = recorded.every(([, ofEntity]) => ofEntity.every(isPlain))
    if (!result.isComplete || !arePlain) await recordAnnounced(tx, importId)
    else for (const id of result.announcements) await dropAnnouncement(tx, importId, id)
    told = recorded.flatMap(([entity, ofEntity]) =>
      ofEntity.map(({ state, source_id }) =>
        nameOutcome(state, result.known.get(stateKey({ entity, sourceId: source_id }))),
      ),
    )
    for (const [entity, ofEntity] of recorded) {
      await recordOutcomes(tx, run, entity, ofEntity)
      await recordUnsettled(tx, importId, entity, result)
      const isOwn = entity === stage.entity
      if (isOwn) await recordSettled(tx, run, entity, settled)
      const rowOf = (sourceId: string) => result.known.get(stateKey({ entity, sourceId }))
      const changes = [...ofEntity, ...(isOwn ? settled : [])].map(({ source_id, warned }) => ({
        before: rowOf(source_id)?.warned,
        after: warned,
      }))
      await countWarned(tx, importId, entity, changes)
      const arrived = ofEntity.reduce((sum, { state, source_id }) => sum + arrivalsOf(state, rowOf(source_id)), 0)
      if (isOwn) items = arrived
      else await countUp(tx, importId, { entity, items: arrived, done: 0 })
    }
    // A page that is not finished is read again, and counted then.
    const unlinked = end && mayBeUnlinked(result, end) ? await countUnlinked(tx, importId, stage, end.page) : 0
    const done = end ? Math.max(0, end.records - unlinked) : 0
    await countUp(tx, importId, { entity: stage.entity, items, done, runId: run.id })
    if (!end) {
      // The run makes progress, however slowly.
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
  tell('records settled', { tool: context.destinationTool, outcomes: countOutcomes(told) })
}

/** The outcomes by entity: of the stage's own entity, and of the parts that its records carry. */
function byEntity(own: string, { outcomes, sendings }: PartResult): Map<string, SendOutcome[]> {
  const inside = withParts(sendings).filter(({ position }) => position !== undefined)
  const entities = new Map(inside.map(({ outgoing, record }) => [outgoing.key, record.entity]))
  const sorted = new Map<string, SendOutcome[]>([own, ...entities.values()].map((entity) => [entity, []]))
  for (const outcome of outcomes) sorted.get(entities.get(outcome.key) ?? own)?.push(outcome)
  return sorted
}

async function toRecorded(
  tx: Tx,
  { importId, family }: RunContext,
  entity: string,
  { outcomes, sendings, known }: PartResult,
  state: RunState,
): Promise<Outcome[]> {
  const isTop = entityOf(family, entity).isTop === true
  const all = withParts(sendings).filter(({ record }) => record.entity === entity)
  const byKey = new Map(all.map((sending) => [sending.outgoing.key, sending]))
  const bySource = new Map(all.map(({ record }) => [record.sourceId, record]))
  const nameOf = (sourceId: string) => bySource.get(sourceId)?.fields.name
  const rowOf = (sourceId: string) => known.get(stateKey({ entity, sourceId }))
  const told = await tellMerged(tx, importId, entity, outcomes.map(toOutcome(byKey, rowOf, isTop)), {
    nameOf,
    rowOf,
  })
  return state === 'stopped' ? withoutRemoved(tx, importId, entity, told) : told
}

async function recordUnsettled(
  tx: Tx,
  importId: string,
  entity: string,
  { unsent, failed }: Pick<PartResult, 'unsent' | 'failed'>,
): Promise<void> {
  const isOf = ({ record }: Sending) => record.entity === entity
  const ids = unsent.filter(isOf).map(({ record }) => record.sourceId)
  await recordUnsent(tx, importId, entity, ids)
  const failures = failed
    .filter(({ sending }) => isOf(sending))
    .map(({ sending, error }) => ({ sourceId: sending.record.sourceId, message: reasonOf(error) }))
  await recordFailures(tx, importId, entity, failures)
}

/** Most pages have no record of that kind, and then nothing has to be counted. */
const mayBeUnlinked = ({ known, settled, sendings }: PartResult, { isWhole }: PageEnd): boolean =>
  !isWhole ||
  sendings.some(({ isIncomplete }) => isIncomplete) ||
  settled.some(({ is_incomplete }) => is_incomplete) ||
  known.values().some(({ is_incomplete }) => is_incomplete)

/** Records of a page whose links are not written yet. The link stage writes them. */
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

/** An undo after the stop may have removed some records already, and sealed them against late requests. */
async function withoutRemoved(tx: Tx, importId: string, entity: string, outcomes: Outcome[]): Promise<Outcome[]> {
  const refs = outcomes.map(({ source_id }) => ({ entity, sourceId: source_id }))
  const rows = await findRows(tx, importId, refs)
  return outcomes.filter(({ source_id }) => rows.get(stateKey({ entity, sourceId: source_id }))?.state !== 'removed')
}

/** The outcome as operators count it. */
function nameOutcome(state: Outcome['state'], before: LedgerRow | undefined): RecordOutcome {
  if (state === 'written') return isThere(before) ? 'updated' : 'created'
  return state === 'intended' ? 'unknown' : state
}

/** The change in the number of records in the destination: 1, 0 or -1. */
function arrivalsOf(state: Outcome['state'], before: LedgerRow | undefined): number {
  if (state === 'written') return isThere(before) ? 0 : 1
  return state === 'deleted' && isThere(before) ? -1 : 0
}

/** Whether this is the first full reading of the source. */
const isFirstReading = ({ stage, passes }: Stage, kind: RunContext['run']['kind']): boolean =>
  kind === 'full' && stage === 'write' && passes === 0

/** Warnings of records that the source could not hand out: they are not among the records of the page. */
function unreadableOf(page: RecordPage): WarningCode[] {
  const items = new Set(page.items.map(({ sourceId }) => sourceId))
  return page.warnings.filter(({ sourceId }) => !items.has(sourceId)).flatMap(codesOf)
}
