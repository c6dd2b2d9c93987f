import { setImmediate as turn } from 'node:timers/promises'
import type { RecordPage } from '../connectors/contract/contract.ts'
import { familyDefinitions } from '../families/index.ts'
import type { FamilyRecord, FieldValue, RecordRef } from '../families/record.ts'
import { chosenShare, findFreeRecords } from '../imports/covered-records.ts'
import { isWanted } from '../mapping/filter-record.ts'
import { askInParts, withinPage } from '../outbound/ask-for-less.ts'
import { refKey } from './ledger.ts'
import { moveStage } from './move-stage.ts'
import { pagesOf } from './read-by-ids.ts'
import type { RunContext, Stage } from './run-context.ts'
import { lookAt } from './stuck-page.ts'

const perEntity = 20
/** Pages that are read before the records of a sample are chosen. */
const pagesLookedAt = 10

/** Chooses the records of one entity for a sample, and the records they refer to, so that no relation stays open. */
export async function chooseSample(context: RunContext, stage: Stage): Promise<void> {
  const { run, reader, family, mapping } = context
  const records: FamilyRecord[] = []
  let cursor: string | null = null
  for (let page = 0; page < pagesLookedAt; page++) {
    const at = cursor
    const { items, next } = await lookAt(context, () => reader.read(stage.entity, at, {}))
    records.push(...items.filter((record) => isWanted(record, mapping.changes)).map(withoutTexts))
    cursor = next
    if (cursor === null) break
  }
  const tops = familyDefinitions[family].entities.filter(({ isTop }) => isTop).map(({ name }) => name)
  const free = await findFreeRecords(context.db, run.importId)
  const most = free.chosen === null ? perEntity : Math.ceil(perEntity * chosenShare)
  const covering = await chooseWithReasons(records, most)
  const { chosen, named } = await addNamed(context, stage.entity, [...covering.keys()], records)
  const reasonOf = (key: string) => {
    const record = chosen.find((one) => refKey(one) === key)
    return record ? (covering.get(record) ?? 'named') : null
  }
  const childReferences = await readChildReferences(context, stage.entity, chosen)
  const bundles = new Map(chosen.map((record) => [refKey(record), [record, ...referencesOf(record)] as RecordRef[]]))
  for (const refs of childReferences) {
    for (const ref of refs) bundles.get(refKey(ref))?.push(...refs)
  }
  const taken = [...bundles].map(([key, refs]) => ({
    refs: refs.filter(({ entity }) => tops.includes(entity)),
    left: named.has(key) ? free.left : free.leftToChoose,
  }))
  const unique = await withinAllowance(context, taken)
  await run.lease.commit(async (tx) => {
    if (unique.length > 0) {
      await tx
        .insertInto('sample_records')
        .values(
          unique.map((ref) => ({
            import_id: run.importId,
            entity: ref.entity,
            source_id: ref.sourceId,
            reason: reasonOf(refKey(ref)),
          })),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
    await moveStage(tx, context, stage, { cursor: null, isDone: true })
  })
}

interface Bundle {
  refs: RecordRef[]
  /** The number of records that may still be added; null: any number. */
  left: number | null
}

/** Takes records with the records they refer to, up to the free number. Records of earlier samples cost nothing. */
async function withinAllowance({ db, importId }: RunContext, bundles: Bundle[]): Promise<RecordRef[]> {
  const taken = await db
    .selectFrom('sample_records')
    .select(['entity', 'source_id'])
    .where('import_id', '=', importId)
    .execute()
  const known = new Set(taken.map(({ entity, source_id }) => refKey({ entity, sourceId: source_id })))
  const added = new Map<string, RecordRef>()
  for (const { refs, left } of bundles) {
    const news = refs.filter((ref) => !known.has(refKey(ref)) && !added.has(refKey(ref)))
    const size = new Set(news.map(refKey)).size
    if (left !== null && added.size + size > left) continue
    for (const { entity, sourceId } of news) added.set(refKey({ entity, sourceId }), { entity, sourceId })
  }
  return [...added.values()]
}

/** Adds the records that the customer named, with the records they refer to. */
async function addNamed(
  context: RunContext,
  entity: string,
  chosen: FamilyRecord[],
  met: FamilyRecord[],
): Promise<{ chosen: FamilyRecord[]; named: ReadonlySet<string> }> {
  const { run, reader } = context
  const ids = (run.options.records ?? []).filter((record) => record.entity === entity).map(({ source_id }) => source_id)
  if (ids.length === 0) return { chosen, named: new Set() }
  const { readSome } = reader
  const named = readSome
    ? await askInParts(ids, async (some) => {
        const found: FamilyRecord[] = []
        const read = (at: string | null) => lookAt(context, () => readSome(entity, { ids: some }, at))
        for await (const { items } of pagesOf(read)) found.push(...items.map(withoutTexts))
        return found
      })
    : met.filter(({ sourceId }) => ids.includes(sourceId))
  const all = new Map([...named, ...chosen].map((record) => [record.sourceId, record]))
  return { chosen: [...all.values()], named: new Set(named.map(refKey)) }
}

/** Reads the children of the chosen records, and the records that these refer to. */
async function readChildReferences(
  context: RunContext,
  entity: string,
  chosen: FamilyRecord[],
): Promise<RecordRef[][]> {
  const { reader, family } = context
  const { readSome } = reader
  const references: RecordRef[][] = []
  for (const { name, parent, fields } of familyDefinitions[family].entities) {
    if (!readSome || parent === undefined || !fields[parent]?.to?.includes(entity)) continue
    references.push(
      ...(await askInParts(chosen, async (parents) => {
        const found: RecordRef[][] = []
        let cursor: string | null = null
        for (let page = 0; page < pagesLookedAt * 10; page++) {
          const at: string | null = cursor
          const read = (): Promise<RecordPage> =>
            // One page at a time: only its references are kept.
            withinPage(at === null ? parents.length : 1, () => readSome(name, { parents }, at))
          const { items, next } = await lookAt(context, read)
          found.push(...items.map(referencesOf))
          cursor = next
          if (cursor === null) break
        }
        return found
      })),
    )
  }
  return references
}

/** Records that are scored in one go. */
const atOnce = 50
/** Characters of a text that are enough to tell its script and its share of markup. */
const charactersLookedAt = 2_000

/** Why a record was chosen: it has the most of something, or it stands for the others. */
export type SampleReason =
  | 'all'
  | 'first'
  | 'last'
  | 'children'
  | 'custom_fields'
  | 'fullest'
  | 'emptiest'
  | 'longest'
  | 'other_script'
  | 'formatting'
  | 'references'
  | 'nobody'
  | 'spread'
  | 'named'

export async function chooseForCoverage(records: FamilyRecord[], count: number): Promise<FamilyRecord[]> {
  return [...(await chooseWithReasons(records, count)).keys()]
}

/** The extremes first, each of which shows something that the others do not; the rest spread evenly. */
async function chooseWithReasons(records: FamilyRecord[], count: number): Promise<Map<FamilyRecord, SampleReason>> {
  if (records.length <= count) return new Map(records.map((record) => [record, 'all']))
  const scored: { record: FamilyRecord; score: Score }[] = []
  for (const record of records) {
    if (scored.length % atOnce === atOnce - 1) await turn()
    scored.push({ record, score: scoreOf(record) })
  }
  const most = (weigh: (score: Score) => number) =>
    scored.reduce((best, other) => (weigh(other.score) > weigh(best.score) ? other : best)).record
  const childEntities = new Set(scored.flatMap(({ score }) => Object.keys(score.childCounts)))
  const extremes: [SampleReason, FamilyRecord | undefined][] = [
    ['first', records[0]],
    ['last', records.at(-1)],
    // The longest thread and the most files, where the tool tells.
    ...[...childEntities].map((entity): [SampleReason, FamilyRecord] => [
      'children',
      most(({ childCounts }) => childCounts[entity] ?? 0),
    ]),
    ['custom_fields', most(({ customFields }) => customFields)],
    ['fullest', most(({ filled }) => filled)],
    ['emptiest', most(({ filled }) => -filled)],
    ['longest', most(({ characters }) => characters)],
    ['other_script', most(({ beyondLatin }) => beyondLatin)],
    ['formatting', most(({ tags }) => tags)],
    ['references', most(({ references }) => references)],
    ['nobody', scored.find(({ score }) => score.isOfNobody)?.record],
  ]
  const spread = Array.from({ length: count }, (_, index): [SampleReason, FamilyRecord | undefined] => [
    'spread',
    records[Math.floor((index * records.length) / count)],
  ])
  const chosen = new Map<string, [FamilyRecord, SampleReason]>()
  for (const [reason, record] of [...extremes, ...spread]) {
    if (record && !chosen.has(record.sourceId) && chosen.size < count) chosen.set(record.sourceId, [record, reason])
  }
  return new Map(chosen.values())
}

interface Score {
  childCounts: Record<string, number>
  customFields: number
  filled: number
  characters: number
  /** Signs of other scripts, and emoji. */
  beyondLatin: number
  tags: number
  references: number
  isOfNobody: boolean
}

/** Scores of records whose long texts were dropped. */
const scores = new WeakMap<FamilyRecord, Score>()
/** Texts up to this length are kept. */
const shortText = 200

/** The record with its score, without its long texts: many are looked at, and few are chosen. */
function withoutTexts(record: FamilyRecord): FamilyRecord {
  const cut = (value: FieldValue): FieldValue => {
    if (typeof value === 'string' && value.length > shortText) return ''
    return typeof value === 'object' && value !== null && 'body' in value ? null : value
  }
  const fields = Object.entries(record.fields).map(([name, value]) => [name, Array.isArray(value) ? value : cut(value)])
  const { customFields: _cut, ...rest } = record
  const slim: FamilyRecord = { ...rest, fields: Object.fromEntries(fields) }
  scores.set(slim, scoreOf(record))
  return slim
}

/** Scores a record. Of each text it reads the beginning only. */
function scoreOf(record: FamilyRecord): Score {
  const known = scores.get(record)
  if (known) return known
  const fields = Object.values(record.fields)
  const values = fields.flat() as FieldValue[]
  const texts = values.flatMap((value) => {
    if (typeof value === 'string') return [value]
    return typeof value === 'object' && value !== null && 'body' in value ? [value.body] : []
  })
  const heads = texts.map((text) => text.slice(0, charactersLookedAt))
  const count = (pattern: RegExp) => heads.reduce((sum, head) => sum + (head.match(pattern)?.length ?? 0), 0)
  return {
    childCounts: record.childCounts ?? {},
    customFields: Object.keys(record.customFields ?? {}).length,
    filled: fields.filter((value) => value !== null).length,
    characters: texts.reduce((sum, text) => sum + text.length, 0),
    beyondLatin: count(/[^\p{Script=Latin}\p{ASCII}]/gu),
    tags: count(/<[a-z]/gi),
    references: referencesOf(record).length,
    isOfNobody: !values.some((value) => typeof value === 'object' && value !== null && 'userId' in value),
  }
}

function referencesOf(record: FamilyRecord): RecordRef[] {
  const values = Object.values(record.fields).flat() as FieldValue[]
  return values.filter(
    (value): value is RecordRef => typeof value === 'object' && value !== null && 'sourceId' in value,
  )
}
