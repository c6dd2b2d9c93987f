import type { FamilyRecord } from '../families/record.ts'
import { recordAnnounced } from '../imports/record-announced.ts'
import { toShortageObstacle } from './admit-page.ts'
import { recordUnsent } from './change-ledger.ts'
import { commitIntents, type IntendedPage } from './commit-intents.ts'
import { commitOutcomes } from './commit-outcomes.ts'
import { type DecidedPage, decidePage } from './decide-page.ts'
import { countSource } from './end-stage.ts'
import { isFirstWithMail } from './look-for-mail.ts'
import { type PageLot, readLots } from './read-lots.ts'
import type { RunContext, Stage } from './run-context.ts'
import { type Sent, sendBatches } from './send-batches.ts'
import { withParts } from './sending.ts'

export interface Slice {
  isOver(): boolean
  /** Records that the destination takes in half a second: few commits for a quick one, early commits for a slow one. */
  pace: { goal: number }
  /** Rests while a customer waits for another run of this process. */
  standBack(): Promise<void>
  /** Waits until a page may be written. Resolves with false if the slice ends instead. */
  mayWrite?(records: readonly FamilyRecord[], isLarge: boolean): Promise<boolean>
}

const wantedPageMs = 500

/** The steps of one lot after reading. Each waits for the same step of the lot before. */
interface LotSteps {
  /** Mapped and decided. */
  decided: Promise<DecidedPage & { counted: number | null }>
  intended: Promise<IntendedPage>
  /** Also fulfilled if some records were not sent. Every sent record has its outcome. */
  sent: Promise<Sent>
  /** Outcomes are committed. Rejected if any step of this lot or of an earlier one failed. */
  settled: Promise<void>
}

/**
 * Writes the pages of a stage until the stage is done or the slice is over: read → map → decide → intend → send →
 * settle. Pages are cut into lots, and lots overlap: while one lot is sent, the lot before is settled, the lot after is
 * announced, the next is mapped, and one more page is read. A crash at any point leaves the old checkpoint. The page is
 * then read again, and the ledger tells which records may have been sent.
 */
export async function writePages(context: RunContext, stage: Stage, slice: Slice): Promise<void> {
  const lots: LotSteps[] = []
  const measure = measurePace(slice)
  try {
    for await (const lot of readLots(context, stage, slice)) {
      const [previous, secondLast] = [lots.at(-1), lots.at(-2)]
      lots.push(startLot(context, stage, lot, { previous, secondLast, measure }))
      if (lots.length > 3) lots.shift()
      await (lot.isLarge ? lots.at(-1) : secondLast)?.settled
      // These steps keep their records in memory.
      if (lot.isLarge) lots.length = 0
    }
    await lots.at(-1)?.settled
  } catch (error) {
    // No step may go on after the slice has ended.
    await Promise.allSettled(lots.flatMap(({ decided, intended, sent, settled }) => [decided, intended, sent, settled]))
    throw error
  }
}

interface EarlierLots {
  previous: LotSteps | undefined
  secondLast: LotSteps | undefined
  measure: (records: number) => void
}

function startLot(
  context: RunContext,
  stage: Stage,
  lot: PageLot,
  { previous, secondLast, measure }: EarlierLots,
): LotSteps {
  const decided = after(lot.waitsForPrevious ? previous?.settled : previous?.decided, async () => {
    await context.crashPoint('page read')
    const counted = lot.end?.page.next === null ? await countSource(context, stage) : null
    return { ...(await decidePage(context, stage, lot)), counted }
  })
  // At most one lot is announced before its turn, so a crash leaves few records in doubt.
  const intended = after(Promise.all([previous?.intended, secondLast?.sent]), async () =>
    intend(context, stage, await decided),
  )
  const sent = requireSent(previous).then(
    () => intended.then((page) => send(context, stage, page)),
    async (error: unknown) => {
      // The lot is announced and will not be sent.
      await intended.then((page) => withdrawIntents(context, page)).catch(() => {})
      throw error
    },
  )
  sent.then(() => measure(lot.records.length)).catch(() => {})
  const settled = after(previous?.settled, async () => {
    const [{ counted }, page, result] = await Promise.all([decided, intended, sent])
    await commitOutcomes(context, stage, {
      ...page,
      ...result,
      outcomes: [...result.outcomes, ...page.outcomes],
      sendings: [...page.candidates, ...page.send],
      end: result.failure === null && lot.end ? { ...lot.end, counted } : null,
    })
    await context.crashPoint('outcomes committed')
    if (result.failure) throw result.failure.error
    if (lot.asksAboutMail) await isFirstWithMail(context, stage)
  })
  for (const step of [decided, intended, sent, settled]) step.catch(() => {})
  return { decided, intended, sent, settled }
}

/** Runs a step once an earlier one is done. */
async function after<T>(earlier: Promise<unknown> | undefined, step: () => Promise<T>): Promise<T> {
  await earlier
  return step()
}

/** Rejected if records of the previous lot could not be sent. */
async function requireSent(previous: LotSteps | undefined): Promise<void> {
  const sent = await previous?.sent
  if (sent?.failure) throw sent.failure.error
}

/** Commits the intents. After a crash the ledger tells which records may have been sent. */
async function intend(context: RunContext, stage: Stage, decided: DecidedPage): Promise<IntendedPage> {
  const page = await commitIntents(context, stage.entity, decided)
  await context.crashPoint('intents committed')
  return page
}

/** The rest of a result that holds only some outcomes of a lot. */
const onlyOutcomes = { unsent: [], failed: [], unchanged: [], end: null, announcements: [], isComplete: true }

async function send(context: RunContext, stage: Stage, page: DecidedPage): Promise<Sent> {
  const { known, send: sendings, shortage } = page
  const sent = await sendBatches(context, stage.entity, sendings, known, (outcomes) =>
    commitOutcomes(context, stage, { ...onlyOutcomes, known, outcomes, sendings }),
  )
  await context.crashPoint('all batches sent')
  // The page is read again when somebody has paid.
  return shortage && !sent.failure ? { ...sent, failure: { error: await toShortageObstacle(context, shortage) } } : sent
}

/** Withdraws the intents of records that were not sent, so that these records are not in doubt later. */
async function withdrawIntents({ run, importId }: RunContext, { send: sendings }: DecidedPage): Promise<void> {
  const byEntity = Map.groupBy(withParts(sendings), ({ record }) => record.entity)
  await run.lease.commitOutcome(async (tx) => {
    await recordAnnounced(tx, importId)
    for (const [entity, unsent] of byEntity)
      await recordUnsent(
        tx,
        importId,
        entity,
        unsent.map(({ record }) => record.sourceId),
      )
  })
}

/** Learns from the time between two sent lots how many records the next page should have. */
function measurePace({ pace }: Slice): (records: number) => void {
  let last = performance.now()
  return (records) => {
    const now = performance.now()
    pace.goal = Math.max(1, Math.round((records * wantedPageMs) / Math.max(1, now - last)))
    last = now
  }
}
