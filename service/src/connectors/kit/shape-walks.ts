import type { RawRecord } from './lens.ts'
import type { Walk } from './pages.ts'

// Walks that are built from other walks, from fixed lists and from lists of ids.

/** Transforms the pages of a walk. */
export const through =
  <T, U>(walk: Walk<T>, act: (page: T[]) => U[] | Promise<U[]>): Walk<U> =>
  async (cursor, size) => {
    const { items, next } = await walk(cursor, size)
    return { items: await act(items), next }
  }

/** Only these records, for a list that has no filter by id. Without `ids`, all records. */
export const onlyIds = (walk: Walk<RawRecord>, ids: readonly string[] | undefined): Walk<RawRecord> =>
  ids ? through(walk, (page) => page.filter(({ id }) => ids.includes(String(id)))) : walk

/** Leaves out records older than `since`. A record without a time always stays. */
export const onlySince = (
  walk: Walk<RawRecord>,
  since: string | undefined,
  timeOf: (raw: RawRecord) => unknown = ({ updated_at: at }) => at,
): Walk<RawRecord> =>
  since === undefined
    ? walk
    : through(walk, (page) => page.filter((raw) => !(Date.parse(String(timeOf(raw))) < Date.parse(since))))

/** All items as a single page. */
export const fixed =
  <T>(items: () => Promise<T[]> | T[]): Walk<T> =>
  async () => ({ items: await items(), next: null })

/** Processes these items, `atOnce` at a time. The position is the number of finished items. */
export const inParts =
  <I, T>(wanted: readonly I[], atOnce: number, ask: (some: I[]) => Promise<T[]>): Walk<T> =>
  async (cursor) => {
    const done = Number(cursor ?? 0)
    const end = done + atOnce
    return { items: await ask(wanted.slice(done, end)), next: end < wanted.length ? String(end) : null }
  }

/** Skips empty pages, up to a limit per step, for lists in which most pages hold no wanted record. */
export const passEmpty =
  <T>(walk: Walk<T>, mostPages: number): Walk<T> =>
  async (cursor, size) => {
    let page = await walk(cursor, size)
    for (let pages = 1; pages < mostPages && page.items.length === 0 && page.next !== null; pages += 1) {
      page = await walk(page.next, size)
    }
    return page
  }
