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
