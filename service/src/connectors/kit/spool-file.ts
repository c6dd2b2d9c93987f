import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * Stores a file on disk until the cleanup, for tools that must know its size or its encoding before the first byte is
 * sent.
 */
export async function spoolFile(body: Readable, cleanup: AsyncDisposableStack) {
  const folder = await mkdtemp(join(tmpdir(), 'wherry-file-'))
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'bytes')
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let size = 0
  let isUtf8 = true
  const decode = (chunk?: Buffer) => {
    try {
      if (isUtf8) decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      isUtf8 = false
    }
  }
  async function* meter(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      size += chunk.length
      decode(chunk)
      yield chunk
    }
    decode()
  }
  await pipeline(body, meter, createWriteStream(path, { mode: 0o600 }))
  return { size, isUtf8, body: createReadStream(path) }
}
