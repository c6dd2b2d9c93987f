import { sql } from 'kysely'
import type { RecordPage } from '../connectors/contract/contract.ts'
import type { Tx } from '../db/open-database.ts'
import type { RunState } from '../db/schema.ts'
import { ConnectorFaultError } from '../errors.ts'
import { entityOf } from '../families/index.ts'
import { recordAnnounced } from '../imports/record-announced.ts'
import { countOutcomes, type RecordOutcome, tell } from '../signals/signals.ts'
import type { WarningCode } from '../warnings/codes.ts'
import { dropAnnouncement } from './announcements.ts'
import {
  countUp,
  type OutcomeRow,
  recordFailures,
  recordOutcomes,
  recordUnchanged,
  recordUnsent,
} from './change-ledger.ts'
import type { DecidedPage } from './decide-page.ts'
import { endStage } from './end-stage.ts'
import { findSharedIds } from './find-shared-ids.ts'
import { reasonOf } from './give-up-failing.ts'
import { findRows, isInDestination, type LedgerRow, refKey } from './ledger.ts'
import { forgetFailures, moveStage } from './move-stage.ts'
import { carriedBy } from './read-parts.ts'
import type { RunContext, Stage } from './run-context.ts'
import type { Sent } from './send-batches.ts'
import { type Sending, type SendOutcome, withParts } from './sending.ts'
import { tellMerged } from './tell-merged.ts'
import { toOutcomeRow } from './to-outcome-row.ts'
import { addSkipped, addWarnings, codesOf, countWarned } from './warnings.ts'

/** The numbers that are known at the end of a page of the source. */
export interface PageEnd {
  page: RecordPage
  /** Records of the page that the stage is about. */
  records: number
  /** Whether one lot holds the whole page. */
  isWhole: boolean
  /** The number of records that the source counts, asked for with the last page. */
  counted: number | null
}

interface LotResult extends Pick<DecidedPage, 'known' | 'unchanged'>, Omit<Sent, 'failure'> {
  /** The records that the outcomes are about. */
  sendings: Sending[]
  /** Set with the last lot of a finished page. */
  end: PageEnd | null
  /** Set with the last outcomes of the announced records. */
  announcements: readonly string[]
}

/** Commits outcomes of a lot, all or some of them. With the last lot of a page, the checkpoint moves on. */
export async function commitOutcomes(context: RunContext, stage: Stage, result: LotResult): Promise<void> {
  const { run, importId } = context
  const { outcomes } = result
  let told: RecordOutcome[] = []
  let shared = null as string | null
  await run.lease.commitOutcome(async (tx, state) => {
    const unchanged = state === 'stopped' ? [] : result.unchanged
    let items = 0
    const recorded: [string, OutcomeRow[]][] = []
    for (const [entity, ofEntity] of byEntity(stage.entity, result)) {
      const rows = await toOutcomeRows(tx, context, entity, { ...result, outcomes: ofEntity }, state)
      const rowOf = (sourceId: string) => result.known.get(refKey({ entity, sourceId }))
      const lies = await findSharedIds(tx, context, entity, rows, rowOf)
      // These records stay in doubt.
      recorded.push([entity, lies.size === 0 ? rows : rows.filter((row) => !lies.has(row))])
      if (lies.size > 0) shared = entity
    }
    const whole = state === 'stopped' || shared !== null ? nothingWhole : findWhole(context, stage, result)
    // A stopped run has no checkpoint to move.
    const end = state === 'stopped' || shared !== null ? null : result.end
    // Any other outcome changes a row, so the announced record needs its row first.
    const isPlain = ({ state }: OutcomeRow) => state === 'written' || state === 'matched'
    const arePlain = recorded.every(([, ofEntity]) => ofEntity.every(isPlain))
    if (!result.isComplete || shared !== null || !arePlain) await recordAnnounced(tx, importId)
    else for (const id of result.announcements) await dropAnnouncement(tx, importId, id)
    told = recorded.flatMap(([entity, ofEntity]) =>
      ofEntity.map(({ state, source_id }) =>
        nameOutcome(state, result.known.get(refKey({ entity, sourceId: source_id }))),
      ),
    )
    for (const [entity, ofEntity] of recorded) {
      const markWhole = (row: OutcomeRow) => ({ ...row, isWhole: whole.ids.has(row.source_id) })
      const isCarrier = entity === stage.entity && whole.ids.size > 0
      await recordOutcomes(tx, run, entity, isCarrier ? ofEntity.map(markWhole) : ofEntity)
      await recordWithoutOutcome(tx, importId, entity, result)
      const isOwn = entity === stage.entity
      if (isOwn) await recordUnchanged(tx, run, entity, unchanged)
      const rowOf = (sourceId: string) => result.known.get(refKey({ entity, sourceId }))
      const changes = [...ofEntity, ...(isOwn ? unchanged : [])].map(({ source_id, warned }) => ({
        before: rowOf(source_id)?.warned,
        after: warned,
      }))
      await countWarned(tx, importId, entity, changes)
      const arrived = ofEntity.reduce((sum, { state, source_id }) => sum + arrivalChange(state, rowOf(source_id)), 0)
      if (isOwn) items = arrived
      else {
        const done = whole.parts.filter(({ record }) => record.entity === entity).length
        await countUp(tx, importId, { entity, items: arrived, done, runId: run.id })
      }
    }
    // A page that is not finished is read again, and its records are counted then.
    const notDone = end && mayBeNotDone(result, end) ? await countNotDone(tx, context, stage, end.page) : 0
    const done = end ? Math.max(0, end.records - notDone) : 0
    await countUp(tx, importId, { entity: stage.entity, items, done, runId: run.id })
    if (!end) {
      // The run makes progress, however slowly.
      if (outcomes.length > 0 && shared === null) await forgetFailures(tx, run)
      return
    }
    if (isFirstReading(stage, run.kind)) {
      await addWarnings(tx, importId, stage.entity, warningsOfMissing(end.page))
      await addSkipped(tx, importId, end.page.skipped ?? {})
    }
    if (end.page.next === null) await endStage(tx, { run, importId }, stage, end.counted)
    else await moveStage(tx, { run }, stage, { cursor: end.page.next, isDone: false })
  })
  tell('records settled', { tool: context.destinationTool, outcomes: countOutcomes(told) })
  if (shared !== null)
    throw new ConnectorFaultError(context.destinationTool, `write(${shared}) gave two records one id`)
}

/** Records that arrived with all their parts, by source id, and these parts. */
interface Whole {
  ids: ReadonlySet<string>
  parts: readonly Sending[]
}

const nothingWhole: Whole = { ids: new Set(), parts: [] }

/** They are counted as done with their parents, whether this run reads them again or not. */
function findWhole(context: RunContext, stage: Stage, { outcomes, sendings }: LotResult): Whole {
  const asked = sendings.filter(({ isWhole }) => isWhole === true)
  if (asked.length === 0) return nothingWhole
  const carried = new Map(carriedBy(context, stage))
  const written = new Set(outcomes.flatMap(({ key, result }) => (result === 'written' ? [key] : [])))
  const partsOf = ({ parts = [] }: Sending) =>
    parts.filter(({ record }) => carried.get(record.entity)?.isUploaded !== true)
  const whole = asked.filter((one) => [one, ...partsOf(one)].every(({ outgoing }) => written.has(outgoing.key)))
  return { ids: new Set(whole.map(({ record }) => record.sourceId)), parts: whole.flatMap(partsOf) }
}

/** Outcomes by entity: the stage's own entity, and the entities of the parts that its records carry. */
function byEntity(own: string, { outcomes, sendings }: LotResult): Map<string, SendOutcome[]> {
  const inside = withParts(sendings).filter(({ position }) => position !== undefined)
  const entities = new Map(inside.map(({ outgoing, record }) => [outgoing.key, record.entity]))
  const sorted = new Map<string, SendOutcome[]>([own, ...entities.values()].map((entity) => [entity, []]))
  for (const outcome of outcomes) sorted.get(entities.get(outcome.key) ?? own)?.push(outcome)
  return sorted
}

async function toOutcomeRows(
  tx: Tx,
  { importId, family }: RunContext,
  entity: string,
  { outcomes, sendings, known }: LotResult,
  state: RunState,
): Promise<OutcomeRow[]> {
  const isTop = entityOf(family, entity).isTop === true
  const all = withParts(sendings).filter(({ record }) => record.entity === entity)
  const byKey = new Map(all.map((sending) => [sending.outgoing.key, sending]))
  const bySource = new Map(all.map(({ record }) => [record.sourceId, record]))
  const nameOf = (sourceId: string) => bySource.get(sourceId)?.fields.name
  const rowOf = (sourceId: string) => known.get(refKey({ entity, sourceId }))
  const told = await tellMerged(tx, importId, entity, outcomes.map(toOutcomeRow(byKey, rowOf, isTop)), {
    nameOf,
    rowOf,
  })
  return state === 'stopped' ? withoutRemoved(tx, importId, entity, told) : told
}

async function recordWithoutOutcome(
  tx: Tx,
  importId: string,
  entity: string,
  { unsent, failed }: Pick<LotResult, 'unsent' | 'failed'>,
): Promise<void> {
  const isOf = ({ record }: Sending) => record.entity === entity
  const ids = unsent.filter(isOf).map(({ record }) => record.sourceId)
  await recordUnsent(tx, importId, entity, ids)
  const failures = failed
    .filter(({ sending }) => isOf(sending))
    .map(({ sending, error }) => ({ sourceId: sending.record.sourceId, message: reasonOf(error) }))
  await recordFailures(tx, importId, entity, failures)
}

/** Whether the page may have records that do not count as done with it. Most pages have none. */
const mayBeNotDone = ({ known, unchanged, sendings }: LotResult, { isWhole }: PageEnd): boolean =>
  !isWhole ||
  sendings.some(({ isIncomplete }) => isIncomplete) ||
  unchanged.some(({ is_incomplete }) => is_incomplete) ||
  known.values().some(({ is_incomplete, carried_at }) => is_incomplete || carried_at !== null)

/**
 * Records of a page whose links are not written yet, which the link stage writes, and records that were counted with the
 * parent that they came inside. A second reading begins with a count without the latter.
 */
async function countNotDone(
  tx: Tx,
  { importId, run, mapping }: RunContext,
  { stage, entity, passes }: Stage,
  page: RecordPage,
): Promise<number> {
  if (stage === 'link' || page.items.length === 0) return 0
  const { entities } = mapping.destination
  const isInside = Object.values(entities).some(({ carries }) => carries?.[entity] && !carries[entity].isUploaded)
  const wasCounted = sql<boolean>`m.carried_at is not null and exists (
    select from id_map p
    where p.import_id = ${importId} and p.entity = m.parent_entity and p.source_id = m.parent_source_id
      and p.whole_in = ${run.id}
  )`
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from unnest(${page.items.map(({ sourceId }) => sourceId)}::text[]) as item(source_id)
    cross join lateral (
      -- Found by its key, one by one; see ledger.ts.
      select * from id_map k
      where k.import_id = ${importId} and k.entity = ${entity} and k.source_id = item.source_id offset 0
    ) m
    where m.is_incomplete or (${isInside && passes === 0 ? wasCounted : sql<boolean>`false`})`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Leaves out records that an undo has removed since the run was stopped. */
async function withoutRemoved(tx: Tx, importId: string, entity: string, outcomes: OutcomeRow[]): Promise<OutcomeRow[]> {
  const refs = outcomes.map(({ source_id }) => ({ entity, sourceId: source_id }))
  const rows = await findRows(tx, importId, refs)
  return outcomes.filter(({ source_id }) => rows.get(refKey({ entity, sourceId: source_id }))?.state !== 'removed')
}

/** The name of the outcome in the metrics. */
function nameOutcome(state: OutcomeRow['state'], before: LedgerRow | undefined): RecordOutcome {
  if (state === 'written') return isInDestination(before) ? 'updated' : 'created'
  return state === 'intended' ? 'unknown' : state
}

/** The change in the number of records in the destination: 1, 0 or -1. */
function arrivalChange(state: OutcomeRow['state'], before: LedgerRow | undefined): number {
  if (state === 'written') return isInDestination(before) ? 0 : 1
  return state === 'deleted' && isInDestination(before) ? -1 : 0
}

/** Whether this is the first full reading of the source. */
const isFirstReading = ({ stage, passes }: Stage, kind: RunContext['run']['kind']): boolean =>
  kind === 'full' && stage === 'write' && passes === 0

/** Warnings about records that the source could not hand out. The page does not have these records. */
function warningsOfMissing(page: RecordPage): WarningCode[] {
  const items = new Set(page.items.map(({ sourceId }) => sourceId))
  return page.warnings.filter(({ sourceId }) => !items.has(sourceId)).flatMap(codesOf)
}
