import { expect, test } from 'vitest'
import type { Walk } from './pages.ts'
import { recentLists } from './recent-lists.ts'

function counted(items: string[], perPage = 10) {
  let asked = 0
  const walk: Walk<string> = async (cursor) => {
    asked += 1
    const from = Number(cursor ?? 0)
    const next = from + perPage < items.length ? String(from + perPage) : null
    return { items: items.slice(from, from + perPage), next }
  }
  return { walk, asked: () => asked }
}
const charactersOf = (text: string) => text.length

test('a list that was read a moment ago is not requested again, and later it is', async () => {
  let time = 0
  const recent = recentLists({ charactersOf, lastsMs: 1_000, now: () => time })
  const { walk, asked } = counted(['a', 'b'])
  for (const at of [0, 500, 999, 1_000, 1_500]) {
    time = at
    expect(await recent('7', walk)(null, 100)).toEqual({ items: ['a', 'b'], next: null })
  }
  expect(asked()).toBe(2)
})

test('a list of several pages is never cached, and a cached list never exceeds the page size', async () => {
  const recent = recentLists({ charactersOf })
  const long = counted(['a', 'b', 'c'], 2)
  for (let at = 0; at < 2; at += 1) expect(await recent('long', long.walk)(null, 100)).toMatchObject({ next: '2' })
  expect(long.asked()).toBe(2)
  const short = counted(['a', 'b'])
  await recent('short', short.walk)(null, 100)
  await recent('short', short.walk)(null, 1)
  expect(short.asked()).toBe(2)
})

test('the oldest cached lists are dropped when there are too many characters, and a huge list is not cached', async () => {
  const recent = recentLists({ charactersOf, mostCharacters: 10 })
  const lists = ['1234', '5678', '9012'].map((text) => counted([text]))
  for (const [at, { walk }] of lists.entries()) await recent(String(at), walk)(null, 100)
  for (const [at, { walk }] of [...lists.entries()].reverse()) await recent(String(at), walk)(null, 100)
  expect(lists.map(({ asked }) => asked())).toEqual([2, 1, 1])
  const huge = counted(['x'.repeat(11)])
  for (let at = 0; at < 2; at += 1) await recent('huge', huge.walk)(null, 100)
  expect(huge.asked()).toBe(2)
})
