import { expect, test } from 'vitest'
import { parseKeyRing } from './key-ring.ts'

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')

test('a sealed value opens in its place, and is unreadable before', () => {
  const ring = parseKeyRing(`k1:${key(1)}`)
  const sealed = ring.seal('geheim 🗝', 'authorizations/imp_1')
  expect(sealed.includes('geheim')).toBe(false)
  expect(ring.open(sealed, 'authorizations/imp_1')).toBe('geheim 🗝')
  expect(ring.seal('geheim 🗝', 'authorizations/imp_1').equals(sealed)).toBe(false)
})

test('a sealed value moved to another row, or changed in any byte, does not open', () => {
  const ring = parseKeyRing(`k1:${key(1)}`)
  const sealed = ring.seal('secret', 'a')
  expect(() => ring.open(sealed, 'b')).toThrow()
  for (let index = 0; index < sealed.length; index++) {
    const changed = Buffer.from(sealed)
    changed[index] = (changed[index] ?? 0) ^ 1
    expect(() => ring.open(changed, 'a')).toThrow()
  }
  expect(() => ring.open(Buffer.alloc(0), 'a')).toThrow()
  expect(() => ring.open(sealed.subarray(0, 10), 'a')).toThrow()
})

test('a rotated ring opens values of the old key, and seals with the new one', () => {
  const old = parseKeyRing(`k1:${key(1)}`)
  const rotated = parseKeyRing(`k2:${key(2)},k1:${key(1)}`)
  expect(rotated.open(old.seal('x', 'p'), 'p')).toBe('x')
  expect(() => old.open(rotated.seal('x', 'p'), 'p')).toThrow('sealed with key "k2"')
})

test('another key with the same name is refused, and the error names the next step', () => {
  const sealed = parseKeyRing(`k1:${key(1)}`).seal('x', 'p')
  expect(() => parseKeyRing(`k1:${key(2)}`).open(sealed, 'p')).toThrow('needs the same WHERRY_KEYS')
})

test('an invalid ring is refused, and the error names the next step', () => {
  for (const text of ['', 'k1', 'k1:short', `K1:${key(1)}`, `k1:${key(1)},k1:${key(2)}`]) {
    expect(() => parseKeyRing(text)).toThrow('openssl rand -base64 32')
  }
})
