import type { Page } from '../contract/contract.ts'
import type { Walk } from './pages.ts'

/** The records of a list, one after the other. A page is requested only when its first record is needed. */
export async function* eachItem<T>(walk: Walk<T>, size: number): AsyncGenerator<T> {
  let cursor: string | null = null
  do {
    const page: Page<T> = await walk(cursor, size)
    yield* page.items
    cursor = page.next
  } while (cursor !== null)
}
