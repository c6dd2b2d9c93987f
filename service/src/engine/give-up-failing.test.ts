import { expect, test } from 'vitest'
import { BudgetSpentError, RetryableError } from '../errors.ts'
import { mayBlame } from './give-up-failing.ts'

test.each([
  ['an error of the tool', new RetryableError('the tool answered 500'), true],
  ['a limit that turns every request away', new RetryableError('the tool answered 429', { isForAll: true }), false],
  ['a budget that is spent', new BudgetSpentError('requests', { retryAfterMs: 1, askedUntil: null, freeMs: 1 }), false],
  ['an error of our own', new TypeError('nothing to read'), false],
])('%s counts against the record as it should', (_name, error, expected) => {
  expect(mayBlame(error)).toBe(expected)
})
