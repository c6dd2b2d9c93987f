import type { RecordPage } from '../connectors/contract.ts'
import { familyDefinitions } from '../families/index.ts'
import type { FamilyRecord, FieldValue, RecordRef } from '../families/record.ts'
import { isWanted } from '../mapping/filter-record.ts'
import { stateKey } from './ledger.ts'
import { moveStage } from './move-stage.ts'
import type { RunContext, Stage } from './run-context.ts'
import { lookAt } from './stuck-page.ts'

const perEntity = 20
/** How many pages are looked at before the choice is made. */
const pagesLookedAt = 10

/** Chooses what a sample takes of one entity, and what those records refer to, so that nothing hangs in the air. */
export async function chooseSample(context: RunContext, stage: Stage): Promise<void> {
  const { run, reader, family, mapping } = context
  const records: FamilyRecord[] = []
  let cursor: string | null = null
  for (let page = 0; page < pagesLookedAt; page++) {
    const at = cursor
    const { items, next } = await lookAt(context, () => reader.read(stage.entity, at, {}))
    records.push(...items.filter((record) => isWanted(record, mapping.changes)))
    cursor = next
    if (cursor === null) break
  }
  const tops = familyDefinitions[family].entities.filter(({ isTop }) => isTop).map(({ name }) => name)
  const chosen = await addNamed(context, stage.entity, chooseForCoverage(records, perEntity), records)
  const hanging = await readHanging(context, stage.entity, chosen)
  const refs = [
    ...chosen.map(({ entity, sourceId }) => ({ entity, sourceId })),
    ...[...chosen, ...hanging].flatMap(referencesOf).filter(({ entity }) => tops.includes(entity)),
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
    await moveStage(tx, context, stage, { cursor: null, isDone: true })
  })
}

/** What the customer has named comes along with what it refers to, like everything else. */
async function addNamed(
  context: RunContext,
  entity: string,
  chosen: FamilyRecord[],
  met: FamilyRecord[],
): Promise<FamilyRecord[]> {
  const { run, reader } = context
  const ids = (run.options.records ?? []).filter((record) => record.entity === entity).map(({ source_id }) => source_id)
  if (ids.length === 0) return chosen
  const { readSome } = reader
  const named = readSome
    ? (await lookAt(context, () => readSome(entity, { ids }, null))).items
    : met.filter(({ sourceId }) => ids.includes(sourceId))
  return [...new Map([...chosen, ...named].map((record) => [record.sourceId, record])).values()]
}

/** What hangs on the chosen records: whom it refers to comes along, too. */
async function readHanging(context: RunContext, entity: string, chosen: FamilyRecord[]): Promise<FamilyRecord[]> {
  const { reader, family } = context
  const { readSome } = reader
  const hanging: FamilyRecord[] = []
  for (const { name, parent, fields } of familyDefinitions[family].entities) {
    if (!readSome || parent === undefined || !fields[parent]?.to?.includes(entity)) continue
    let cursor: string | null = null
    for (let page = 0; page < pagesLookedAt * 10; page++) {
      const at: string | null = cursor
      const read: RecordPage = await lookAt(context, () => readSome(name, { parents: chosen }, at))
      hanging.push(...read.items)
      cursor = read.next
      if (cursor === null) break
    }
  }
  return hanging
}

/** The extremes first, each of which shows something that the others do not; the rest spread evenly. */
export function chooseForCoverage(records: FamilyRecord[], count: number): FamilyRecord[] {
  if (records.length <= count) return records
  const most = (score: (record: FamilyRecord) => number) =>
    records.reduce((best, record) => (score(record) > score(best) ? record : best))
  const extremes = [
    records[0],
    records.at(-1),
    // The longest thread and the most files, where the tool tells.
    ...childEntities(records).map((entity) => most((record) => record.childCounts?.[entity] ?? 0)),
    most((record) => Object.keys(record.customFields ?? {}).length),
    most((record) => Object.values(record.fields).filter((value) => value !== null).length),
    most((record) => -Object.values(record.fields).filter((value) => value !== null).length),
    most((record) => JSON.stringify(record.fields).length),
    // Beyond Latin: other scripts and emoji.
    most((record) => (JSON.stringify(record.fields).match(/[^\p{Script=Latin}\p{ASCII}]/gu) ?? []).length),
    most((record) => (JSON.stringify(record.fields).match(/<[a-z]/gi) ?? []).length),
    most((record) => referencesOf(record).length),
    // Nobody's.
    records.find(
      (record) =>
        !Object.values(record.fields)
          .flat()
          .some((value) => isUser(value)),
    ),
  ]
  const spread = Array.from({ length: count }, (_, index) => records[Math.floor((index * records.length) / count)])
  const chosen = [...extremes, ...spread].filter((record) => record !== undefined)
  return [...new Map(chosen.map((record) => [record.sourceId, record])).values()].slice(0, count)
}

const isUser = (value: unknown) => typeof value === 'object' && value !== null && 'userId' in value

const childEntities = (records: FamilyRecord[]) => [
  ...new Set(records.flatMap(({ childCounts = {} }) => Object.keys(childCounts))),
]

function referencesOf(record: FamilyRecord): RecordRef[] {
  const values = Object.values(record.fields).flat() as FieldValue[]
  return values.filter(
    (value): value is RecordRef => typeof value === 'object' && value !== null && 'sourceId' in value,
  )
}
