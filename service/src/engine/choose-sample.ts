import { entityOf, familyDefinitions } from '../families/index.ts'
import type { FamilyRecord, FieldValue, RecordRef } from '../families/record.ts'
import { findRows, stateKey } from './ledger.ts'
import type { RunContext } from './run-context.ts'

const perEntity = 20
/** How many pages are looked at before the choice is made. */
const pagesLookedAt = 10

/** Chooses what a sample takes of one entity, and what those records refer to, so that nothing hangs in the air. */
export async function chooseSample(context: RunContext, stage: { position: number; entity: string }): Promise<void> {
  const { run, reader, family } = context
  const records: FamilyRecord[] = []
  let cursor: string | null = null
  for (let page = 0; page < pagesLookedAt; page++) {
    const { items, next } = await reader.read(stage.entity, cursor, {})
    records.push(...items)
    cursor = next
    if (cursor === null) break
  }
  const tops = familyDefinitions[family].entities.filter(({ isTop }) => isTop).map(({ name }) => name)
  const chosen = chooseForCoverage(records, perEntity)
  const refs = [
    ...chosen.map(({ entity, sourceId }) => ({ entity, sourceId })),
    ...chosen.flatMap(referencesOf).filter(({ entity }) => tops.includes(entity)),
  ]
  const unique = [...new Map(refs.map((ref) => [stateKey(ref), ref])).values()]
  await run.lease.commit(async (tx) => {
    if (unique.length > 0) {
      await tx
        .insertInto('sample_records')
        .values(unique.map(({ entity, sourceId }) => ({ import_id: run.importId, entity, source_id: sourceId })))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
    await tx
      .updateTable('run_stages')
      .set({ is_done: true })
      .where('run_id', '=', run.id)
      .where('position', '=', stage.position)
      .execute()
  })
}

/** Of a page, what belongs to the run: for a sample, what was chosen and what hangs on it; otherwise all of it. */
export async function withinSample(
  context: RunContext,
  entityName: string,
  records: FamilyRecord[],
): Promise<FamilyRecord[]> {
  const { db, run, family } = context
  const entity = entityOf(family, entityName)
  if (run.kind !== 'sample' || records.length === 0) return records
  if (entity.isTop) {
    const rows = await db
      .selectFrom('sample_records')
      .select('source_id')
      .where('import_id', '=', run.importId)
      .where('entity', '=', entityName)
      .where(
        'source_id',
        'in',
        records.map(({ sourceId }) => sourceId),
      )
      .execute()
    const chosen = new Set(rows.map((row) => row.source_id))
    return records.filter(({ sourceId }) => chosen.has(sourceId))
  }
  const { parent } = entity
  if (parent === undefined) return records
  const parentOf = (record: FamilyRecord) => (record.fields[parent] ?? null) as RecordRef | null
  const known = await findRows(
    db,
    run.importId,
    records.flatMap((record) => parentOf(record) ?? []),
  )
  return records.filter((record) => {
    const ref = parentOf(record)
    return ref !== null && known.has(stateKey(ref))
  })
}

/** The extremes first, each of which shows something that the others do not; the rest spread evenly. */
export function chooseForCoverage(records: FamilyRecord[], count: number): FamilyRecord[] {
  if (records.length <= count) return records
  const most = (score: (record: FamilyRecord) => number) =>
    records.reduce((best, record) => (score(record) > score(best) ? record : best))
  const extremes = [
    records[0],
    records.at(-1),
    most((record) => Object.keys(record.customFields ?? {}).length),
    most((record) => Object.values(record.fields).filter((value) => value !== null).length),
    most((record) => -Object.values(record.fields).filter((value) => value !== null).length),
    most((record) => JSON.stringify(record.fields).length),
    // Beyond Latin: other scripts and emoji.
    most((record) => (JSON.stringify(record.fields).match(/[^\p{Script=Latin}\p{ASCII}]/gu) ?? []).length),
    most((record) => (JSON.stringify(record.fields).match(/<[a-z]/gi) ?? []).length),
    most((record) => referencesOf(record).length),
  ]
  const spread = Array.from({ length: count }, (_, index) => records[Math.floor((index * records.length) / count)])
  const chosen = [...extremes, ...spread].filter((record) => record !== undefined)
  return [...new Map(chosen.map((record) => [record.sourceId, record])).values()].slice(0, count)
}

function referencesOf(record: FamilyRecord): RecordRef[] {
  const values = Object.values(record.fields).flat() as FieldValue[]
  return values.filter(
    (value): value is RecordRef => typeof value === 'object' && value !== null && 'sourceId' in value,
  )
}
