import type { RecordPage } from '../connectors/contract.ts'
import { gatherPages } from './read-stage.ts'
import { countSource } from './recount.ts'
import type { RunContext, Stage } from './run-context.ts'
import {
  type AnnouncedPage,
  announcePage,
  isIndependent,
  isSentAtOnce,
  type PreparedPage,
  preparePage,
  sendPage,
  settlePage,
  takeBackPage,
  writePage,
} from './write-page.ts'

export interface Slice {
  isOver(): boolean
  /** As many records as half a second is enough for: few commits for a quick destination, early ones for a slow one. */
  pace: { goal: number }
}

const wantedPageMs = 500

/** A page whose turn has not come yet. One that takes something from those before it is prepared later. */
type Coming = { prepared: PreparedPage } | { page: RecordPage }
type Ready = Coming | { announced: AnnouncedPage }

/**
 * The pages of a stage, until it is done or the slice is over. While one is sent, the one before is committed, the one
 * after is announced, the next is mapped, where it takes nothing from its neighbours, and one more is read.
 */
export async function writePages(context: RunContext, stage: Stage, slice: Slice): Promise<void> {
  const { pace } = slice
  const coming = prepareAhead(context, stage, slice)
  let ready: Ready | null = await coming.take()
  let settling: Promise<void> = Promise.resolve()
  while (ready) {
    const start = performance.now()
    if ('page' in ready) {
      await settling
      ready = { prepared: await preparePage(context, stage, ready.page) }
    }
    const current: PreparedPage = 'announced' in ready ? ready.announced : ready.prepared
    const { page } = current
    const next = announceNext(context, stage, coming)
    // Its failure is met when its turn comes.
    next.catch(() => {})
    try {
      // Asked before the page is settled, so that its end and what follows from the count are committed together.
      const counted = page.next === null ? await countSource(context, stage) : null
      if ('prepared' in ready) await settling
      const announced = 'announced' in ready ? ready.announced : await announce(context, stage, current)
      if (announced) {
        const done = await sendPage(context, stage, announced)
        const { failure } = done.sent
        await settling
        settling = settlePage(context, stage, done, counted)
        settling.catch(() => {})
        if (failure) await settling
        if (failure) throw failure.error
      } else {
        await settling
        await writePage(context, stage, current, counted)
      }
    } catch (error) {
      await next
        .then(async (other) => other && 'announced' in other && (await takeBackPage(context, stage, other.announced)))
        .catch(() => {})
      throw error
    }
    pace.goal = Math.max(1, Math.round((page.items.length * wantedPageMs) / (performance.now() - start)))
    ready = await next.catch(async (error: unknown) => {
      await settling
      throw error
    })
  }
  await settling
}

/** Null for a page that has to be written by itself, after all before it is settled. */
async function announce(context: RunContext, stage: Stage, prepared: PreparedPage): Promise<AnnouncedPage | null> {
  const { sorted } = prepared
  if (sorted === null || !(await isSentAtOnce(context, stage, prepared))) return null
  return announcePage(context, stage, { ...prepared, sorted })
}

/** Announces the next page, if that can be done before its turn. */
async function announceNext(context: RunContext, stage: Stage, coming: PagesAhead<Coming>): Promise<Ready | null> {
  const next = await coming.take()
  if (!next || 'page' in next) return next
  const announced = await announce(context, stage, next.prepared)
  return announced ? { announced } : next
}

interface PagesAhead<Page> {
  /** Null when nothing is left: the stage is through, or the slice is over. */
  take(): Promise<Page | null>
}

/** Makes what comes after the page that was taken, and meets a failure when its turn comes. */
function makeAhead<Page>(
  first: Promise<Page | null>,
  makeNext: (page: Page) => Promise<Page | null>,
): PagesAhead<Page> {
  let ahead = first
  return {
    async take() {
      const page = await ahead
      if (page !== null) ahead = makeNext(page)
      ahead.catch(() => {})
      return page
    },
  }
}

/** What has been read is worked off, even if the slice is over. */
function prepareAhead(context: RunContext, stage: Stage, { isOver, pace }: Slice): PagesAhead<Coming> {
  const gather = (cursor: string | null) => gatherPages(context, stage, cursor, pace.goal)
  const source = makeAhead(gather(stage.cursor), async (page) =>
    page.next === null || isOver() ? null : gather(page.next),
  )
  // The page before, which is being announced, the one before that, which is being sent, and the one being settled.
  let near: RecordPage[] = []
  const prepare = async (): Promise<Coming | null> => {
    const page = await source.take()
    if (!page) return null
    const isFree = near.every((other) => isIndependent(context, stage, page, other))
    near = [page, ...near.slice(0, 2)]
    return isFree ? { prepared: await preparePage(context, stage, page) } : { page }
  }
  return makeAhead(prepare(), prepare)
}
