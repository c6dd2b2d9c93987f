import { expect, test } from 'vitest'
import { strangersIn } from './count-others.ts'

const known = new Set(['1-2', '1-1-7', '1-4-8'])
const strangersOf = (ids: string[][], own = 1) => strangersIn({ ids, own }, (id) => known.has(id))

test('a message without a row is of others, even if the description has a file of ours', () => {
  expect(strangersOf([['1-1', '1-1-7'], ['1-2']])).toEqual([])
  expect(strangersOf([['1-1', '1-1-7'], ['1-2'], ['1-3']])).toEqual([['1-3']])
  expect(strangersOf([['1-1'], ['1-2'], ['1-3', '1-3-9']])).toEqual([['1-3', '1-3-9']])
})

test('a note that was made for a file of ours is ours', () => {
  expect(strangersOf([['1-1'], ['1-4', '1-4-8']])).toEqual([])
  expect(strangersOf([['1-4', '1-4-8'], ['1-5']], 0)).toEqual([['1-5']])
})

test('the description need not be the oldest message: a comment of ours may be older', () => {
  expect(strangersOf([['1-2'], ['1-1'], ['1-4', '1-4-8']])).toEqual([])
  expect(strangersOf([['1-2'], ['1-1'], ['1-3']])).toEqual([['1-3']])
})
