import type { RecordPage, RecordWarning } from '../connectors/contract/contract.ts'
import { capabilitiesOf } from '../connectors/entity-capabilities.ts'
import { entityOf } from '../families/index.ts'
import type { FamilyRecord } from '../families/record.ts'
import { createRecordBudget } from '../text/budget-text.ts'
import type { PageEnd } from './commit-outcomes.ts'
import { findLinksWithin } from './find-links.ts'
import { intoParts, readInTurn } from './large-pages.ts'
import { isFirstWithMail } from './look-for-mail.ts'
import { orderWaves, relatedTo } from './order-waves.ts'
import { textsOf } from './prepare-records.ts'
import { carriedBy, carriersAtOnce, loadParts, type PartPage } from './read-parts.ts'
import { gatherPages, selectForStage } from './read-stage.ts'
import type { RunContext, Stage } from './run-context.ts'
import type { Slice } from './write-pages.ts'

/** Records that are mapped, announced, sent and settled together: a page of the source, or a part of one. */
export interface PageLot {
  records: FamilyRecord[]
  warnings: readonly RecordWarning[]
  /** A page with the parts that its records can carry. */
  parts: readonly PartPage[]
  /** The lot depends on the one before, or must not be announced early. */
  isAlone: boolean
  /** No other lot is held in memory meanwhile. */
  isLarge: boolean
  /** The customer is asked whether its first record caused a mail. */
  asksAboutMail: boolean
  /** Set with the last lot of a page of the source: then the checkpoint moves. */
  end: Omit<PageEnd, 'counted'> | null
}

/** A large page comes with a turn, which ends when it is worked off. */
interface ReadPage {
  page: RecordPage
  endTurn: (() => void) | null
}

/**
 * The lots of a stage, one page of the source read ahead, unless it is large. A page that was read is worked off, even
 * if the slice is over.
 */
export async function* readLots(
  context: RunContext,
  stage: Stage,
  { isOver, pace, standBack }: Slice,
): AsyncGenerator<PageLot> {
  const gather = (cursor: string | null): Promise<ReadPage> => {
    const reading = readInTurn(() => gatherPages(context, stage, cursor, pace.goal))
    // The failure is handled when the page's turn comes.
    reading.catch(() => {})
    return reading
  }
  // Lots that may still lack outcomes when the next one is mapped.
  let near: RecordPage[] = []
  let ahead: Promise<ReadPage> | null = gather(stage.cursor)
  try {
    while (ahead) {
      const read: ReadPage = await ahead
      const { page, endTurn } = read
      const isLarge: boolean = endTurn !== null
      // Not while this run holds a turn: the run that a customer waits for may need it.
      if (!isLarge) await standBack()
      const following = (): Promise<ReadPage> | null => (page.next === null || isOver() ? null : gather(page.next))
      ahead = isLarge ? null : following()
      const isFree = near.every((other) => isIndependent(context, stage, page, other))
      near = isLarge ? [] : [page, ...near.slice(0, 2)]
      try {
        yield* intoLots(context, stage, page, isFree, isLarge)
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
  isFree: boolean,
  isLarge: boolean,
): AsyncGenerator<PageLot> {
  const unique = [...new Map(page.items.map((item) => [item.sourceId, item])).values()]
  const records = await selectForStage(context, stage, unique)
  const { deliveryClass, concurrency, batchSize } = capabilitiesOf(context.mapping.destination, stage.entity)
  const asksAboutMail = await isFirstWithMail(context, stage)
  // In class D nothing can be looked up later: only records that are sent at once are announced.
  const inFlight = deliveryClass === 'D' ? concurrency * batchSize : Number.POSITIVE_INFINITY
  const loadable = carriedBy(context, stage).length > 0 ? carriersAtOnce : Number.POSITIVE_INFINITY
  const size = asksAboutMail ? 1 : Math.min(inFlight, loadable)
  const waves = orderWaves(records, await namesAtOnce(context, stage, records))
  const parts = waves.flatMap((wave) => intoParts(wave, size))
  const isAlone = isLarge || !isFree || waves.length > 1 || asksAboutMail || deliveryClass === 'D'
  for (const [index, part] of parts.entries()) {
    let left = part.length
    for await (const loaded of loadParts(context, stage, part)) {
      left -= loaded.records.length
      const isLast = index === parts.length - 1 && left === 0
      yield {
        ...loaded,
        warnings: page.warnings,
        isLarge,
        isAlone,
        asksAboutMail,
        end: isLast ? { page, records: records.length, isWhole: loaded.records.length === unique.length } : null,
      }
    }
  }
}

/** A page can be mapped while the one before is written, unless it refers to records of that one. */
function isIndependent(context: RunContext, stage: Stage, page: RecordPage, before: RecordPage): boolean {
  const { fields, secondPass = [] } = entityOf(context.family, stage.entity)
  const needsItself = Object.entries(fields).some(
    ([name, { to = [] }]) => to.includes(stage.entity) && !secondPass.includes(name),
  )
  const written = new Set(before.items.map(({ sourceId }) => sourceId))
  const isMetAgain = page.items.some(({ sourceId }) => written.has(sourceId))
  return !needsItself && !isMetAgain && !needsAtOnce(context, stage)
}

const entityIn = ({ mapping }: RunContext, { entity }: Stage) => mapping.destination.entities[entity]
const fixedRelationsOf = (context: RunContext, stage: Stage) => entityIn(context, stage)?.fixedRelations ?? []
const hasFixedTexts = (context: RunContext, stage: Stage) =>
  Object.values(entityIn(context, stage)?.fields ?? {}).some(({ isFixed }) => isFixed)

/** Whether these records have values that cannot change later. Records that such a value names must be written before. */
const needsAtOnce = (context: RunContext, stage: Stage) =>
  fixedRelationsOf(context, stage).length > 0 || hasFixedTexts(context, stage)

/** For each record, the records of the page that must be written before it; null if the order does not matter. */
async function namesAtOnce(context: RunContext, stage: Stage, records: readonly FamilyRecord[]) {
  if (records.length < 2 || !needsAtOnce(context, stage)) return null
  const written = records.map((record) => ({ record, texts: textsOf(record), budget: createRecordBudget() }))
  const linked = hasFixedTexts(context, stage) ? await findLinksWithin(context, written) : null
  const relations = fixedRelationsOf(context, stage)
  return (record: FamilyRecord) => [...relatedTo(relations, record), ...(linked?.get(record.sourceId) ?? [])]
}
