import { expect, test } from 'vitest'
import { digestOf } from './keys.ts'
import { clean, isLeftOut, takeMark, writeMark } from './left-out.ts'

test('a mark is taken out of a text with its key and the values that cannot be compared', () => {
  const mark = writeMark('k', ['slug', 'author'])
  expect(mark).toBe(`<!-- wherry ${digestOf('k')} as-->`)
  const { text, marker, leftOut } = takeMark(`<p>a${mark}</p>`)
  expect([text, marker]).toEqual(['<p>a</p>', digestOf('k')])
  expect([isLeftOut({ left_out: leftOut }, 'slug'), isLeftOut({ left_out: leftOut }, 'date')]).toEqual([true, false])
  expect(isLeftOut(undefined, 'slug')).toBe(false)
})

test('a text of people has no mark', () => {
  const text = '<!-- wherry 12 a--><p>a</p>'
  expect(takeMark(text)).toEqual({ text, marker: null, leftOut: new Set() })
})

test('characters that tools refuse are removed, and a value that is no text is empty', () => {
  expect([clean('a\0b\ud800'), clean(7), clean(null)]).toEqual(['ab\ufffd', '', ''])
})
