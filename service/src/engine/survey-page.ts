import { sql } from 'kysely'
import type { FieldSurvey } from '../db/schema.ts'
import { entityOf } from '../families/index.ts'
import type { FamilyRecord } from '../families/record.ts'
import { hasFilters } from '../imports/count-records.ts'
import { customName } from '../mapping/changes.ts'
import { countAudiences } from '../mapping/count-unprotected.ts'
import { isWanted } from '../mapping/filter-record.ts'
import { moveStage } from './move-stage.ts'
import type { RunContext, Stage } from './run-context.ts'
import { lookAt } from './stuck-page.ts'

/** So many records of an entity are looked at, not more: a plan should not take as long as the migration. */
const looksAt = 1_000
/** With filters more of them, as the price and who pays may depend on how many they let through. */
const looksAtFiltered = 20_000
/** Different values of an option field that are told apart. */
const mostValues = 200
/** What is longer is no choice, and would fill the plan. */
const longestValue = 500

/** Reads one page of an entity, and notes how its fields are filled. */
export async function surveyPage(context: RunContext, stage: Stage): Promise<void> {
  const { db, run, importId, reader } = context
  const { entity, cursor } = stage
  const before = await db
    .selectFrom('plan_entities')
    .select(['looked_at', 'wanted', 'fields', 'audiences'])
    .where('import_id', '=', importId)
    .where('entity', '=', entity)
    .executeTakeFirst()
  const page = await lookAt(context, () => reader.read(entity, cursor, {}))
  const lookedAt = (before?.looked_at ?? 0) + page.items.length
  const { changes } = context.mapping
  const wantedRecords = page.items.filter((record) => isWanted(record, changes))
  const wanted = (before?.wanted ?? 0) + wantedRecords.length
  const audiences = countAudiences(entityOf(context.family, entity), wantedRecords, before?.audiences ?? {})
  const limit = hasFilters(changes.entities?.[entity]) ? looksAtFiltered : looksAt
  const fields = survey(context, entity, page.items, before?.fields ?? {})
  const moments = page.items.flatMap(({ createdAt }) => createdAt ?? []).sort()
  await run.lease.commit(async (tx) => {
    await sql`
      insert into plan_entities as p (import_id, entity, looked_at, wanted, oldest, newest, fields, audiences)
      values (${importId}, ${entity}, ${lookedAt}, ${wanted}, ${moments[0] ?? null}, ${moments.at(-1) ?? null}, ${JSON.stringify(fields)},
        ${JSON.stringify(audiences)})
      on conflict (import_id, entity) do update set looked_at = excluded.looked_at, wanted = excluded.wanted, fields = excluded.fields,
        audiences = excluded.audiences,
        oldest = least(p.oldest, excluded.oldest), newest = greatest(p.newest, excluded.newest)`.execute(tx)
    await moveStage(tx, context, stage, {
      cursor: page.next,
      isDone: page.next === null || lookedAt >= limit,
    })
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
