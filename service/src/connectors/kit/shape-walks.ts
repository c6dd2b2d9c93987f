import type { Walk } from './pages.ts'

// Walks that are made of other walks, and of what no list hands out page by page.

/** What a walk hands out, made into something else page by page. */
export const through =
  <T, U>(walk: Walk<T>, act: (page: T[]) => U[] | Promise<U[]>): Walk<U> =>
  async (cursor, size) => {
    const { items, next } = await walk(cursor, size)
    return { items: await act(items), next }
  }

/** All at once. */
export const fixed =
  <T>(items: () => Promise<T[]> | T[]): Walk<T> =>
  async () => ({ items: await items(), next: null })

/** What becomes of these, so many at a time. The position is how many are done. */
export const inParts =
  <I, T>(wanted: readonly I[], atOnce: number, ask: (some: I[]) => Promise<T[]>): Walk<T> =>
  async (cursor) => {
    const done = Number(cursor ?? 0)
    const end = done + atOnce
    return { items: await ask(wanted.slice(done, end)), next: end < wanted.length ? String(end) : null }
  }

/** Passes so many empty pages before one is handed out, for lists of which most pages hold nothing that is wanted. */
export const passEmpty =
  <T>(walk: Walk<T>, mostPages: number): Walk<T> =>
  async (cursor, size) => {
    let page = await walk(cursor, size)
    for (let pages = 1; pages < mostPages && page.items.length === 0 && page.next !== null; pages += 1) {
      page = await walk(page.next, size)
    }
    return page
  }
