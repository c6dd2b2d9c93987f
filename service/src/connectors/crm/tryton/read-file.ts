import { PassThrough, pipeline, Readable } from 'node:stream'
import { RetryableError } from '../../../errors.ts'
import type { FamilyRecord } from '../../../families/record.ts'
import type { Reader } from '../../contract/contract.ts'
import { shortcutOf } from './deals-to-family.ts'
import { decodeBytes } from './decode-bytes.ts'
import type { Tryton } from './tryton.ts'

type OpenedFile = Awaited<ReturnType<Reader['openFile']>>

/** Tryton sends the bytes as base64 in JSON. They are decoded as they arrive. */
export async function readFile(tryton: Tryton, { sourceId }: FamilyRecord): Promise<OpenedFile> {
  const id = Number(sourceId)
  const [row] = await tryton.rows('ir.attachment', [['id', '=', id]], ['type', 'link', 'data_size'])
  if (!row) throw new RetryableError('a file of Tryton is no longer there')
  const { type, link, data_size } = row
  if (type === 'link') {
    const bytes = shortcutOf(link ?? '')
    return { size: bytes.length, contentType: null, body: Readable.from([bytes]) }
  }
  const size = data_size ?? 0
  if (size === 0) return { size, contentType: null, body: Readable.from([]) }
  const answer = await tryton.stream('model.ir.attachment.read', [[id], ['data']])
  const body = new PassThrough()
  pipeline(answer.body, decodeBytes(size), body, (cause) => {
    if (cause) body.destroy(new RetryableError('the transfer of a file broke off', { cause }))
  })
  return { size, contentType: null, body }
}
