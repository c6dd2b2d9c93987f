import type { RawRecord } from './lens.ts'
import type { Walk } from './pages.ts'
import { untold } from './records-in.ts'

/**
 * Numbered pages of a list without an order by id. A deletion during the read moves later records to an earlier page. So
 * each step also reads up to `pagesBack` earlier pages, until it finds the last record returned, and adds the records
 * behind it.
 */
export const byMovingPages =
  (
    ask: (number: number, size: number) => Promise<{ items: RawRecord[]; isLast: boolean }>,
    pagesBack = 1,
  ): Walk<RawRecord> =>
  async (cursor, size) => {
    const [number, lastId] = (cursor === null ? [1, null] : JSON.parse(cursor)) as [number, string | number | null]
    const { items, isLast } = await ask(number, size)
    let moved: RawRecord[] = []
    for (let back = number - 1; back >= Math.max(1, number - pagesBack); back -= 1) {
      const before = (await untold(() => ask(back, size))).items
      const at = before.findIndex(({ id }) => id === lastId)
      moved = [...before.slice(at + 1), ...moved]
      if (at !== -1) break
    }
    const ids = new Set(items.map(({ id }) => id))
    const all = [...moved.filter(({ id }) => !ids.has(id)), ...items]
    return { items: all, next: isLast ? null : JSON.stringify([number + 1, all.at(-1)?.id ?? lastId]) }
  }
