import type { RecordPage, Wanted } from '../connectors/contract.ts'
import { entityOf } from '../families/index.ts'
import type { FamilyRecord, RecordRef } from '../families/record.ts'
import { findRows, stateKey } from './ledger.ts'
import type { RunContext, Stage } from './run-context.ts'

/** Records asked for by name in one request to the source. */
const chunk = 100
/** Records whose children are asked for together. */
const parentsAtOnce = 20

/** Where a stage stands that reads only some records: after which of them, and the tool's own position within. */
interface SomeCursor {
  after: { entity: string; sourceId: string } | null
  inner: string | null
}

const mark = 'some:'

/** However short they are, more records than this are not worked on at once; nor more text. */
const mostRecords = 500
const mostCharacters = 4 * 1024 * 1024

/** Pages of the source until there are about `goal` records, as one. */
export async function gatherPages(
  context: RunContext,
  stage: Stage,
  cursor: string | null,
  goal: number,
): Promise<RecordPage> {
  const gathered: RecordPage = { items: [], warnings: [], next: cursor }
  const { batchSize, concurrency } = context.mapping.destination.capabilities
  const atOnce = batchSize * concurrency
  // As many as fill all requests that the destination bears at once.
  const most = Math.max(1, Math.floor(mostRecords / atOnce)) * Math.min(atOnce, mostRecords)
  let characters = 0
  do {
    const page = await readStage(context, stage, gathered.next)
    gathered.items.push(...page.items)
    gathered.warnings.push(...page.warnings)
    gathered.next = page.next
    characters += page.items.reduce((sum, record) => sum + charactersOf(record), 0)
  } while (gathered.next !== null && gathered.items.length < Math.min(goal, most) && characters < mostCharacters)
  return gathered
}

/** About how much text a record holds. */
function charactersOf({ fields }: FamilyRecord): number {
  let sum = 0
  for (const value of Object.values(fields)) {
    if (typeof value === 'string') sum += value.length
    else if (typeof value === 'object' && value !== null && 'body' in value) sum += value.body.length
  }
  return sum
}

/**
 * The next page of what the stage is about. A sample, a retry and the second pass ask only for what they need, where
 * the source can be asked so; otherwise everything is read, and `selectForStage` picks them.
 */
async function readStage(context: RunContext, stage: Stage, cursor: string | null): Promise<RecordPage> {
  const { reader, run } = context
  const readsSome =
    reader.readSome !== undefined && (cursor === null ? isPartial(context, stage) : cursor.startsWith(mark))
  if (!readsSome || !reader.readSome) {
    return reader.read(stage.entity, cursor, run.since === null ? {} : { since: run.since.toISOString() })
  }
  const { after, inner }: SomeCursor =
    cursor === null ? { after: null, inner: null } : JSON.parse(cursor.slice(mark.length))
  const refs = await nextWanted(context, stage, after)
  const last = refs.refs.at(-1)
  if (!last) return { items: [], warnings: [], next: null }
  const page = await reader.readSome(stage.entity, refs.toWanted(refs.refs), inner)
  const next: SomeCursor = page.next === null ? { after: last, inner: null } : { after, inner: page.next }
  return { ...page, next: `${mark}${JSON.stringify(next)}` }
}

function isPartial({ run, family }: RunContext, { stage, entity }: Stage): boolean {
  if (stage === 'link' || run.kind === 'retry') return true
  const { isTop, parent } = entityOf(family, entity)
  return run.kind === 'sample' && (isTop === true || parent !== undefined)
}

async function nextWanted(
  context: RunContext,
  stage: Stage,
  after: RecordRef | null,
): Promise<{ refs: RecordRef[]; toWanted(refs: RecordRef[]): Wanted }> {
  const { db, importId, run, family } = context
  const byIds = (rows: { source_id: string }[]) => ({
    refs: rows.map(({ source_id }) => ({ entity: stage.entity, sourceId: source_id })),
    toWanted: (refs: RecordRef[]): Wanted => ({ ids: refs.map(({ sourceId }) => sourceId) }),
  })
  const entity = entityOf(family, stage.entity)
  const rowsOf = db
    .selectFrom('id_map')
    .select('source_id')
    .where('import_id', '=', importId)
    .where('entity', '=', stage.entity)
    .$if(after !== null, (query) => query.where('source_id', '>', String(after?.sourceId)))
    .orderBy('source_id')
    .limit(chunk)
  if (stage.stage === 'link') return byIds(await rowsOf.where('is_incomplete', '=', true).execute())
  if (run.kind === 'retry') {
    return byIds(await rowsOf.where('state', 'in', ['refused', 'held', 'intended', 'deleted']).execute())
  }
  if (entity.parent === undefined) {
    return byIds(
      await db
        .selectFrom('sample_records')
        .select('source_id')
        .where('import_id', '=', importId)
        .where('entity', '=', stage.entity)
        .$if(after !== null, (query) => query.where('source_id', '>', String(after?.sourceId)))
        .orderBy('source_id')
        .limit(chunk)
        .execute(),
    )
  }
  const parents = await db
    .selectFrom('id_map')
    .select(['entity', 'source_id'])
    .where('import_id', '=', importId)
    .where('entity', 'in', [...(entity.fields[entity.parent]?.to ?? [])])
    .where((eb) => eb.or([eb('state', 'in', ['written', 'matched']), eb('run_id', '=', run.id)]))
    .$if(after !== null, (query) =>
      query.where((eb) =>
        eb(eb.refTuple('entity', 'source_id'), '>', eb.tuple(String(after?.entity), String(after?.sourceId))),
      ),
    )
    .orderBy('entity')
    .orderBy('source_id')
    .limit(parentsAtOnce)
    .execute()
  return {
    refs: parents.map(({ entity: name, source_id }) => ({ entity: name, sourceId: source_id })),
    toWanted: (refs) => ({ parents: refs }),
  }
}

/** The records of a page that the stage is about. */
export async function selectForStage(
  context: RunContext,
  { stage, entity: entityName }: Stage,
  records: FamilyRecord[],
): Promise<FamilyRecord[]> {
  const { db, importId, run, family } = context
  if (records.length === 0 || (stage !== 'link' && run.kind !== 'retry' && run.kind !== 'sample')) return records
  const entity = entityOf(family, entityName)
  if (stage === 'link' || run.kind === 'retry') {
    const rows = await findRows(db, importId, records)
    const { send_unknown, bring_back } = run.options
    const retried = ['refused', 'held', ...(send_unknown ? ['intended'] : []), ...(bring_back ? ['deleted'] : [])]
    return records.filter((record) => {
      const row = rows.get(stateKey(record))
      if (!row) return false
      return stage === 'link' ? row.is_incomplete : retried.includes(row.state) || isUnderWay(row.state, row.code)
    })
  }
  if (entity.isTop) {
    const rows = await db
      .selectFrom('sample_records')
      .select('source_id')
      .where('import_id', '=', importId)
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
    importId,
    records.flatMap((record) => parentOf(record) ?? []),
  )
  return records.filter((record) => {
    const ref = parentOf(record)
    const row = ref === null ? undefined : known.get(stateKey(ref))
    // What an undo has removed, or only an earlier run has met, is no part of this sample.
    return row !== undefined && (row.state === 'written' || row.state === 'matched' || row.run_id === run.id)
  })
}

/** Sent, with no outcome yet: a retry that was broken off has to finish it. */
const isUnderWay = (state: string, code: string | null) => state === 'intended' && code === null
