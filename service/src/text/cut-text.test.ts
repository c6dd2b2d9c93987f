import { expect, test } from 'vitest'
import { cutText } from './cut-text.ts'

test('a text is cut before a character that would be halved', () => {
  expect(cutText('a🚢b', 4)).toBe('a🚢b')
  expect(cutText('a🚢b', 3)).toBe('a🚢')
  expect(cutText('a🚢b', 2)).toBe('a')
  expect(cutText('🚢', 1)).toBe('')
})
