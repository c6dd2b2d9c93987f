import { once } from 'node:events'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { readBytes, tapBytes } from './tap-bytes.ts'

const bytesOf = (...pieces: string[]) => Readable.from(pieces.map((piece) => Buffer.from(piece)))

/** Unlike `once`, not rejected by an error. */
const closing = (stream: Readable) => new Promise((resolve) => stream.once('close', resolve))

async function* breaking() {
  yield Buffer.from('one ')
  throw new Error('the source broke off')
}

test('taps see each piece before the reader, in their order, and share one stream', async () => {
  const seen: string[] = []
  const tapped = tapBytes(bytesOf('one ', 'two'), {
    onPiece: (piece) => void seen.push(`first: ${piece}`),
    onEnd: () => void seen.push('end'),
  })
  const again = tapBytes(tapped, { onPiece: async (piece) => void seen.push(`second: ${piece}`) })
  expect(again).toBe(tapped)
  expect(seen).toEqual([])
  expect(await text(again)).toBe('one two')
  expect(seen).toEqual(['first: one ', 'second: one ', 'first: two', 'second: two', 'end'])
})

test('a tap on a stream that is being read is a stream of its own', async () => {
  const stream = readBytes(bytesOf('one ', 'two'))
  await once(stream, 'readable')
  const late: string[] = []
  const tapped = tapBytes(stream, { onPiece: (piece) => void late.push(String(piece)) })
  expect(await text(tapped)).toBe('one two')
  expect(late.join('')).toBe('one two')
})

test('a tap that throws ends the stream, and the source is closed', async () => {
  const source = bytesOf('one ', 'two')
  const failures: unknown[] = []
  const tapped = tapBytes(source, {
    onPiece() {
      throw new Error('too much')
    },
    onFailure: (error) => void failures.push(error),
  })
  await expect(text(tapped)).rejects.toThrow('too much')
  expect(failures).toEqual([new Error('too much')])
  expect(source.destroyed).toBe(true)
})

test('a source that breaks off is told to every tap, in the words of its stream', async () => {
  const failures: unknown[] = []
  const stream = readBytes(breaking(), (cause) => new Error('the transfer broke off', { cause }))
  const tapped = tapBytes(stream, { onPiece: () => {}, onFailure: (error) => void failures.push(error) })
  await expect(text(tapped)).rejects.toThrow('the transfer broke off')
  expect(failures).toMatchObject([{ message: 'the transfer broke off', cause: { message: 'the source broke off' } }])
})

test('a source that breaks off before anyone reads is an error of the reader only', async () => {
  const source = new Readable({ read() {} })
  const tapped = readBytes(source)
  source.destroy(new Error('gone'))
  await closing(source)
  await expect(text(tapped)).rejects.toThrow('gone')
})

test('a reader that drops the stream closes the source, and this is no failure', async () => {
  for (const isRead of [true, false]) {
    const source = new Readable({ read() {} })
    source.push('one')
    const failures: unknown[] = []
    const tapped = tapBytes(source, { onPiece: () => {}, onFailure: (error) => void failures.push(error) })
    if (isRead) await once(tapped, 'readable')
    tapped.on('error', () => {}).destroy(new Error('the request failed'))
    await closing(source)
    expect(failures).toEqual([])
  }
})
