import { expect, test } from 'vitest'
import { eachItem } from './each-item.ts'
import type { Walk } from './pages.ts'

test('a list is read to its end, and no page is requested before it is needed', async () => {
  const asked: (string | null)[] = []
  const walk: Walk<number> = async (cursor) => {
    asked.push(cursor)
    const at = Number(cursor ?? 0)
    return { items: at === 1 ? [] : [at], next: at < 3 ? String(at + 1) : null }
  }
  const read: number[] = []
  for await (const one of eachItem(walk, 1)) read.push(one)
  expect(read).toEqual([0, 2, 3])
  expect(asked).toEqual([null, '1', '2', '3'])
  asked.length = 0
  for await (const one of eachItem(walk, 1)) if (one === 0) break
  expect(asked).toEqual([null])
})
