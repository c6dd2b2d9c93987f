import { expect, test } from 'vitest'
import { readAskedMs, readRetryAfter } from './retry-after.ts'

test('Retry-After is read in all its forms', () => {
  const now = Date.parse('2026-03-01T10:00:00Z')
  expect(readAskedMs('120', now)).toBe(120_000)
  expect(readAskedMs('Sun, 01 Mar 2026 10:05:00 GMT', now)).toBe(300_000)
  expect(readAskedMs('Sun, 01 Mar 2020 10:05:00 GMT', now)).toBe(0)
  for (const nonsense of ['', 'soon', '-5', '1.5', undefined]) expect(readAskedMs(nonsense, now)).toBeNull()
  expect(readRetryAfter('86400', now)).toBe(3_600_000)
  expect(readRetryAfter('86400', now, 5_000)).toBe(5_000)
})
