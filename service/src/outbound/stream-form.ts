import { randomUUID } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { RetryableError } from '../errors.ts'

export interface FormFile {
  /** Name of the form's field. */
  field: string
  fileName: string
  contentType: string | null
  size: number | null
  body: Readable
}

/** The progress of the file's bytes. */
export interface SentFile {
  bytes: number
  isWhole: boolean
  /** The error with which the source broke off. The request then fails too. */
  failure: unknown
}

/**
 * Streams a form with one file, as a browser sends it. Servers stream such a form to a file; a bare body would have to
 * fit into memory.
 */
export function streamForm(
  words: Record<string, string>,
  { field, fileName, contentType, size, body }: FormFile,
): { stream: Readable; headers: Record<string, string>; sent: SentFile } {
  const boundary = `wherry-${randomUUID()}`
  const part = (head: string, text: string) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n${text}`
  const fields = Object.entries(words).map(([name, value]) => part(`name="${name}"`, `\r\n${value}\r\n`))
  const name = fileName.replace(/[\p{Cc}"\\/]/gu, '-')
  const head = Buffer.from(
    `${fields.join('')}${part(`name="${field}"; filename="${name}"`, `Content-Type: ${plainType(contentType)}\r\n\r\n`)}`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const sent: SentFile = { bytes: 0, isWhole: false, failure: null }
  async function* write() {
    yield head
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        sent.bytes += chunk.length
        yield chunk
      }
    } catch (error) {
      sent.failure = error
      throw error
    }
    sent.isWhole = true
    yield tail
  }
  return {
    sent,
    stream: Readable.from(write(), { objectMode: false }),
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...(size === null ? {} : { 'content-length': String(head.length + size + tail.length) }),
    },
  }
}

/** The content type without parameters. An invalid type becomes plain bytes. */
export const plainType = (contentType: string | null): string =>
  /^[\w.+-]+\/[\w.+-]+$/.exec(contentType?.split(';')[0]?.trim() ?? '')?.[0] ?? 'application/octet-stream'

/** Turns a broken transfer into a retryable error, like a broken request. */
export function retryTransfer(body: Readable): Readable {
  const passed = new PassThrough()
  body.on('error', (cause) => passed.destroy(new RetryableError('the transfer of a file broke off', { cause })))
  passed.on('close', () => body.destroy())
  return body.pipe(passed)
}
