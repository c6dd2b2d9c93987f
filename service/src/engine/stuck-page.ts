import { sql } from 'kysely'
import type { RecordPage } from '../connectors/contract/contract.ts'
import type { Db, Tx } from '../db/open-database.ts'
import type { Obstacle } from '../db/schema.ts'
import { BudgetSpentError, isLimit, RetryableError } from '../errors.ts'
import type { WarningCode } from '../warnings/codes.ts'
import { countMet } from './end-stage.ts'
import { forgetFailures } from './move-stage.ts'
import type { RunContext } from './run-context.ts'
import { isPageFailure, type SourcePageError } from './source-page-error.ts'
import { addWarnings, warnOfAll } from './warnings.ts'

/** After this many failures in a row at the same page somebody is asked. With the pauses between, about four minutes. */
const failuresUntilStuck = 8
/** Fewer for a fault of the connector, which repeats itself. */
const stumblesUntilStuck = 5

/** A page that the source fails to return again and again, though it answers otherwise. */
export interface StuckPage {
  page: SourcePageError
  obstacle: Obstacle
  /** Records of the entity that were not met, by the source's own count; null where it does not count. */
  unmet: number | null
}

export async function countFailures({ db, run }: { db: Db; run: Pick<RunContext['run'], 'id'> }): Promise<number> {
  const row = await db.selectFrom('runs').select('failures').where('id', '=', run.id).executeTakeFirst()
  return row?.failures ?? 0
}

/** Null if the failure may be chance, or if the source is down: then the run waits. */
export async function findStuck(context: RunContext, page: SourcePageError): Promise<StuckPage | null> {
  if (!(await isStuck(context, page.cause))) return null
  const { db, importId, reader, sourceLabel } = context
  const { entity } = page.stage
  const counts = await reader.count(entity).catch((): Record<string, number | null> => ({}))
  const counted = counts[entity] ?? null
  const met = await countMet(db, importId, entity)
  const message = `${sourceLabel} fails to return ${describePage(page)} (${describeCause(page.cause)}). ${describeMet(entity, met, counted)} We keep trying. You can skip this page: its records are left out, and everything else goes on.`
  return {
    page,
    obstacle: { code: 'source_page_failing', must_act: 'customer', message, role: 'source', can_skip: true },
    unmet: counted === null ? null : Math.max(0, counted - met),
  }
}

/**
 * Reads a page for a plan or a sample. If the page always fails, the reading ends there, and the plan or sample goes on
 * with the records read so far.
 */
export function lookAt(context: RunContext, read: () => Promise<RecordPage>): Promise<RecordPage> {
  return lookUntilStuck(context, read, { items: [], warnings: [], next: null })
}

/** Returns `other` if the look fails again and again while the source answers other requests. */
export async function lookUntilStuck<T, Other>(
  context: RunContext,
  look: () => Promise<T>,
  other: Other,
  isHopeless = isStuck,
): Promise<T | Other> {
  try {
    return await look()
  } catch (error) {
    if (!isPageFailure(error) || !(await isHopeless(context, error))) throw error
    return other
  }
}

/** Failures of one transfer until the run goes on without it, if both tools answer otherwise. */
const failuresUntilLeft = 3

/** The same for a transfer between both tools: whether it fails again and again while both answer other requests. */
export const isTransferStuck = async (context: RunContext, error: unknown): Promise<boolean> =>
  !isLimit(error) && (await isStuck(context, error, failuresUntilLeft)) && isAnswered(() => context.writer.users(null))

/** Moves the stage past the page, in the caller's transaction, and warns of the missing records. */
export async function leaveOut(tx: Tx, { run }: Pick<RunContext, 'run'>, { page, unmet }: StuckPage): Promise<void> {
  const { stage, cursor, after, named } = page
  const moved = await tx
    .updateTable('run_stages')
    .set({ cursor: after, is_done: after === null, skipped: sql`skipped + 1` })
    .where('run_id', '=', run.id)
    .where('position', '=', stage.position)
    .where(sql<boolean>`cursor is not distinct from ${cursor}`)
    .executeTakeFirst()
  if (moved.numUpdatedRows === 0n) return
  if (after === null) {
    await warnOfAll(tx, run.importId, stage.entity, 'source_rest_skipped', Math.max(1, unmet ?? 1))
  } else {
    // At the end of the entity the source's count tells how many they were.
    const times = Math.max(1, named.length)
    await addWarnings(tx, run.importId, stage.entity, Array<WarningCode>(times).fill('source_page_skipped'))
  }
  await forgetFailures(tx, run)
}

async function isStuck(
  context: RunContext,
  error: unknown,
  most = error instanceof RetryableError ? failuresUntilStuck : stumblesUntilStuck,
): Promise<boolean> {
  // The source was not even asked for the page, or this process stops.
  if (error instanceof BudgetSpentError || (error as Error)?.name === 'AbortError') return false
  return (await countFailures(context)) + 1 >= most && answersOtherwise(context)
}

/** Whether the source answers the simplest requests. */
export async function answersOtherwise({ reader }: RunContext): Promise<boolean> {
  return (await isAnswered(() => reader.users(null))) || (await isAnswered(() => reader.count()))
}

const isAnswered = (ask: () => Promise<unknown>): Promise<boolean> =>
  ask().then(
    () => true,
    () => false,
  )

const plural = (entity: string) => entity.replaceAll('_', ' ')

function describePage({ stage, cursor, named }: SourcePageError): string {
  const entity = plural(stage.entity)
  if (named.length > 0) return `${entity} ${named.slice(0, 5).join(', ')}`
  return cursor === null ? `the first ${entity}` : `the next ${entity}`
}

function describeCause(cause: unknown): string {
  if (!(cause instanceof RetryableError)) return 'its answer could not be understood'
  return cause.message.replace(/^a tool /, 'it ')
}

function describeMet(entity: string, met: number, counted: number | null): string {
  const seen = counted === null ? String(met) : `${met} of ${counted}`
  return `So far we have read ${seen} ${plural(entity)}.`
}
