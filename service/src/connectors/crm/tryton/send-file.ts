import { Readable } from 'node:stream'
import { RetryableError } from '../../../errors.ts'
import type { OutgoingFile, SentRelation, WriteOutcome } from '../../contract/contract.ts'
import { dropBytes } from '../../kit/files.ts'
import { RefusedError, refused, written } from '../../kit/outcomes.ts'
import { readIds, type Values } from './api.ts'
import { type FileWish, originOf, toFileWish } from './deals-from-family.ts'
import { findMarkedTexts, rulesOf } from './find-rows.ts'
import { listOf } from './from-family.ts'
import { markerOf, readMarked, withMarker } from './marker.ts'
import type { Tryton } from './tryton.ts'
import { stampOf } from './wire-values.ts'
import { findPlaced, toResource } from './write-notes.ts'

/** Tryton needs the length beforehand. A file of unknown size is held in memory up to this limit. */
const mostHeld = 64 * 1024 * 1024

/** Sends a file in one request: JSON with base64 that is encoded while the bytes arrive. */
export async function sendFile(tryton: Tryton, file: OutgoingFile): Promise<WriteOutcome> {
  const { key, fields, destinationId } = file
  try {
    const resource = await resourceOf(tryton, fields.parent)
    if (resource === null) return refused(key, 'unrelated', 'The record that it belongs to is not in Tryton.')
    const marked = destinationId === null ? await findMarkedTexts(tryton, 'ir.attachment', [{ key, resource }]) : []
    const known = destinationId ?? marked.find(([marker]) => marker === markerOf(key))?.[1] ?? null
    const wish = toFileWish(file)
    const values = {
      resource,
      name: wish.name,
      type: wish.link === null ? 'data' : 'link',
      link: wish.link,
      description: withMarker(wish.description, markerOf(key), originOf(file)),
    }
    const sent = await sendBytes(tryton, file, wish, values, known === null ? null : Number(known))
    const [stored] = await readFiles(tryton, [sent.id], sent.size)
    if (!stored) throw new RetryableError('Tryton stored another number of bytes than it was sent')
    return written(key, sent.id, { url: null, version: stored.version })
  } finally {
    dropBytes(file)
  }
}

/** Files of a note go to the note's parent, because Tryton's users cannot see a note's files. */
async function resourceOf(tryton: Tryton, parent: unknown): Promise<string | null> {
  const [sent] = listOf<SentRelation>(parent)
  if (sent?.entity !== 'notes' && sent?.entity !== 'activities') return toResource(parent)
  const [note] = await tryton.rowsIn('ir.note', 'id', [Number(sent.destinationId)], ['resource'])
  return note?.resource ?? null
}

async function sendBytes(
  tryton: Tryton,
  { body, size }: OutgoingFile,
  wish: FileWish,
  values: Values,
  id: number | null,
): Promise<{ id: number; size: number }> {
  if (wish.link !== null) return { id: await save(tryton, values, id), size: 0 }
  const held = size === null ? await hold(body) : { size, bytes: body }
  // Tryton stores an empty file as null.
  if (held.size === 0) return { id: await save(tryton, { ...values, data: null }, id), size: 0 }
  const data = { __class__: 'bytes', base64: '' }
  const params = id === null ? [[{ ...values, data }]] : [[id], { ...values, data }]
  const method = `model.ir.attachment.${id === null ? 'create' : 'write'}`
  const text = JSON.stringify({ id: 0, method, params: [...params, await tryton.context()] })
  const gap = text.lastIndexOf('"base64":""') + '"base64":"'.length
  const [head, tail] = [text.slice(0, gap), text.slice(gap)]
  const length = Buffer.byteLength(head) + 4 * Math.ceil(held.size / 3) + Buffer.byteLength(tail)
  const request = fill(head, held.bytes, held.size, tail)
  const result = await tryton.send(Readable.from(request, { objectMode: false }), length)
  return { id: id ?? Number(readIds(result, 1)[0]), size: held.size }
}

async function save(tryton: Tryton, values: Values, id: number | null): Promise<number> {
  if (id === null) return Number((await tryton.create('ir.attachment', [values]))[0])
  await tryton.write('ir.attachment', [id], values)
  return id
}

/** The request, with the bytes in base64 between its two ends. */
async function* fill(head: string, bytes: AsyncIterable<Buffer>, size: number, tail: string): AsyncGenerator<Buffer> {
  yield Buffer.from(head)
  let rest = Buffer.alloc(0)
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > size) break
    const whole = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const cut = whole.length - (whole.length % 3)
    rest = Buffer.from(whole.subarray(cut))
    if (cut > 0) yield Buffer.from(whole.toString('base64', 0, cut))
  }
  if (length !== size) throw new RetryableError('a file has another size than the source said')
  yield Buffer.from(rest.toString('base64') + tail)
}

async function hold(bytes: AsyncIterable<Buffer>): Promise<{ size: number; bytes: AsyncIterable<Buffer> }> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of bytes) {
    chunks.push(chunk)
    size += chunk.length
    if (size > mostHeld) {
      throw new RefusedError('too_large', 'Its size is not known beforehand, and it is too large to be held.')
    }
  }
  return { size, bytes: Readable.from(chunks) }
}

export const fileRules = (tryton: Tryton) =>
  rulesOf((ids) => readFiles(tryton, ids), findPlaced(tryton, 'ir.attachment'))

/** With `size`, only files of exactly that size count. */
async function readFiles(tryton: Tryton, ids: number[], size?: number) {
  return (await tryton.rowsIn('ir.attachment', 'id', ids)).flatMap((row) => {
    const { id, name, type, link, resource, description, data_size } = row
    // A file whose parent was deleted is invisible, so it counts as missing.
    if (resource === null || (size ?? data_size ?? 0) !== (data_size ?? 0)) return []
    const own = { name: name ?? '', link: type === 'link' ? (link ?? '') : null }
    return { id, version: stampOf(row), fields: { ...own, description: readMarked(description).text } }
  })
}
