import { expect, test } from 'vitest'
import { isDay, isMoment, toMoment } from './times.ts'

test.each([
  ['2026-01-31T08:00:00.000Z', '2026-01-31T08:00:00.000Z'],
  ['2026-01-31T08:00', '2026-01-31T08:00:00.000Z'],
  ['2026-01-31T08:00:00+0200', '2026-01-31T06:00:00.000Z'],
  ['2026-01-31T08:00:00.123456-01:30', '2026-01-31T09:30:00.123Z'],
  ['2024-02-29T23:59:59z', '2024-02-29T23:59:59.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
])('%s is a moment', (given, moment) => {
  expect(isMoment(given)).toBe(true)
  expect(toMoment(given)).toBe(moment)
})

test.each([
  '2026-02-30T10:00:00Z',
  '2026-02-30T10:00:00.000Z',
  '2026-06-31T10:00:00+02:00',
  '2026-01-31',
  '2026-01-31T25:00:00Z',
  // Outside of the years 1 to 9999 in UTC: databases and destinations know other forms of such years, or none.
  '9999-12-31T23:59:59-12:00',
  '0001-01-01T00:00:00+14:00',
  '0000-01-01T00:00:00.000Z',
  '2026-01-31T08:00:00Z\0',
  'Sat, 31 Jan 2026 08:00:00 GMT',
  '1700000000',
])('%j is no moment', (given) => {
  expect(isMoment(given)).toBe(false)
})

test.each(['2026-02-30', '0000-01-01', '0000-00-00', '2026-1-1'])('%s is no day', (given) => {
  expect(isDay(given)).toBe(false)
})
