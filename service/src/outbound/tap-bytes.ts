import { Readable } from 'node:stream'

/** Looks at the bytes of a stream on their way to the reader. */
export interface Tap {
  /** Called for each piece, before the reader gets it. The reader waits for a promise, and gets the error if it throws. */
  onPiece(piece: Buffer): void | Promise<void>
  /** Called after the last piece. */
  onEnd?(): void
  /** Called if the stream breaks off, but not if its reader drops it. */
  onFailure?(error: unknown): void
}

/** The taps of streams that nobody has begun to read. */
const tapsOf = new WeakMap<Readable, Tap[]>()

/** The same bytes as a stream that can be tapped. Nothing is read before the reader asks. */
export function readBytes(
  pieces: AsyncIterable<Buffer>,
  toError: (error: unknown) => unknown = (error) => error,
): Readable {
  const taps: Tap[] = []
  const passed = passOn(pieces, taps, toError, () => tapsOf.delete(stream))
  const stream: Readable = Readable.from(passed, { objectMode: false })
  if (pieces instanceof Readable) {
    // Until it is read, nobody else would take its error; and it must end even if nobody ever reads it.
    pieces.on('error', () => {})
    stream.once('close', () => pieces.destroy())
  }
  tapsOf.set(stream, taps)
  return stream
}

/** Returns the stream with one more tap. Taps share one stream: most files are small, and each stream takes time. */
export function tapBytes(stream: Readable, tap: Tap): Readable {
  const taps = tapsOf.get(stream)
  if (!taps) return tapBytes(readBytes(stream), tap)
  taps.push(tap)
  return stream
}

async function* passOn(
  pieces: AsyncIterable<Buffer>,
  taps: readonly Tap[],
  toError: (error: unknown) => unknown,
  onBegin: () => void,
): AsyncGenerator<Buffer> {
  onBegin()
  let at: 'source' | 'tap' | 'reader' = 'source'
  try {
    for await (const piece of pieces) {
      at = 'tap'
      for (const tap of taps) {
        const wait = tap.onPiece(piece)
        if (wait) await wait
      }
      at = 'reader'
      yield piece
      at = 'source'
    }
  } catch (thrown) {
    const error = at === 'source' ? toError(thrown) : thrown
    if (at !== 'reader') for (const tap of taps) tap.onFailure?.(error)
    throw error
  }
  for (const tap of taps) tap.onEnd?.()
}
