import type { RecordPage } from '../connectors/contract/contract.ts'
import { customName } from '../db/mapping-changes.ts'
import type { Tx } from '../db/open-database.ts'
import type { FieldSurvey } from '../db/schema.ts'
import { entityOf } from '../families/index.ts'
import type { FamilyRecord } from '../families/record.ts'
import { hasFilters } from '../imports/count-records.ts'
import { countAudiences } from '../mapping/count-unprotected.ts'
import { isWanted } from '../mapping/filter-record.ts'
import { foreseeLosses } from './foresee-losses.ts'
import { forgetFates } from './forget-fates.ts'
import { moveStage } from './move-stage.ts'
import { addForeseen, closeOpen, countNamed, findOpen, findPlanned, storeFates } from './plan-findings.ts'
import { pagesOf } from './read-by-ids.ts'
import type { RunContext, Stage } from './run-context.ts'
import { lookAt } from './stuck-page.ts'

/** The most records of an entity that a plan reads: a plan must not take as long as the migration. */
const looksAt = 1_000
/** The same with filters: the price may depend on how many records they let through. */
const looksAtFiltered = 20_000
/** Different values of an option field that are told apart. */
const mostValues = 200
/** A longer value is no choice, and would fill the plan. */
const longestValue = 500

/** Reads one page of an entity, and notes which fields are filled and which losses a run would have. */
export async function surveyPage(context: RunContext, stage: Stage): Promise<void> {
  const { db, run, importId, reader } = context
  const { entity, cursor } = stage
  // The first page replaces the findings of an earlier plan.
  const planned = await findPlanned(db, importId, entity)
  const before = cursor === null ? undefined : planned
  const page = await lookAt(context, () => reader.read(entity, cursor, {}))
  const lookedAt = (before?.looked_at ?? 0) + page.items.length
  const { changes } = context.mapping
  const wanted = page.items.filter((record) => isWanted(record, changes))
  const limit = hasFilters(changes.entities?.[entity]) ? looksAtFiltered : looksAt
  const moments = page.items.flatMap(({ createdAt }) => createdAt ?? [])
  const times = [...moments.map((moment) => new Date(moment)), before?.oldest ?? [], before?.newest ?? []].flat()
  const spread = times.map((time) => time.getTime()).sort((a, b) => a - b)
  const at = (time: number | undefined) => (time === undefined ? null : new Date(time))
  const foreseen = await foreseeLosses(context, entity, page, { isLastPass: false })
  const audiences = countAudiences(entityOf(context.family, entity), wanted, before?.audiences ?? {})
  const found = {
    looked_at: lookedAt,
    wanted: (before?.wanted ?? 0) + wanted.length,
    oldest: at(spread[0]),
    newest: at(spread.at(-1)),
    fields: JSON.stringify(survey(context, entity, page.items, before?.fields ?? {})),
    audiences: JSON.stringify(audiences),
    // A source that counts more than it hands out may have more; so may one whose page always fails.
    is_read_whole: page.next === null && lookedAt >= (planned?.total ?? 0),
    ...addForeseen(before, foreseen),
  }
  await run.lease.commit(async (tx) => {
    if (cursor === null) await forgetFates(tx, importId, entity)
    await tx
      .insertInto('plan_entities')
      .values({ import_id: importId, entity, ...found })
      .onConflict((conflict) => conflict.columns(['import_id', 'entity']).doUpdateSet(found))
      .execute()
    await storeFates(tx, importId, foreseen.fates)
    await countNamed(tx, run, wanted)
    await moveStage(tx, context, stage, {
      cursor: page.next,
      isDone: page.next === null || lookedAt >= limit,
    })
  })
}

/** Records that a second look asks for in one request. */
const openAtOnce = 100

/**
 * Maps records again that refer to records of later pages, now that the fates of those are known. If the source allows
 * it, only these records are asked for.
 */
export async function foreseeAgain(context: RunContext, stage: Stage): Promise<void> {
  const { db, run, importId, reader } = context
  const { entity, cursor } = stage
  const { readSome } = reader
  const open = await findOpen(db, importId, entity, readSome ? openAtOnce : looksAtFiltered)
  if (!readSome) {
    const page = await lookAt(context, () => reader.read(entity, cursor, {}))
    const to = { cursor: page.next, isDone: page.next === null }
    return foreseeOpen(context, entity, new Set(open), page, (tx) => moveStage(tx, context, stage, to))
  }
  const read = (at: string | null) => lookAt(context, () => readSome(entity, { ids: open }, at))
  for await (const page of pagesOf(read)) await foreseeOpen(context, entity, new Set(open), page)
  await run.lease.commit(async (tx) => {
    // Deleted records are not asked for again.
    await closeOpen(tx, importId, entity, open)
    await moveStage(tx, context, stage, { cursor: null, isDone: open.length < openAtOnce })
  })
}

async function foreseeOpen(
  context: RunContext,
  entity: string,
  open: ReadonlySet<string>,
  page: RecordPage,
  move: (tx: Tx) => Promise<void> = async () => {},
): Promise<void> {
  const { db, run, importId } = context
  const before = await findPlanned(db, importId, entity)
  const items = page.items.filter(({ sourceId }) => open.has(sourceId))
  const foreseen = await foreseeLosses(context, entity, { ...page, items }, { isLastPass: true })
  await run.lease.commit(async (tx) => {
    await tx
      .updateTable('plan_entities')
      .set(addForeseen(before, foreseen))
      .where('import_id', '=', importId)
      .where('entity', '=', entity)
      .execute()
    await storeFates(tx, importId, foreseen.fates)
    await move(tx)
  })
}

function survey(
  { family }: RunContext,
  entityName: string,
  records: FamilyRecord[],
  before: Record<string, FieldSurvey>,
): Record<string, FieldSurvey> {
  const definitions = entityOf(family, entityName).fields
  const fields = new Map(Object.entries(before).map(([name, field]) => [name, structuredClone(field)]))
  const meet = (name: string, value: unknown, isOption: boolean) => {
    const values = (Array.isArray(value) ? value : [value]).filter((single) => single !== null && single !== '')
    const field = fields.get(name) ?? { filled: 0 }
    fields.set(name, field)
    if (values.length === 0) return
    field.filled++
    if (!isOption) return
    field.values ??= {}
    for (const single of values.map(String)) {
      if (single.length > longestValue) continue
      const isNew = !Object.hasOwn(field.values, single)
      if (!isNew || Object.keys(field.values).length < mostValues)
        field.values[single] = (field.values[single] ?? 0) + 1
    }
  }
  for (const record of records) {
    for (const [name, value] of Object.entries(record.fields)) meet(name, value, definitions[name]?.type === 'option')
    for (const [key, { type, value }] of Object.entries(record.customFields ?? {})) {
      meet(customName(key), value, type === 'option')
    }
  }
  return Object.fromEntries(fields)
}
