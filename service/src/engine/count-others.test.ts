import { expect, test } from 'vitest'
import { copiesIn, strangersIn } from './count-others.ts'

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

const row = (destination_id: string, more = {}) => ({
  ...{ entity: 'comments', source_id: destination_id, destination_id, code: null, is_doubtful: false },
  ...{ attempts: 1, carried_at: null },
  ...more,
})
const ids = [['1-1'], ['1-2'], ['1-3'], ['1-4']]
const copiesOf = (looks: string[] | undefined, rows: ReturnType<typeof row>[]) => [
  ...copiesIn({ inside: { ids, own: 1, ...(looks && { looks }) } }, rows),
]

test('a message that equals one of ours is its copy only if ours was sent more than once by itself', () => {
  const looks = ['a', 'b', 'c', 'b']
  expect(copiesOf(looks, [row('1-2', { attempts: 2 })])).toEqual([
    ['1-2', 'comments/1-2'],
    ['1-4', 'comments/1-2'],
  ])
  expect(copiesOf(looks, [row('1-2')])).toEqual([])
  expect(copiesOf(looks, [row('1-2', { attempts: 2, carried_at: 0 })])).toEqual([])
})

test('a message that differs, or of a tool that keeps no times, is no copy', () => {
  expect(copiesOf(['a', 'b', 'c', 'd'], [row('1-2', { attempts: 2 })])).toEqual([['1-2', 'comments/1-2']])
  expect(copiesOf(undefined, [row('1-2', { attempts: 2 })])).toEqual([])
})
