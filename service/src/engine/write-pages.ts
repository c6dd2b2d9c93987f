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

type Ready = { announced: AnnouncedPage } | { prepared: PreparedPage } | { page: RecordPage }

/**
 * The pages of a stage, until it is done or the slice is over. While one is sent, the one before is committed and the
 * one after is read, mapped and announced, where it takes nothing from its neighbours.
 */
export async function writePages(context: RunContext, stage: Stage, { isOver, pace }: Slice): Promise<void> {
  let ready: Ready = { page: await gatherPages(context, stage, stage.cursor, pace.goal) }
  let settling: Promise<void> = Promise.resolve()
  let before: PreparedPage[] = []
  for (;;) {
    const start = performance.now()
    if ('page' in ready) {
      await settling
      ready = { prepared: await preparePage(context, stage, ready.page) }
    }
    const current: PreparedPage = 'announced' in ready ? ready.announced : ready.prepared
    const { page } = current
    const isLast = page.next === null || isOver()
    const next = isLast ? null : makeReady(context, stage, [current, ...before], pace.goal)
    // Its failure is met when its turn comes.
    next?.catch(() => {})
    try {
      // Asked before the page is settled, so that its end and what follows from the count are committed together.
      const counted = page.next === null ? await countSource(context, stage) : null
      const announced = await announceNow(context, stage, ready, () => settling)
      if (announced) {
        const done = await sendPage(context, stage, announced)
        const { failure } = done.sent
        await settling
        settling = settlePage(context, stage, done, counted)
        settling.catch(() => {})
        if (failure || !next) await settling
        if (failure) throw failure.error
      } else {
        await settling
        await writePage(context, stage, current, counted)
      }
    } catch (error) {
      await next
        ?.then(async (other) => 'announced' in other && (await takeBackPage(context, stage, other.announced)))
        .catch(() => {})
      throw error
    }
    pace.goal = Math.max(1, Math.round((page.items.length * wantedPageMs) / (performance.now() - start)))
    if (!next) return
    before = [current]
    ready = await next.catch(async (error: unknown) => {
      await settling
      throw error
    })
  }
}

/** Null for a page that has to be written by itself, after all before it is settled. */
async function announceNow(
  context: RunContext,
  stage: Stage,
  ready: Exclude<Ready, { page: RecordPage }>,
  settling: () => Promise<void>,
): Promise<AnnouncedPage | null> {
  if ('announced' in ready) return ready.announced
  await settling()
  const { prepared } = ready
  const { sorted } = prepared
  if (sorted === null || !(await isSentAtOnce(context, stage, prepared))) return null
  return announcePage(context, stage, { ...prepared, sorted })
}

/** `near`: the page before it, which is being sent, and the one before that, which is being settled. */
async function makeReady(context: RunContext, stage: Stage, near: PreparedPage[], goal: number): Promise<Ready> {
  const page = await gatherPages(context, stage, near[0]?.page.next ?? null, goal)
  if (!near.every((other) => isIndependent(context, stage, page, other))) return { page }
  const prepared = await preparePage(context, stage, page)
  const { sorted } = prepared
  if (sorted === null || !(await isSentAtOnce(context, stage, prepared))) return { prepared }
  return { announced: await announcePage(context, stage, { ...prepared, sorted }) }
}
