import type { RecordPage, RecordWarning } from '../connectors/contract/contract.ts'
import { capabilitiesOf } from '../connectors/entity-capabilities.ts'
import { entityOf } from '../families/index.ts'
import type { FamilyRecord } from '../families/record.ts'
import { createRecordBudget } from '../text/budget-text.ts'
import type { PageEnd } from './commit-outcomes.ts'
import { findLinked, namesOf } from './find-links.ts'
import { readInTurn, splitBySize } from './large-pages.ts'
import { refKey } from './ledger.ts'
import { isFirstWithMail } from './look-for-mail.ts'
import { orderWaves, relatedTo } from './order-waves.ts'
import { textsOf } from './prepare-records.ts'
import { carriedBy, carriersAtOnce, loadParts, type PartPage } from './read-parts.ts'
import { gatherPages, selectForStage } from './read-stage.ts'
import type { RunContext, Stage } from './run-context.ts'
import type { Slice } from './write-pages.ts'

/** The most lots before one that may lack outcomes when it is mapped. */
const mostUnsettled = 3

/** Records that are mapped, announced, sent and settled together: a page of the source, or some records of a page. */
export interface PageLot {
  records: FamilyRecord[]
  warnings: readonly RecordWarning[]
  /** The parts that these records can carry. */
  parts: PartPage[]
  /** Whether the lot needs outcomes of the lot before, or must not be announced early. */
  waitsForPrevious: boolean
  /** Whether the texts are so long that no other lot may be in memory meanwhile. */
  isLarge: boolean
  /** Whether the customer is asked if the first record caused a mail. */
  asksAboutMail: boolean
  /** Set with the last lot of a page. Then the checkpoint moves. */
  end: Omit<PageEnd, 'counted'> | null
}

/** A page that was read. A large page holds a turn until all its lots are settled. */
interface ReadPage {
  page: RecordPage
  endTurn: (() => void) | null
}

/**
 * Reads the pages of a stage and cuts them into lots. The next page is read ahead, except after a large page. Every page
 * that was read is handed out, even if the slice is over, unless it has to wait for other records.
 */
export async function* readLots(
  context: RunContext,
  stage: Stage,
  { isOver, pace, standBack, mayWrite }: Slice,
): AsyncGenerator<PageLot> {
  const gather = (cursor: string | null): Promise<ReadPage> => {
    const reading = readInTurn(() => gatherPages(context, stage, cursor, pace.goal))
    // The failure is handled when the page's turn comes.
    reading.catch(() => {})
    return reading
  }
  // Pages whose records may still lack outcomes when the next page is mapped.
  let recent: RecordPage[] = []
  const lots: RecentLots = []
  let ahead: Promise<ReadPage> | null = gather(stage.cursor)
  try {
    while (ahead) {
      const read: ReadPage = await ahead
      const { page, endTurn } = read
      const isLarge: boolean = endTurn !== null
      if (mayWrite && !(await mayWrite(page.items, isLarge))) return
      // Not while this run holds a turn: the run that a customer waits for may need it.
      if (!isLarge) await standBack()
      const following = (): Promise<ReadPage> | null => (page.next === null || isOver() ? null : gather(page.next))
      ahead = isLarge ? null : following()
      const canOverlap = recent.every((other) => isIndependent(context, stage, page, other))
      recent = isLarge ? [] : [page, ...recent.slice(0, 2)]
      try {
        yield* intoLots(context, stage, page, { canOverlap, isLarge, recent: lots })
      } finally {
        endTurn?.()
      }
      if (!isLarge) continue
      await standBack()
      ahead = following()
    }
  } finally {
    // No step will use the page that was read ahead.
    void ahead?.then(({ endTurn }) => endTurn?.()).catch(() => {})
  }
}

async function* intoLots(
  context: RunContext,
  stage: Stage,
  page: RecordPage,
  { canOverlap, isLarge, recent }: { canOverlap: boolean; isLarge: boolean; recent: RecentLots },
): AsyncGenerator<PageLot> {
  const unique = [...new Map(page.items.map((item) => [item.sourceId, item])).values()]
  const records = await selectForStage(context, stage, unique)
  const { deliveryClass, concurrency, batchSize } = capabilitiesOf(context.mapping.destination, stage.entity)
  const asksAboutMail = await isFirstWithMail(context, stage)
  // In class D no record can be found later, so only records that are sent at once are announced together.
  const inFlight = deliveryClass === 'D' ? concurrency * batchSize : Number.POSITIVE_INFINITY
  const loadable = carriedBy(context, stage).length > 0 ? carriersAtOnce : Number.POSITIVE_INFINITY
  const size = asksAboutMail ? 1 : Math.min(inFlight, loadable)
  const named = await findNamed(context, stage.entity, records)
  const waves = orderWaves(records, named.size === 0 ? null : namedAmong(records, named))
  const pieces = waves.flatMap((wave) => splitBySize(wave, size))
  const hasFixed = [stage.entity, ...carriedBy(context, stage).map(([carried]) => carried)].some((entity) => {
    const { relations, hasTexts } = fixedIn(context, entity)
    return relations.length > 0 || hasTexts
  })
  const waits = isLarge || !canOverlap || waves.length > 1 || asksAboutMail || deliveryClass === 'D'
  for (const [index, piece] of pieces.entries()) {
    let left = piece.length
    for await (const loaded of loadParts(context, stage, piece)) {
      left -= loaded.records.length
      const isLast = index === pieces.length - 1 && left === 0
      const isNamed = hasFixed && (await namesRecent(context, loaded, named, recent))
      yield {
        ...loaded,
        warnings: page.warnings,
        isLarge,
        waitsForPrevious: waits || isNamed,
        asksAboutMail,
        end: isLast ? { page, records: records.length, isWhole: loaded.records.length === unique.length } : null,
      }
    }
  }
}

/** Whether a page can be mapped while an earlier page is written: it neither refers to nor repeats records of that page. */
function isIndependent(context: RunContext, stage: Stage, page: RecordPage, before: RecordPage): boolean {
  const { fields, secondPass = [] } = entityOf(context.family, stage.entity)
  const needsItself = Object.entries(fields).some(
    ([name, { to = [] }]) => to.includes(stage.entity) && !secondPass.includes(name),
  )
  const written = new Set(before.items.map(({ sourceId }) => sourceId))
  const isMetAgain = page.items.some(({ sourceId }) => written.has(sourceId))
  return !needsItself && !isMetAgain
}

/** Records that were handed out and may still lack outcomes, by their names: those of the lots before. */
type RecentLots = ReadonlySet<string>[]

/** Values of records that the destination cannot change later. The records that they name must be written first. */
const fixedIn = ({ mapping }: RunContext, entity: string) => {
  const { fixedRelations = [], fields = {} } = mapping.destination.entities[entity] ?? {}
  return { relations: fixedRelations, hasTexts: Object.values(fields).some(({ isFixed }) => isFixed) }
}

/** The names of the records that each of these names in such values, by its id. */
async function findNamed(
  context: RunContext,
  entity: string,
  records: readonly FamilyRecord[],
): Promise<Map<string, Set<string>>> {
  const { relations, hasTexts } = fixedIn(context, entity)
  const withTexts = hasTexts ? records : []
  const named = await findLinked(
    context,
    withTexts.map((record) => ({ record, texts: textsOf(record), budget: createRecordBudget() })),
  )
  for (const record of relations.length === 0 ? [] : records)
    for (const sourceId of relatedTo(relations, record))
      named.set(record.sourceId, (named.get(record.sourceId) ?? new Set()).add(refKey({ entity, sourceId })))
  return named
}

/** For each record, the ids of the others among these that it names. */
function namedAmong(records: readonly FamilyRecord[], named: ReadonlyMap<string, Set<string>>) {
  const idOf = new Map(records.flatMap((record) => namesOf(record).map((name) => [name, record.sourceId])))
  return ({ sourceId }: FamilyRecord) => [...(named.get(sourceId) ?? [])].flatMap((name) => idOf.get(name) ?? [])
}

/** Whether a lot names records of the lots before it. It then counts as one of them. */
async function namesRecent(
  context: RunContext,
  { records, parts }: Pick<PageLot, 'records' | 'parts'>,
  named: ReadonlyMap<string, Set<string>>,
  recent: RecentLots,
): Promise<boolean> {
  const names = records.flatMap(({ sourceId }) => [...(named.get(sourceId) ?? [])])
  for (const page of parts)
    for (const some of (await findNamed(context, page.entity, page.records)).values()) names.push(...some)
  const isNamed = names.some((name) => recent.some((lot) => lot.has(name)))
  recent.unshift(new Set([...records, ...parts.flatMap((page) => page.records)].flatMap(namesOf)))
  recent.splice(mostUnsettled)
  return isNamed
}
