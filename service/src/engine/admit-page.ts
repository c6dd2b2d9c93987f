import type { Tx } from '../db/open-database.ts'
import { ObstacleError } from '../errors.ts'
import { entityOf } from '../families/index.ts'
import { countedEntities, countRecords } from '../imports/count-records.ts'
import { admitRecords, type Coverage, findCoverage, findShortage } from '../imports/covered-records.ts'
import type { DecidedPage } from './decide-page.ts'
import { asideIntent } from './decide-records.ts'
import { refKey } from './ledger.ts'
import type { RunContext } from './run-context.ts'

/**
 * Takes the records that nobody pays for out of a page, in the transaction that announces the others. A sample goes on
 * without them. So does a run whose customer asked for that. Any other run pauses until somebody pays.
 */
export async function admitPage(
  tx: Tx,
  { importId, run, family }: RunContext,
  entity: string,
  page: DecidedPage,
): Promise<DecidedPage> {
  if (!entityOf(family, entity).isTop) return page
  const uncounted = page.send.filter(({ record }) => page.known.get(refKey(record))?.is_counted !== true)
  if (uncounted.length === 0) return page
  const { admitted, coverage } = await admitRecords(tx, importId, uncounted.length)
  if (admitted === uncounted.length) return page
  const left = new Set(uncounted.slice(admitted))
  const rest = { ...page, send: page.send.filter((sending) => !left.has(sending)) }
  if (run.kind !== 'sample' && run.options.only_covered !== true) return { ...rest, shortage: coverage }
  const code = run.kind === 'sample' ? 'beyond_sample' : 'not_paid'
  return {
    ...rest,
    aside: [...page.aside, ...[...left].map(({ record, parent }) => asideIntent(record, parent, code))],
  }
}

/** Counts the source again, so that the customer sees how many records are left to pay for. */
export async function countAnew({ run, importId, family, reader }: RunContext): Promise<void> {
  const entities = countedEntities(family)
  const counts = await Promise.all(entities.map(async (name) => [name, (await reader.count(name))[name]] as const))
  await run.lease.commit(async (tx) => {
    for (const [entity, total] of counts) {
      if (total === undefined) continue
      await tx
        .updateTable('plan_entities')
        .set({ total })
        .where('import_id', '=', importId)
        .where('entity', '=', entity)
        .execute()
    }
  })
}

/** Says how many records were moved, how many may be, and how many there are. */
async function toNotPaidObstacle(context: RunContext, { moved, upTo }: Coverage): Promise<ObstacleError> {
  const counted = (await countRecords(context.db, context.importId))?.records ?? null
  const covered = upTo ?? moved
  const total = counted === null ? '' : ` of ${counted}`
  return new ObstacleError(
    'records_not_paid',
    'customer',
    `${moved}${total} records were copied, and ${covered} may be: those that are paid for or sponsored and a quarter more, but at least the free records of a sample. Pay for the others, ask the partner to pay, or finish without them.`,
    { records: { moved, covered, counted } },
  )
}

/** The obstacle for a page with records that nobody pays for. */
export async function toShortageObstacle(context: RunContext, coverage: Coverage): Promise<ObstacleError> {
  // If the source does not answer now, the pause shows the last known numbers.
  await countAnew(context).catch(() => {})
  return toNotPaidObstacle(context, coverage)
}

/** Counts the source again before anything is written, so that the customer sees the price before the migration. */
export async function requireCoverage(context: RunContext): Promise<void> {
  const { db, importId, run } = context
  if (run.kind !== 'full' || run.options.only_covered === true) return
  const coverage = await findCoverage(db, importId)
  if (coverage.upTo === null) return
  await countAnew(context)
  if (await findShortage(db, importId)) throw await toNotPaidObstacle(context, coverage)
}
