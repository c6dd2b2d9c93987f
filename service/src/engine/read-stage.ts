import { sql } from 'kysely'
import type { RecordPage, Wanted } from '../connectors/contract/contract.ts'
import { capabilitiesOf } from '../connectors/entity-capabilities.ts'
import { joinSkipped } from '../connectors/kit/count-skipped.ts'
import { AnswerTooLongError } from '../errors.ts'
import { entityOf } from '../families/index.ts'
import type { FamilyRecord, RecordRef } from '../families/record.ts'
import { withinPage } from '../outbound/ask-for-less.ts'
import type { WarningCode } from '../warnings/codes.ts'
import { charactersOf, mostCharacters } from './large-pages.ts'
import { findRows, refKey } from './ledger.ts'
import type { RunContext, Stage } from './run-context.ts'
import { isPageFailure, SourcePageError } from './source-page-error.ts'
import { countFailures } from './stuck-page.ts'

/** Records that one request to the source asks for by id. */
const idsAtOnce = 100
/** Records whose children are asked for together. */
const parentsAtOnce = 20

/** The position of a stage that reads only some records: the last record, and the tool's own cursor. */
interface SomeCursor {
  after: { entity: string; sourceId: string } | null
  inner: string | null
  /** Set while fewer records are asked for at once, because the source fails at one of them, or they are long. */
  most?: number
}

/** The beginning of a cursor that holds a `SomeCursor`. */
const someMark = 'some:'
/** The position of a delta before the first change, after the records below parents that only this run sends. */
const changesMark = 'changes:'

/** After this many failures in a row fewer records are asked for at once, until the one is found that fails. */
const failuresUntilFewer = 3

/** The most records that are worked on at once, however short they are. */
const mostRecords = 500
/** After this many pages without a record the checkpoint moves, so that a pause or a stop is noticed. */
const mostEmptyPages = 50

/** Reads pages of the source until they have about `goal` records, and joins them into one page. */
export async function gatherPages(
  context: RunContext,
  stage: Stage,
  cursor: string | null,
  goal: number,
): Promise<RecordPage> {
  const gathered: RecordPage = { items: [], warnings: [], next: cursor }
  const { batchSize, concurrency } = capabilitiesOf(context.mapping.destination, stage.entity)
  const atOnce = batchSize * concurrency
  // As many records as fill all requests that the destination allows at once.
  const most = Math.max(1, Math.floor(mostRecords / atOnce)) * Math.min(atOnce, mostRecords)
  let characters = 0
  let pages = 0
  let emptyPages = 0
  do {
    const page = await readStage(context, stage, gathered.next).catch((error: unknown) => {
      // Earlier pages are written first. Then the checkpoint stands exactly at the page that fails.
      if (pages > 0 && error instanceof SourcePageError) return null
      throw error
    })
    if (page === null) break
    pages++
    gathered.items.push(...page.items)
    gathered.warnings.push(...page.warnings)
    gathered.skipped = joinSkipped(gathered.skipped, page.skipped)
    gathered.next = page.next
    characters += page.items.reduce((sum, record) => sum + charactersOf(record), 0)
    emptyPages = page.items.length === 0 ? emptyPages + 1 : 0
    if (emptyPages >= mostEmptyPages) break
  } while (gathered.next !== null && gathered.items.length < Math.min(goal, most) && characters < mostCharacters)
  return gathered
}

/**
 * The next page of the stage. A sample, a retry and the link stage ask only for the records that they need, and so does
 * the stage of parts that mostly went inside their parents. If the source cannot be asked for single records, everything
 * is read, and `selectForStage` picks the records.
 *
 * A delta reads changes. Before them, it reads all records below a parent that arrives only now: older ones have not
 * changed, and newer ones must follow them.
 */
async function readStage(context: RunContext, stage: Stage, cursor: string | null): Promise<RecordPage> {
  const { reader, run } = context
  const { readSome } = reader
  const isFirst = cursor === null
  const readsSome = isFirst
    ? needsOnlySome(context, stage) || readsLateFirst(context, stage) || (await readsRest(context, stage))
    : cursor.startsWith(someMark)
  if (!readSome || !readsSome) {
    const readsAll = run.since === null || (!readSome && (await hasLateParents(context, stage)))
    const options = readsAll ? {} : { since: String(run.since?.toISOString()) }
    const at = cursor === changesMark ? null : cursor
    return reader.read(stage.entity, at, options).catch((error: unknown) => {
      if (!isPageFailure(error)) throw error
      throw new SourcePageError(stage, { cursor, after: reader.after?.(stage.entity, at) ?? null }, error)
    })
  }
  const position: SomeCursor =
    cursor === null ? { after: null, inner: null } : JSON.parse(cursor.slice(someMark.length))
  const wanted = await nextWanted(context, stage, position.after)
  const refs = wanted.refs.slice(0, position.most ?? wanted.refs.length)
  if (refs.length === 0) return { items: [], warnings: [], next: readsLateFirst(context, stage) ? changesMark : null }
  let isTooLong = false
  let { inner } = position
  for (let most = refs.length; ; most = Math.ceil(most / 2)) {
    const some = refs.slice(0, most)
    const last = some.at(-1) ?? null
    // The next records are probably as long as these.
    const done: SomeCursor = { after: last, inner: null, ...(isTooLong && { most: most * 2 }) }
    try {
      const page = await withinPage(inner === null ? most : 1, () =>
        readSome(stage.entity, wanted.toWanted(some), inner),
      )
      const isWhole = most === wanted.refs.length
      const next = page.next === null ? done : { ...position, inner: page.next, ...(!isWhole && { most }) }
      return { ...page, next: toCursor(next) }
    } catch (error) {
      if (!isPageFailure(error)) throw error
      const isLong = error instanceof AnswerTooLongError
      isTooLong ||= isLong
      const isFewer = most > 1 && ((isLong && inner === null) || (await countFailures(context)) >= failuresUntilFewer)
      if (isFewer) {
        // Only the tool knows whose records come after its cursor, so fewer are asked for from their beginning.
        inner = null
        continue
      }
      const isByParent = 'parents' in wanted.toWanted(some)
      const named = some.map(({ entity, sourceId }) => (isByParent ? `of ${entity} ${sourceId}` : sourceId))
      throw new SourcePageError(stage, { cursor, after: toCursor(done), named }, error)
    }
  }
}

const toCursor = (position: SomeCursor): string => `${someMark}${JSON.stringify(position)}`

function needsOnlySome({ run, family }: RunContext, { stage, entity }: Stage): boolean {
  if (stage === 'link' || run.kind === 'retry') return true
  const { isTop, parent } = entityOf(family, entity)
  return run.kind === 'sample' && (isTop === true || parent !== undefined)
}

/** Whether the stage reads changes only, of records that belong to others. */
const readsLateFirst = ({ run, family }: RunContext, { stage, entity }: Stage): boolean =>
  run.kind === 'delta' && run.since !== null && stage === 'write' && entityOf(family, entity).parent !== undefined

/**
 * Whether the stage reads only the parts that did not go inside their parents. It needs a source that has no parts
 * without a parent: these would be missed, and a count shows them only if no other part has gone from the source
 * meanwhile. A source's list may be shorter than the lists below many parents, so most parents must have arrived with
 * all parts.
 */
async function readsRest(context: RunContext, stage: Stage): Promise<boolean> {
  const { db, importId, run, mapping, reader, family, nested } = context
  const { parent, fields } = entityOf(family, stage.entity)
  const [carrier, another] = fields[parent ?? '']?.to ?? []
  const carried = mapping.destination.entities[carrier ?? '']?.carries?.[stage.entity]
  const isCarried = carried !== undefined && carried.isUploaded !== true && another === undefined
  if (!isCarried || !reader.readSome || carrier === undefined) return false
  if (run.kind !== 'full' || run.since !== null || stage.stage !== 'write' || stage.passes > 0) return false
  if (!nested.has(stage.entity)) return false
  const { rows } = await sql<{ isMost: boolean }>`
    select count(*) filter (where whole_in = ${run.id}) * 2 > count(*)
      -- The parts of records on a page that was left out are listed by the source all the same.
      and not exists (
        select from run_stages s
        where s.run_id = ${run.id} and s.entity = ${carrier} and s.stage = 'write' and s.skipped > 0
      ) as "isMost"
    from id_map where import_id = ${importId} and entity = ${carrier}`.execute(db)
  return rows[0]?.isMost === true
}

/** Parents that this run brings into the destination, or that it could not bring there: a retry may still do so. */
const isLate = ({ id }: RunContext['run']) =>
  sql<boolean>`(arrived_in = ${id} or (run_id = ${id} and state in ('intended', 'refused', 'held')))`

async function hasLateParents(context: RunContext, stage: Stage): Promise<boolean> {
  return readsLateFirst(context, stage) && (await nextWanted(context, stage, null)).refs.length > 0
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
    .limit(idsAtOnce)
  if (stage.stage === 'link') return byIds(await rowsOf.where('is_incomplete', '=', true).execute())
  if (run.kind === 'retry') {
    const isMended = run.options.remap ? isMendable : sql<boolean>`false`
    const corrected = Object.keys(correctionsOf(context, stage.entity))
    const isCorrected = sql<boolean>`(state = 'written' and source_id = any(${corrected}::text[]))`
    const isRetried = sql<boolean>`(state in ('refused', 'held', 'intended', 'deleted') or ${isRefusedUpdate} or ${isMended} or ${isCorrected})`
    return byIds(await rowsOf.where(isRetried).execute())
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
        .limit(idsAtOnce)
        .execute(),
    )
  }
  const parents = await db
    .selectFrom('id_map')
    .select(['entity', 'source_id'])
    .where('import_id', '=', importId)
    .where('entity', 'in', [...(entity.fields[entity.parent]?.to ?? [])])
    .where((eb) =>
      run.kind === 'delta'
        ? isLate(run)
        : run.kind === 'full'
          ? sql<boolean>`whole_in is distinct from ${run.id}`
          : eb.or([eb('state', 'in', ['written', 'matched']), eb('run_id', '=', run.id)]),
    )
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

/** Values that the customer typed, by source id. A retry copies these records. */
const correctionsOf = ({ mapping }: RunContext, entity: string) => mapping.changes.entities?.[entity]?.corrections ?? {}

/** Warnings of a record in the destination whose later change was refused. */
const ofRefusedUpdates: readonly WarningCode[] = ['refused', 'not_protected']
const isRefusedUpdate = sql<boolean>`(state = 'written' and warned && ${[...ofRefusedUpdates]}::text[])`

/** Warnings that another choice of people, fields or values can end. */
const mendable: readonly WarningCode[] = [
  'user_kept_as_name',
  'user_not_matched',
  'user_replaced',
  'option_not_offered',
  'value_does_not_fit',
  'text_cut',
  'only_first_kept',
]

/** The record is in the destination, with a loss that another choice can mend. */
const isMendable = sql<boolean>`(state = 'written' and warned && ${[...mendable]}::text[])`

/** Picks the records of a page that the stage works on. */
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
    const corrections = correctionsOf(context, entityName)
    const retriedStates = ['refused', 'held', ...(send_unknown ? ['intended'] : []), ...(bring_back ? ['deleted'] : [])]
    return records.filter((record) => {
      const row = rows.get(refKey(record))
      if (!row) return false
      if (stage === 'link') return row.is_incomplete
      const warnedOf = (codes: readonly WarningCode[]) => row.warned?.some((code) => codes.includes(code)) === true
      const isMended = run.options.remap === true && row.state === 'written' && warnedOf(mendable)
      const isRefused = row.state === 'written' && warnedOf(ofRefusedUpdates)
      const isCorrected = row.state === 'written' && Object.hasOwn(corrections, record.sourceId)
      return (
        isRefused || isCorrected || isMended || retriedStates.includes(row.state) || isUnderWay(row.state, row.code)
      )
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
    const row = ref === null ? undefined : known.get(refKey(ref))
    // Records that an undo removed, or that only an earlier run met, are not part of this sample.
    return row !== undefined && (row.state === 'written' || row.state === 'matched' || row.run_id === run.id)
  })
}

/** The record was sent and has no outcome yet. A retry that was interrupted has to finish it. */
const isUnderWay = (state: string, code: string | null) => state === 'intended' && code === null
