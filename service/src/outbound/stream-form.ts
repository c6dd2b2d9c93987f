import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { RetryableError } from '../errors.ts'
import { createGiveWay } from '../give-way.ts'
import { slicesOf } from '../json-pieces.ts'
import { readBytes, tapBytes } from './tap-bytes.ts'

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
 * Streams a form with at most one file, as a browser sends it. Servers stream such a form to a file; a bare body would
 * have to fit into memory. As a list, `words` may have several fields with the same name.
 */
export function streamForm(
  words: Record<string, string> | readonly (readonly [string, string])[],
  file: FormFile | null,
): { stream: Readable; headers: Record<string, string>; sent: SentFile } {
  const boundary = `wherry-${randomUUID()}`
  const part = (head: string, text: string) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n${text}`
  const fields = Array.isArray(words) ? words : Object.entries(words)
  const parts = fields.map(([name, value]) => part(`name="${name}"`, `\r\n${value}\r\n`))
  if (file) {
    const name = file.fileName.replace(/[\p{Cc}"\\/]/gu, '-')
    const type = `Content-Type: ${plainType(file.contentType)}`
    parts.push(part(`name="${file.field}"; filename="${name}"`, `${type}\r\n\r\n`))
  }
  const head = parts.join('')
  const tail = Buffer.from(`${file ? '\r\n' : ''}--${boundary}--\r\n`)
  const size = file ? file.size : 0
  const sent: SentFile = { bytes: 0, isWhole: false, failure: null }
  async function* write() {
    // Converting a long text to bytes takes time, so other work runs between the slices.
    const giveWay = createGiveWay()
    for (const slice of slicesOf(head)) {
      await giveWay()
      yield Buffer.from(slice)
    }
    if (file) yield* countSent(file.body, sent)
    sent.isWhole = true
    yield tail
  }
  return {
    sent,
    stream: readBytes(write()),
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...(size === null ? {} : { 'content-length': String(Buffer.byteLength(head) + size + tail.length) }),
    },
  }
}

/** The same bytes; `sent` is kept up to date. */
export function countSent(body: Readable, sent: SentFile): Readable {
  return tapBytes(body, {
    onPiece(piece) {
      sent.bytes += piece.length
    },
    onEnd() {
      sent.isWhole = true
    },
    onFailure(error) {
      sent.failure = error
    },
  })
}

/** The content type without parameters. An invalid type becomes plain bytes. */
export const plainType = (contentType: string | null): string =>
  /^[\w.+-]+\/[\w.+-]+$/.exec(contentType?.split(';')[0]?.trim() ?? '')?.[0] ?? 'application/octet-stream'

/** Turns a broken transfer into a retryable error, like a broken request. */
export function retryTransfer(body: Readable): Readable {
  // Begins to read, so that a short file is here before the destination has a turn for it.
  body.read(0)
  return readBytes(body, (cause) => new RetryableError('the transfer of a file broke off', { cause }))
}
