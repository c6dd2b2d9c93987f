import { describe, expect, test } from 'vitest'
import type { Page } from '../contract/contract.ts'
import { inOrder, inSteps } from './nested-pages.ts'

async function walk<T>(read: (cursor: string | null) => Promise<Page<T>>): Promise<[cursor: string | null, T[]][]> {
  const pages: [string | null, T[]][] = []
  for (let cursor: string | null = null; ; ) {
    const { items, next }: Page<T> = await read(cursor)
    pages.push([cursor, items])
    if (next === null) return pages
    cursor = next
  }
}

describe('inOrder', () => {
  const lists: Record<number, number[]> = { 3: [1, 2, 3, 4, 5], 4: [], 7: [1], 9: [1, 2] }
  const parents = Object.keys(lists).map((id) => ({ id: Number(id) }))
  const read = async ({ id }: { id: number }, place: string) => {
    const left = (lists[id] ?? []).filter((one) => one > Number(place))
    const some = left.slice(0, 2)
    return { items: some.map((one) => `${id}/${one}`), last: some.length < left.length ? some.at(-1) : undefined }
  }

  test('goes on in a long list, and fills a page with short ones', async () => {
    expect(await walk((cursor) => inOrder(parents, cursor, 2, read))).toEqual([
      [null, ['3/1', '3/2']],
      ['3:2', ['3/3', '3/4']],
      ['3:4', ['3/5', '7/1']],
      ['9:', ['9/1', '9/2']],
    ])
  })

  test('goes on with the next parent if its parent has been deleted', async () => {
    const { items } = await inOrder(parents, '5:2', 2, read)
    expect(items).toEqual(['7/1', '9/1', '9/2'])
  })
})

test('inSteps reads one list after the other', async () => {
  const lists = { posts: ['a', 'b:c'], pages: ['d'] }
  const pages = await walk((cursor) =>
    inSteps(['posts', 'pages'], ':', cursor, async (name, place) => {
      const at = place === null ? 0 : lists[name].indexOf(place) + 1
      const item = String(lists[name][at])
      return { items: [item], next: at + 1 < lists[name].length ? item : null }
    }),
  )
  expect(pages).toEqual([
    [null, ['a']],
    ['posts:a', ['b:c']],
    ['pages:', ['d']],
  ])
})
