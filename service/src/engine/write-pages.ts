import { recordAnnounced } from '../imports/record-announced.ts'
import { tellShortage } from './admit-page.ts'
import { recordUnsent } from './change-ledger.ts'
import { commitIntents, type IntendedPage } from './commit-intents.ts'
import { commitOutcomes } from './commit-outcomes.ts'
import { type DecidedPage, decidePage } from './decide-page.ts'
import { askAboutMail } from './look-for-mail.ts'
import { type PageLot, readLots } from './read-lots.ts'
import { countSource } from './recount.ts'
import type { RunContext, Stage } from './run-context.ts'
import { type Sent, sendBatches } from './send-batches.ts'
import { withParts } from './sending.ts'

export interface Slice {
  isOver(): boolean
  /** The records that half a second is enough for: few commits for a quick destination, early ones for a slow one. */
  pace: { goal: number }
  /** Rests while a customer waits for another run of this process. */
  standBack(): Promise<void>
}

const wantedPageMs = 500

/** The way of one page: read → map → decide → intend → send → settle. Each step waits for that of the page before. */
interface Way {
  decided: Promise<DecidedPage & { counted: number | null }>
  intended: Promise<IntendedPage>
  /** Also fulfilled if some records were not sent. The sent ones have their outcomes. */
  sent: Promise<Sent>
  /** Rejected if any step of this page or of an earlier one failed. */
  settled: Promise<void>
}

/**
 * Writes the pages of a stage, until it is done or the slice is over. The pages overlap: while one is sent, the one
 * before is committed, the one after is announced, the next is mapped and one more is read. A crash at any point leaves
 * the old checkpoint: the page is read again, and the ledger tells what may have been sent.
 */
export async function writePages(context: RunContext, stage: Stage, slice: Slice): Promise<void> {
  const ways: Way[] = []
  const measure = measurePace(slice)
  try {
    for await (const lot of readLots(context, stage, slice)) {
      const [before, earlier] = [ways.at(-1), ways.at(-2)]
      ways.push(startWay(context, stage, lot, { before, earlier, measure }))
      if (ways.length > 3) ways.shift()
      await (lot.isLarge ? ways.at(-1) : earlier)?.settled
      // A way keeps its records in memory.
      if (lot.isLarge) ways.length = 0
    }
    await ways.at(-1)?.settled
  } catch (error) {
    // Nothing may go on by itself when the slice ends.
    await Promise.allSettled(ways.flatMap(({ decided, intended, sent, settled }) => [decided, intended, sent, settled]))
    throw error
  }
}

interface Neighbours {
  before: Way | undefined
  earlier: Way | undefined
  measure: (records: number) => void
}

function startWay(context: RunContext, stage: Stage, lot: PageLot, { before, earlier, measure }: Neighbours): Way {
  // A lot that depends on the one before waits for the outcomes of that one.
  const decided = after(lot.isAlone ? before?.settled : before?.decided, async () => {
    await context.crashPoint('page read')
    const counted = lot.end?.page.next === null ? await countSource(context, stage) : null
    return { ...(await decidePage(context, stage, lot)), counted }
  })
  // At most one lot is announced before its turn: a crash leaves little in doubt.
  const intended = after(Promise.all([before?.intended, earlier?.sent]), async () =>
    intend(context, stage, await decided),
  )
  const sent = requireSent(before).then(
    () => intended.then((page) => send(context, stage, page)),
    async (error: unknown) => {
      // Announced, but its turn never comes.
      await intended.then((page) => takeBack(context, page)).catch(() => {})
      throw error
    },
  )
  sent.then(() => measure(lot.records.length)).catch(() => {})
  const settled = after(before?.settled, async () => {
    const [{ counted }, page, result] = await Promise.all([decided, intended, sent])
    await commitOutcomes(context, stage, {
      ...page,
      ...result,
      outcomes: [...result.outcomes, ...page.outcomes],
      sendings: [...page.reconciled, ...page.send],
      end: result.failure === null && lot.end ? { ...lot.end, counted } : null,
    })
    await context.crashPoint('outcomes committed')
    if (result.failure) throw result.failure.error
    const question = lot.asksAboutMail ? askAboutMail(result.outcomes) : null
    if (question) throw question
  })
  for (const step of [decided, intended, sent, settled]) step.catch(() => {})
  return { decided, intended, sent, settled }
}

/** Runs a step once the one before it is done. */
async function after<T>(before: Promise<unknown> | undefined, step: () => Promise<T>): Promise<T> {
  await before
  return step()
}

/** Rejected when the page before did not get through whole. */
async function requireSent(before: Way | undefined): Promise<void> {
  const sent = await before?.sent
  if (sent?.failure) throw sent.failure.error
}

/** Commits the intents. After a crash the ledger tells which records may have been sent. */
async function intend(context: RunContext, stage: Stage, decided: DecidedPage): Promise<IntendedPage> {
  const page = await commitIntents(context, stage.entity, decided)
  await context.crashPoint('intents committed')
  return page
}

const partly = { unsent: [], failed: [], settled: [], end: null, announcements: [], isComplete: true }

async function send(context: RunContext, stage: Stage, page: DecidedPage): Promise<Sent> {
  const { known, send: sendings, shortage } = page
  const sent = await sendBatches(context, stage.entity, sendings, known, (outcomes) =>
    commitOutcomes(context, stage, { ...partly, known, outcomes, sendings }),
  )
  await context.crashPoint('all batches sent')
  // The page is read again when somebody has paid.
  return shortage && !sent.failure ? { ...sent, failure: { error: await tellShortage(context, shortage) } } : sent
}

/** Takes back the intents of records that were not sent, so that they are not in doubt later. */
async function takeBack({ run, importId }: RunContext, { send: sendings }: DecidedPage): Promise<void> {
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

/** Learns from the time between two sent pages how many records the next should have. */
function measurePace({ pace }: Slice): (records: number) => void {
  let last = performance.now()
  return (records) => {
    const now = performance.now()
    pace.goal = Math.max(1, Math.round((records * wantedPageMs) / Math.max(1, now - last)))
    last = now
  }
}
