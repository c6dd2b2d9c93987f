import { Readable } from 'node:stream'
import { RetryableError } from '../../../errors.ts'
import type { FoundRecord, OutgoingFile, SentRelation, SoughtRecord, WriteOutcome } from '../../contract/contract.ts'
import { dropBytes } from '../../kit/files.ts'
import { refused } from '../../kit/outcomes.ts'
import { readIds, type Values } from './api.ts'
import { type FileWish, originOf, toFileWish } from './deals-from-family.ts'
import { findMarkedTexts } from './find-marked.ts'
import { listOf } from './from-family.ts'
import { markerOf, readMarked, withMarker } from './marker.ts'
import { TrytonRefusal } from './read-answer.ts'
import type { Tryton } from './tryton.ts'
import { findPlaced, stampOf, toResource } from './write-notes.ts'
import { findRows, refusedBy, type Wanted } from './write-tasks.ts'

/** Tryton needs the length beforehand. A file of unknown size is held in memory up to this limit. */
const mostHeld = 64 * 1024 * 1024

/** Sends a file in one request: JSON with base64 that is encoded while the bytes arrive. */
export async function sendFile(tryton: Tryton, file: OutgoingFile): Promise<WriteOutcome> {
  const { key, fields, destinationId } = file
  try {
    const resource = await resourceOf(tryton, fields.parent)
    if (resource === null) return refused(key, 'unrelated', 'The record that it belongs to is not in Tryton.')
    const marked = destinationId ?? (await findMarkedTexts(tryton, 'ir.attachment', [{ key, resource }])).get(key)?.[0]
    const wish = toFileWish(file)
    const values = {
      resource,
      name: wish.name,
      type: wish.link === null ? 'data' : 'link',
      link: wish.link,
      description: withMarker(wish.description, markerOf(key), originOf(file)),
    }
    const sent = await sendBytes(tryton, file, wish, values, marked === undefined ? null : Number(marked))
    if (typeof sent === 'string') return refused(key, 'too_large', sent)
    const [found] = await readFiles(tryton, [{ key, id: sent.id }], sent.size)
    if (!found) throw new RetryableError('Tryton stored another number of bytes than it was sent')
    return { key, result: 'written', destinationId: String(sent.id), url: null, version: found.version }
  } catch (error) {
    if (!(error instanceof TrytonRefusal)) throw error
    return refusedBy(key, error)
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
): Promise<{ id: number; size: number } | string> {
  if (wish.link !== null) return { id: await save(tryton, values, id), size: 0 }
  const held = size === null ? await hold(body) : { size, bytes: body }
  if (held === null) return 'Its size is not known beforehand, and it is too large to be held.'
  // Tryton stores an empty file as null.
  if (held.size === 0) return { id: await save(tryton, { ...values, data: null }, id), size: 0 }
  const data = { __class__: 'bytes', base64: '' }
  const params = id === null ? [[{ ...values, data }]] : [[id], { ...values, data }]
  const method = `model.ir.attachment.${id === null ? 'create' : 'write'}`
  const text = JSON.stringify({ id: 0, method, params: [...params, await tryton.context()] })
  const gap = text.lastIndexOf('"base64":""') + '"base64":"'.length
  const [head, tail] = [text.slice(0, gap), text.slice(gap)]
  const length = Buffer.byteLength(head) + 4 * Math.ceil(held.size / 3) + Buffer.byteLength(tail)
  const request = between(head, toBase64(held.bytes, held.size), tail)
  const result = await tryton.send(Readable.from(request, { objectMode: false }), length)
  return { id: id ?? Number(readIds(result, 1)[0]), size: held.size }
}

async function save(tryton: Tryton, values: Values, id: number | null): Promise<number> {
  if (id === null) return Number((await tryton.create('ir.attachment', [values]))[0])
  await tryton.write('ir.attachment', [id], values)
  return id
}

async function* between(head: string, bytes: AsyncIterable<Buffer>, tail: string): AsyncGenerator<Buffer> {
  yield Buffer.from(head)
  yield* bytes
  yield Buffer.from(tail)
}

async function* toBase64(bytes: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
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
  if (rest.length > 0) yield Buffer.from(rest.toString('base64'))
}

async function hold(bytes: AsyncIterable<Buffer>): Promise<{ size: number; bytes: AsyncIterable<Buffer> } | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of bytes) {
    chunks.push(chunk)
    size += chunk.length
    if (size > mostHeld) return null
  }
  return { size, bytes: Readable.from(chunks) }
}

export const findFiles = async (tryton: Tryton, sought: readonly SoughtRecord[]): Promise<FoundRecord[]> =>
  readFiles(tryton, await findPlaced(tryton, 'ir.attachment', sought))

/** With `size`, only files of exactly that size count. */
const readFiles = (tryton: Tryton, wanted: readonly Wanted[], size?: number): Promise<FoundRecord[]> =>
  findRows(tryton, 'ir.attachment', wanted, (row) => {
    if (row.resource === null || (size ?? row.data_size ?? 0) !== (row.data_size ?? 0)) return null
    const { text: description } = readMarked(row.description)
    const fields = { name: row.name ?? '', link: row.type === 'link' ? (row.link ?? '') : null, description }
    return { version: stampOf(row), fields }
  })
