import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CursorWatch } from '../db/run-tables.ts'
import { isEndless, watchCursor } from './watch-cursors.ts'

/** Watches cursors until the list is found endless. Returns the number of pages; null if it never is. */
async function pagesUntilEndless(cursorAt: (page: number) => string, pages: number, metAt = (_page: number) => 7) {
  let watch: CursorWatch | null = null
  for (let page = 0; page < pages; page++) {
    watch = await watchCursor(watch, cursorAt(page), async () => metAt(page))
    if (isEndless(watch)) return page
  }
  return null
}

test('cursors that repeat are found, whatever comes before and however many they are', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(300), fc.integer({ min: 1, max: 300 }), async (before, length) => {
      const cursorAt = (page: number) => `page ${page < before ? page : before + ((page - before) % length)}`
      const found = await pagesUntilEndless(cursorAt, 20 * (before + length) + 100)
      expect(found).not.toBeNull()
      // Nobody is told before the pages have come back.
      expect(found).toBeGreaterThan(before + length)
    }),
    { numRuns: 60 },
  )
})

test('cursors that differ are never found', async () => {
  expect(await pagesUntilEndless((page) => `page ${page}`, 5_000)).toBeNull()
})

test('cursors that repeat while new records come are not found', async () => {
  expect(
    await pagesUntilEndless(
      (page) => `page ${page % 3}`,
      500,
      (page) => page,
    ),
  ).toBeNull()
})

test('a cursor that comes back once or twice is not found', async () => {
  const cursorAt = (page: number) => (page % 100 < 3 && page < 300 ? 'again' : `page ${page}`)
  expect(await pagesUntilEndless(cursorAt, 500)).toBeNull()
})
