import { expect, test } from 'vitest'
import { unseenSigns } from './unseen-signs.ts'

const four = ['\u200b', '\u200c', '\u200d', '\u2060']

test.each([
  ['four characters', unseenSigns(four, 6, '\u2060\u200b\u2060'), 15],
  ['two characters', unseenSigns(four.slice(0, 2), 6, '\u2060', '\u2060'), 26],
])('a code of %s is found in a text and read back', (_kind, signs, length) => {
  for (const hex of ['000000', '00ff01', 'ffffff', '2060b2']) {
    const written = signs.write(hex)
    expect(written).toHaveLength(length)
    expect(signs.length).toBe(length)
    const [found] = `a${written}b`.matchAll(signs.pattern)
    expect(signs.read(String(found?.[1]))).toBe(hex)
  }
})

test('a code that begins like its own opening is found as a whole', () => {
  const signs = unseenSigns(four, 6, '\u2060\u200b\u2060')
  const [found, ...more] = signs.write('ce0000').matchAll(signs.pattern)
  expect([signs.read(String(found?.[1])), more]).toEqual(['ce0000', []])
})
