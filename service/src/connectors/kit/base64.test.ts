import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RetryableError } from '../../errors.ts'
import { inBase64 } from './base64.ts'

const send = (chunks: Uint8Array[], size?: number) =>
  text(inBase64('{"data":"', Readable.from(chunks.map((chunk) => Buffer.from(chunk))), '"}', size))

test('JSON with a file in base64 holds the same bytes, however they are cut into chunks', async () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 10 }), { maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(chunks, async (given) => {
      const { data } = JSON.parse(await send(given)) as { data: string }
      expect(data).toBe(Buffer.concat(given).toString('base64'))
    }),
  )
})

test.each([2, 4])('a file of three bytes is an error when %i bytes were announced', async (size) => {
  await expect(send([Buffer.from('abc')], size)).rejects.toThrow(RetryableError)
  expect(JSON.parse(await send([Buffer.from('abc')], 3))).toEqual({ data: 'YWJj' })
})
