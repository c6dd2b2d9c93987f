import { Transform } from 'node:stream'
import { RetryableError } from '../../../errors.ts'

const opening = Buffer.from('"base64":')
const quote = 0x22
/** The longest text expected before the bytes in an answer. */
const longestHead = 4_096

/**
 * Decodes the only base64 value of a JSON answer while it arrives: `…"base64":"aGVs\nbG8="…`. The value holds only
 * base64 letters and escaped newlines, so no JSON parser is needed. A file need not fit into memory.
 */
export function decodeBytes(size: number): Transform {
  let head = Buffer.alloc(0)
  let place: 'head' | 'text' | 'tail' = 'head'
  let rest = ''
  let length = 0
  const decode = (stream: Transform, chunk: Buffer): void => {
    const end = chunk.indexOf(quote)
    if (end !== -1) place = 'tail'
    const text = rest + chunk.toString('latin1', 0, end === -1 ? chunk.length : end)
    // A chunk can end within an escaped newline. The backslash then waits for the next chunk.
    const cut = text.endsWith('\\') ? 1 : 0
    const letters = text.slice(0, text.length - cut).replaceAll('\\n', '')
    const whole = place === 'tail' ? letters.length : letters.length - (letters.length % 4)
    rest = letters.slice(whole) + text.slice(text.length - cut)
    const bytes = Buffer.from(letters.slice(0, whole), 'base64')
    length += bytes.length
    if (bytes.length > 0) stream.push(bytes)
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (place === 'text') decode(this, chunk)
      if (place === 'head') {
        head = Buffer.concat([head, chunk])
        const found = head.indexOf(opening)
        const start = found === -1 ? -1 : head.indexOf(quote, found + opening.length)
        if (start !== -1) {
          place = 'text'
          decode(this, head.subarray(start + 1))
        } else if (head.length > longestHead) {
          return done(new RetryableError('Tryton answered with no file'))
        }
      }
      done()
    },
    flush(done) {
      const isWhole = place === 'tail' && length === size
      done(isWhole ? null : new RetryableError('Tryton sent a file of another size than it said'))
    },
  })
}
