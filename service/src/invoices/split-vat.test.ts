import { expect, test } from 'vitest'
import { splitVat } from './split-vat.ts'

test.each([
  [4_900, 19, 4_118, 782],
  [10_000, 0, 10_000, 0],
  [4_900, 7.7, 4_550, 350],
  [1, 19, 1, 0],
  [49_000, 25, 39_200, 9_800],
])('%i with %f percent is %i and %i', (gross, percent, net, vat) => {
  expect(splitVat(gross, percent)).toEqual({ net, vat, gross })
})

test('net and VAT always add up to the gross amount', () => {
  for (let gross = 0; gross < 2_000; gross += 7) {
    const split = splitVat(gross, 19)
    expect(split.net + split.vat).toBe(gross)
  }
})
