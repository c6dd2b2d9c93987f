import { PassThrough, pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { UnreadableAnswerError } from '../errors.ts'

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
}

/** Each encoding takes memory of its own, and a header has room for thousands. */
const mostEncodings = 3

/** A file that is itself an archive. Some servers name its own compression as the encoding, too. */
const archive = /^application\/(x-)?gzip\b/i

/**
 * Undoes the compression of an answer. We ask for none, but some servers compress every answer, and storage hosts keep
 * files compressed. Like browsers, it ignores unknown encodings: `aws-chunked` and `utf-8` are known mistakes of servers.
 */
export function decodeBody(body: Readable, headers: Record<string, string | string[] | undefined>): Readable {
  if (archive.test(String(headers['content-type'] ?? ''))) return body
  const encodings = String(headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
  const known = encodings.reverse().flatMap((name) => decoders[name.trim()] ?? [])
  if (known.length > mostEncodings) {
    body.on('error', () => {}).destroy()
    throw new UnreadableAnswerError(`the tool compressed an answer ${known.length} times`)
  }
  // If one of the streams breaks off, the others do too. The reader gets the error.
  return known.reduce<Readable>(
    (packed, decoder) => pipeline(packed, unpack(decoder()), new PassThrough(), () => {}),
    body,
  )
}

/** An answer without a body may name an encoding, too. A decoder alone would take it for a cut one. */
const unpack = (decoder: Transform) =>
  async function* (packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let isEmpty = true
    async function* watched() {
      for await (const part of packed) {
        isEmpty = false
        yield part
      }
    }
    try {
      yield* pipeline(watched, decoder, () => {})
    } catch (error) {
      if (!isEmpty) throw error
    }
  }
