import type { EntityChanges } from '../db/mapping-changes.ts'
import type { Db, Tx } from '../db/open-database.ts'
import type { CountedEntity } from '../db/payment-tables.ts'
import { type Family, familyDefinitions } from '../families/index.ts'
import { findChanges, findNewest } from '../mapping/save-changes.ts'

/** The records that count for policy and price. */
export interface RecordCount {
  counted: CountedEntity[]
  records: number
  /** A part of the number is estimated from the records that the plan has read. */
  isEstimated: boolean
  /** The customer has changed a filter since the plan. Until the next plan, records that it leaves out count too. */
  hasUncountedFilters: boolean
}

/** Without a total of the source, reaching this number means that there may be more records. */
const certainUpTo = 1_000

/** The entities that count for the price; comments, files and other parts are copied without being counted. */
export const countedEntities = (family: Family): string[] =>
  familyDefinitions[family].entities.filter(({ isTop }) => isTop).map(({ name }) => name)

/** The records that a run would move, by the finished plan and the newest mapping; null without such a plan. */
export async function countRecords(db: Db | Tx, importId: string): Promise<RecordCount | null> {
  const plan = await db
    .selectFrom('plans')
    .innerJoin('runs', 'runs.id', 'plans.run_id')
    .innerJoin('imports', 'imports.id', 'plans.import_id')
    .select(['plans.destination', 'runs.mapping_version', 'runs.state', 'imports.family'])
    .where('plans.import_id', '=', importId)
    .executeTakeFirst()
  if (plan?.state !== 'finished') return null
  const entities = await db
    .selectFrom('plan_entities')
    .select(['entity', 'total', 'looked_at', 'wanted'])
    .where('import_id', '=', importId)
    .execute()
  const { changes: now } = await findNewest(db, importId)
  const then = await findChanges(db, importId, plan.mapping_version)
  const count: RecordCount = { counted: [], records: 0, isEstimated: false, hasUncountedFilters: false }
  for (const name of countedEntities(plan.family)) {
    const found = entities.find(({ entity }) => entity === name)
    const rules = now.entities?.[name]
    if (!found || plan.destination.entities[name] === undefined || rules?.include === false) continue
    const total = found.total ?? found.looked_at
    if (found.total === null && found.looked_at >= certainUpTo) count.isEstimated = true
    let records = total
    if (hasFilters(rules)) {
      if (filtersOf(rules) !== filtersOf(then.entities?.[name])) {
        count.hasUncountedFilters = true
      } else if (found.looked_at >= total) {
        records = found.wanted
      } else {
        records = found.looked_at === 0 ? total : Math.ceil((total * found.wanted) / found.looked_at)
        count.isEstimated = true
      }
    }
    if (records === 0) continue
    count.counted.push({ entity: name, records })
    count.records += records
  }
  return count
}

export function hasFilters(rules: EntityChanges | undefined): boolean {
  return rules !== undefined && filtersOf(rules) !== filtersOf(undefined)
}

function filtersOf({ created_after, created_before, only = {} }: EntityChanges = {}): string {
  const fields = Object.entries(only).map(([field, values]) => [field, [...values].sort()] as const)
  return JSON.stringify([created_after ?? null, created_before ?? null, fields.sort(([a], [b]) => (a < b ? -1 : 1))])
}
