import { expect, test } from 'vitest'
import { hashInTurns, hashRecord } from './engine/hash-record.ts'
import { jsonBytes } from './json-pieces.ts'

const long = 'x😀"\\\n\u2028\ud800 é'.repeat(50_000)
const values = {
  long,
  // A character of two units lies across the border of two slices.
  torn: `${'a'.repeat(64 * 1024 - 1)}😀${'b'.repeat(300_000)}`,
  many: Array.from({ length: 60_000 }, (_, index) => [index, `text ${index}`, null, undefined, true]),
  nested: { a: { b: [long, { c: long, none: undefined, when: new Date(0) }] }, empty: {}, list: [] },
}

test.each(Object.entries(values))(
  'a long value is serialized in slices exactly as in one piece: %s',
  async (_name, value) => {
    for (const given of [value, { value }, [value, 1]]) {
      expect((await jsonBytes(given)).equals(Buffer.from(JSON.stringify(given)))).toBe(true)
    }
  },
)

test.each(Object.entries(values))(
  'a long record has the same hash in slices and in one piece: %s',
  async (_name, value) => {
    const content = {
      fields: { value, z: 1, a: '', none: null },
      customFields: { b: { label: 'B', type: 'text' as const, value: long } },
      createdAt: '2024-01-01T00:00:00Z',
      updatedAt: null,
    }
    const atOnce = hashRecord(content)
    expect(await hashInTurns({ ...content })).toBe(atOnce)
  },
)
