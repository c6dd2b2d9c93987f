import { expect, test } from 'vitest'
import { cleanText, idOf, idsOf, oneLine, textsOf, withoutNul } from './sent-values.ts'

test('a text loses what databases cannot store, and keeps its lines', () => {
  expect(cleanText('a\0b\r\r\nc\ud800')).toBe('ab\nc\ufffd')
  expect([null, 5, {}].map(cleanText)).toEqual(['', '', ''])
})

test('a line is cut by characters, not in the middle of one', () => {
  expect(oneLine(' a \r\n b ', 10)).toBe('a b')
  expect([...oneLine('🚀'.repeat(9), 4)]).toHaveLength(4)
  expect(oneLine('ab cd', 3)).toBe('ab')
})

test('texts and ids come from single values and from lists', () => {
  const relation = (destinationId: string) => ({ entity: 'tickets', key: 'k', destinationId })
  expect([textsOf('a'), textsOf(['a', '', 5]), textsOf(null)]).toEqual([['a'], ['a'], []])
  expect([idOf(relation('7')), idOf(null), idOf(undefined)]).toEqual(['7', null, null])
  expect([idsOf([relation('7'), null]), idsOf(relation('8'))]).toEqual([['7'], ['8']])
})

test('no text of a body keeps NUL', () => {
  expect(withoutNul({ a: 'x\0y', b: ['\0', 5, null], c: { d: 'z' } })).toEqual({
    a: 'xy',
    b: ['', 5, null],
    c: { d: 'z' },
  })
  expect(withoutNul(undefined)).toBeUndefined()
})
