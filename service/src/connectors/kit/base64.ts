import { RetryableError } from '../../errors.ts'

/**
 * Streams a file as base64 inside JSON, so that memory never holds the whole file. With `size`, a file of another size
 * is an error.
 */
export async function* inBase64(
  before: string,
  bytes: AsyncIterable<Buffer>,
  after: string,
  size: number | null = null,
): AsyncGenerator<Buffer> {
  yield Buffer.from(before)
  let left: Buffer = Buffer.alloc(0)
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (size !== null && length > size) break
    const all = Buffer.concat([left, chunk])
    const whole = all.length - (all.length % 3)
    yield Buffer.from(all.subarray(0, whole).toString('base64'))
    left = all.subarray(whole)
  }
  if (size !== null && length !== size) throw new RetryableError('a file has another size than the source said')
  yield Buffer.from(`${left.toString('base64')}${after}`)
}
