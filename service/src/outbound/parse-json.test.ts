import { expect, test } from 'vitest'
import { parseJson } from './parse-json.ts'

const parse = (text: string) => parseJson([new Uint8Array(Buffer.from(text))])

test('a byte order mark before the JSON is ignored', () => {
  expect(parse('\uFEFF{"name":"Ann"}')).toEqual({ name: 'Ann' })
})

test('a whole number that JavaScript would round becomes a text; other numbers stay numbers', () => {
  const given =
    '{"id":9007199254740993,"ids":[ -12345678901234567890 , 7],"size":1.5,"big":1e300,"safe":1234567890123456}'
  expect(parse(given)).toEqual({
    ...{ id: '9007199254740993', ids: ['-12345678901234567890', 7] },
    ...{ size: 1.5, big: 1e300, safe: 1_234_567_890_123_456 },
  })
})

test('NUL characters are removed, beside long numbers too', () => {
  expect(parse('{"text":"a\\u0000b","id":9007199254740993}')).toEqual({ text: 'ab', id: '9007199254740993' })
})

test('half characters are replaced, and whole ones stay', () => {
  const given = '{"a":"x\\ud83dy","b":"\\udea2","c":"\\ud83d\\udea2","d":"\\uD83D\\uD83D\\uDEA2","e":"\\\\ud83d"}'
  expect(parse(given)).toEqual({ a: 'x\ufffdy', b: '\ufffd', c: '🚢', d: '\ufffd🚢', e: '\\ud83d' })
})
