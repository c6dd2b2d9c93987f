import { expect, test } from 'vitest'
import { noticesIf, thatHold } from './that-hold.ts'

test('only names and warnings whose condition holds are returned, in their order', () => {
  expect(thatHold([true, 'b'], [false, 'c'], [true, 'a'])).toEqual(['b', 'a'])
  const missing = ['author_missing', 'Its author is gone.'] as const
  expect(noticesIf([0, 'email_only', 'It was sent.'], [7, ...missing])).toEqual([missing])
})
