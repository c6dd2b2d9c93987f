import { expect, test } from 'vitest'
import { asciiAddress } from './ascii-address.ts'

test.each([
  ['user@bücher.example', 'user@xn--bcher-kva.example'],
  ['user@BÜCHER.example', 'user@xn--bcher-kva.example'],
  ['user@例え.テスト', 'user@xn--r8jz45g.xn--zckzah'],
  ['üser@plain.example', 'üser@plain.example'],
  ['Ann@Plain.example', 'Ann@Plain.example'],
  ['two@at@bücher.example', 'two@at@xn--bcher-kva.example'],
])('the host of %s is written in ASCII', (address, expected) => {
  expect(asciiAddress(address)).toBe(expected)
})

test.each(['', 'nonsense', '@', 'a@', 'a@ü ü', 'a@ü%', 'a@\u202e'])(
  'an invalid address such as "%s" stays unchanged',
  (address) => {
    expect(asciiAddress(address)).toBe(address)
  },
)
