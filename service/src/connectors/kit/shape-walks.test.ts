import { expect, test } from 'vitest'
import type { RawRecord } from './lens.ts'
import { readAll, type Walk } from './pages.ts'
import { fixed, inParts, onlyIds, onlySince, passEmpty, through } from './shape-walks.ts'

/** Pages by their number, counted from 0. */
const pages =
  (...all: number[][]): Walk<number> =>
  async (cursor) => {
    const page = Number(cursor ?? 0)
    return { items: all[page] ?? [], next: page + 1 < all.length ? String(page + 1) : null }
  }

test('each page is converted, and the position stays', async () => {
  const walk = through(pages([1, 2], [3]), async (page) => page.map((one) => `n${one}`))
  expect(await walk(null, 2)).toEqual({ items: ['n1', 'n2'], next: '1' })
  expect(await readAll(walk, 2)).toEqual(['n1', 'n2', 'n3'])
})

test('a fixed list is one page', async () => {
  expect(await fixed(async () => [1, 2])(null, 1)).toEqual({ items: [1, 2], next: null })
})

test('wanted records come in parts, and any process can continue from the position', async () => {
  const asked: string[][] = []
  const open = () =>
    inParts(['a', 'b', 'c', 'd'], 2, async (some) => {
      asked.push(some)
      return some
    })
  const first = await open()(null, 50)
  expect(first).toEqual({ items: ['a', 'b'], next: '2' })
  expect(await open()(first.next, 50)).toEqual({ items: ['c', 'd'], next: null })
  expect(asked).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
})

test('empty pages are skipped up to the limit, then one is returned with its position', async () => {
  expect(await passEmpty(pages([], [], [7], [8]), 3)(null, 1)).toEqual({ items: [7], next: '3' })
  expect(await passEmpty(pages([], [], [7], [8]), 2)(null, 1)).toEqual({ items: [], next: '2' })
  expect(await passEmpty(pages([], []), 5)(null, 1)).toEqual({ items: [], next: null })
})

test('a list without a search is filtered by ids and by times, and records without a time stay', async () => {
  const walk = fixed(() => [
    { id: 1, updated_at: '2026-01-01T00:00:00Z' },
    { id: 2, updated_at: '2026-01-03T00:00:00Z' },
    { id: 3, updated_at: null },
  ])
  const idsOf = async (sifted: Walk<RawRecord>) => (await sifted(null, 10)).items.map(({ id }) => id)
  expect(await idsOf(onlyIds(walk, ['3', '4']))).toEqual([3])
  expect(await idsOf(onlyIds(walk, undefined))).toEqual([1, 2, 3])
  expect(await idsOf(onlySince(walk, '2026-01-03T01:00:00+01:00'))).toEqual([2, 3])
  expect(await idsOf(onlySince(walk, undefined))).toEqual([1, 2, 3])
})
