import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { AttachmentRow } from './rows.ts'

const CHUNK_BYTES = 64 * 1024

/** Computes the bytes of a large file that is never stored. The same size always gives the same bytes. */
export function* computedBytes(size: number): Generator<Buffer> {
  let state = 0x9e3779b9 ^ size || 1
  for (let offset = 0; offset < size; offset += CHUNK_BYTES) {
    const words = new Uint32Array(CHUNK_BYTES / 4)
    for (let i = 0; i < words.length; i += 1) {
      state ^= state << 13
      state ^= state >>> 17
      state ^= state << 5
      words[i] = state
    }
    yield Buffer.from(words.buffer, 0, Math.min(CHUNK_BYTES, size - offset))
  }
}

export function sha256Of(chunks: Iterable<Uint8Array>): string {
  const hash = createHash('sha256')
  for (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

export function attachmentBody(row: AttachmentRow, stored: Uint8Array | null): Buffer | Readable {
  return stored ? Buffer.from(stored) : Readable.from(computedBytes(row.size), { objectMode: false })
}

const SHOWN_IN_BROWSER = new Set(['image/png', 'image/jpeg', 'image/gif'])

/** The file name comes from strangers, so it is percent-encoded and never used as a path. */
export function attachmentHeaders(row: AttachmentRow): Record<string, string> {
  const shown = SHOWN_IN_BROWSER.has(row.content_type)
  const name = encodeURIComponent(row.file_name.toWellFormed()).replace(/['()*]/g, percentEncode)
  return {
    'content-type': row.content_type,
    'content-length': String(row.size),
    'content-disposition': `${shown ? 'inline' : 'attachment'}; filename="attachment-${row.id}"; filename*=UTF-8''${name}`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  }
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
