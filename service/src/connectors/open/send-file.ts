import { createHash } from 'node:crypto'
import { pipeline, Transform } from 'node:stream'
import { RetryableError } from '../../errors.ts'
import type { OutgoingFile, SentRelation, WriteOutcome } from '../contract.ts'
import type { Api } from './api.ts'

const plainType = /^[\w.+-]+\/[\w.+-]+(;\s*[\w-]+=("[ -!#-~]*"|[\w.+-]+))*$/

/**
 * Streams a file, and counts it as written only when the destination stored exactly the bytes that went out.
 * `fields` hold `parent` and `parent_entity` (external id and entity of what it belongs to), `file_name` and `is_inline`.
 */
export async function sendFile(api: Api, _entity: string, file: OutgoingFile): Promise<WriteOutcome> {
  const { key, fields, size, contentType, createdAt, body } = file
  const parent = fields.parent as SentRelation
  const meter = meterStream()
  let sourceError: Error | null = null
  body.once('error', (error) => {
    sourceError = error
  })
  pipeline(body, meter.stream, () => {})
  try {
    const answer = await api.putFile(
      {
        external_id: key,
        parent_entity: parent.entity,
        parent: parent.key,
        // A text with half a character in it cannot be encoded.
        file_name: textOf(fields, 'file_name').toWellFormed(),
        inline: String(fields.is_inline === true),
        ...(createdAt !== null && { created_at: createdAt }),
      },
      {
        'content-type': contentType !== null && plainType.test(contentType) ? contentType : 'application/octet-stream',
        ...(size !== null && { 'content-length': String(size) }),
      },
      meter.stream,
    )
    if (!answer) {
      return { key, result: 'refused', code: 'too_large', message: 'The destination says that this file is too large.' }
    }
    if (answer.result === 'refused') {
      return { key, result: 'refused', code: answer.code, message: answer.message }
    }
    const sent = meter.finished()
    if (!sent) throw new RetryableError('the destination answered before it had the whole file')
    if (answer.size !== sent.size || answer.sha256.toLowerCase() !== sent.sha256) {
      throw new RetryableError(
        `the destination stored other bytes than we sent: ${answer.size} instead of ${sent.size}, or another sha256`,
      )
    }
    return { key, result: 'written', destinationId: answer.id, url: answer.url ?? null, version: answer.version }
  } catch (error) {
    // When the source broke off, the request fails as a consequence; what happened there is what decides.
    throw sourceError ?? error
  } finally {
    meter.stream.destroy()
    body.destroy()
  }
}

/** Passes bytes through, and knows their number and digest once the last one has passed. */
function meterStream() {
  const hash = createHash('sha256')
  let size = 0
  let sum: { size: number; sha256: string } | null = null
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      size += chunk.length
      done(null, chunk)
    },
    flush(done) {
      sum = { size, sha256: hash.digest('hex') }
      done()
    },
  })
  return { stream, finished: () => sum }
}

function textOf(fields: Record<string, unknown>, name: string): string {
  const value = fields[name]
  if (typeof value !== 'string' || value === '') throw new Error(`a file without ${name} cannot be sent`)
  return value
}
