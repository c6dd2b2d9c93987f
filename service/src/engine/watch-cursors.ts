import { createHash } from 'node:crypto'
import type { CursorWatch } from '../db/run-tables.ts'
import { ObstacleError } from '../errors.ts'
import type { RunContext, Stage } from './run-context.ts'

/** Cursors that came back this often, over this many pages, did not come back by chance. */
const roundsUntilTold = 2
const pagesUntilTold = 20

/**
 * The watch after one more page. It notices that the pages of a source repeat, by Brent's algorithm: one earlier cursor
 * is kept, and replaced by the current one after 1, 2, 4, 8, … pages. If the cursors repeat, the kept one comes back,
 * however many pages lie between.
 * `countMet` is asked only if the kept cursor comes back. */
export async function watchCursor(
  watch: CursorWatch | null,
  cursor: string,
  countMet: () => Promise<number>,
): Promise<CursorWatch> {
  const mark = createHash('sha256').update(cursor).digest('base64url').slice(0, 22)
  const unseen = { mark, steps: 0, met: null, rounds: 0, pages: 0 }
  if (!watch) return { ...unseen, power: 1 }
  const steps = watch.steps + 1
  if (mark === watch.mark) {
    const met = await countMet()
    if (met !== watch.met) return { ...unseen, power: watch.power, met }
    return { ...watch, steps: 0, rounds: watch.rounds + 1, pages: watch.pages + steps }
  }
  return steps >= watch.power ? { ...unseen, power: watch.power * 2 } : { ...watch, steps }
}

export const isEndless = (watch: CursorWatch | null): boolean =>
  watch !== null && watch.rounds >= roundsUntilTold && watch.pages >= pagesUntilTold

/** Pauses a run whose source returns the same pages again and again. Another attempt begins with a new watch. */
export async function requireNewPages({ run, sourceLabel }: RunContext, stage: Stage): Promise<void> {
  if (!isEndless(stage.cursor_watch)) return
  await run.lease.commit(async (tx) => {
    await tx
      .updateTable('run_stages')
      .set({ cursor_watch: null })
      .where('run_id', '=', run.id)
      .where('position', '=', stage.position)
      .execute()
  })
  const what = stage.stage === 'users' ? 'people' : stage.entity.replaceAll('_', ' ')
  const message = `${sourceLabel} returns the same pages of ${what} again and again: its list does not end. Nothing is lost. The run goes on from here when you try again.`
  const obstacle = new ObstacleError('tool_broken', 'operator', message)
  obstacle.role = 'source'
  throw obstacle
}
