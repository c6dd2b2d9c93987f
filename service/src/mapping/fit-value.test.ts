import { expect, test } from 'vitest'
import type { DestinationField } from '../connectors/contract/contract.ts'
import { fitValue } from './fit-value.ts'

test('money does not fit a field with another fixed currency', () => {
  const any: DestinationField = { type: 'money', many: false, required: false, maxLength: null, options: [] }
  const yen = { amount: '100', currency: 'JPY' }
  expect(fitValue(yen, any)).toEqual(yen)
  expect(fitValue(yen, { ...any, currencies: ['EUR', 'JPY'] })).toEqual(yen)
  expect(fitValue(yen, { ...any, currencies: ['EUR'] })).toBeUndefined()
})

test('only a moment that exists fits a field of moments, and only such a day a field of days', () => {
  const moment: DestinationField = { type: 'datetime', many: false, required: false, maxLength: null, options: [] }
  const fit = (value: string) => fitValue(value, moment)
  expect(fit('2026-01-31')).toBe('2026-01-31T00:00:00.000Z')
  expect(fit('2026-01-31 08:00')).toBe('2026-01-31T08:00:00.000Z')
  expect(fit('2026-01-31T08:00:00+02:00')).toBe('2026-01-31T06:00:00.000Z')
  for (const odd of [
    '5',
    'May 2026',
    'Sat, 31 Jan 2026 08:00:00 GMT',
    '2026-02-30T08:00:00Z',
    '9999-12-31T23:00:00-12:00',
  ])
    expect(fit(odd), odd).toBeUndefined()
  expect(fitValue('2026-02-30', { ...moment, type: 'date' })).toBeUndefined()
  expect(fitValue('2026-02-28T08:00:00Z', { ...moment, type: 'date' })).toBe('2026-02-28')
})

test('an e-mail address loses the spaces around it', () => {
  const email: DestinationField = { type: 'email', many: true, required: false, maxLength: null, options: [] }
  expect(fitValue({ address: ' ann@example.com ' }, email)).toBe('ann@example.com')
  expect(fitValue({ address: 'ann@example.com\n', type: 'work' }, { ...email, isDetailed: true })).toEqual({
    ...{ address: 'ann@example.com', type: 'work' },
  })
})
