import { Readable } from 'node:stream'
import { RetryableError } from '../../../errors.ts'
import type { FamilyRecord } from '../../../families/record.ts'
import { retryTransfer } from '../../../outbound/stream-form.ts'
import type { Reader } from '../../contract/contract.ts'
import { shortcutOf } from './to-family.ts'
import type { Tryton } from './tryton.ts'

/** The longest text expected before the bytes in an answer. */
const longestHead = 4_096

/** Tryton sends the bytes as base64 in JSON. They are decoded as they arrive. */
export async function readFile(tryton: Tryton, { sourceId }: FamilyRecord): ReturnType<Reader['openFile']> {
  const id = Number(sourceId)
  const [row] = await tryton.rows('ir.attachment', [['id', '=', id]], ['type', 'link', 'data_size'])
  if (!row) throw new RetryableError('a file of Tryton is no longer there')
  const held = row.type === 'link' ? shortcutOf(row.link ?? '') : null
  const size = held?.length ?? row.data_size ?? 0
  if (held || size === 0) return { size, contentType: null, body: Readable.from(held ? [held] : []) }
  const { body } = await tryton.stream('model.ir.attachment.read', [[id], ['data']])
  return { size, contentType: null, body: retryTransfer(Readable.from(decodeBytes(body, size), { objectMode: false })) }
}

/**
 * Decodes the only base64 value of a JSON answer while it arrives: `…"base64":"aGVs\nbG8="…`. The value holds only
 * base64 letters and escaped newlines, so no JSON parser is needed. A file need not fit into memory.
 */
export async function* decodeBytes(answer: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let text = ''
  let place: 'head' | 'value' | 'tail' = 'head'
  let length = 0
  for await (const chunk of answer) {
    if (place === 'tail') continue
    text += chunk.toString('latin1')
    const opening = place === 'head' ? /"base64":\s*"/.exec(text) : null
    if (opening) {
      place = 'value'
      text = text.slice(opening.index + opening[0].length)
    }
    if (place === 'head' && text.length > longestHead) throw new RetryableError('Tryton answered with no file')
    if (place === 'head') continue
    const end = text.indexOf('"')
    if (end !== -1) place = 'tail'
    const letters = (end === -1 ? text : text.slice(0, end)).replaceAll('\\n', '')
    // Four letters are three bytes. A chunk can end within an escaped newline, and the backslash waits for the next one.
    const usable = letters.replace('\\', '').length
    const whole = place === 'tail' ? usable : usable - (usable % 4)
    text = letters.slice(whole)
    const bytes = Buffer.from(letters.slice(0, whole), 'base64')
    length += bytes.length
    if (bytes.length > 0) yield bytes
  }
  if (place !== 'tail' || length !== size) {
    throw new RetryableError('Tryton sent a file of another size than it said')
  }
}
