import { Readable } from 'node:stream'
import { RetryableError } from '../../../errors.ts'
import type { FoundRecord, OutgoingFile, SentRelation, SoughtRecord, WriteOutcome } from '../../contract/contract.ts'
import { dropBytes } from '../../kit/files.ts'
import { refused } from '../../kit/outcomes.ts'
import { type FileWish, originOf, toFileWish } from './deals-from-family.ts'
import { findMarkedTexts } from './find-marked.ts'
import { listOf } from './from-family.ts'
import { markerOf, readMarked, withMarker } from './marker.ts'
import { TrytonRefusal } from './read-answer.ts'
import type { Tryton } from './tryton.ts'
import { readIds, type Values } from './api.ts'
import { findPlaced, stampOf, toResource } from './write-notes.ts'
import { byId, foundIn, refusedBy, type Wanted } from './write-tasks.ts'

/** A file whose size nobody knows is held in memory up to this: Tryton wants to know the length beforehand. */
const mostHeld = 64 * 1024 * 1024

/** A file is one request: JSON around base64, made as the bytes arrive. */
export async function sendFile(tryton: Tryton, file: OutgoingFile): Promise<WriteOutcome> {
  const { key, fields, destinationId } = file
  try {
    const resource = await resourceOf(tryton, fields.parent)
    if (resource === null) return refused(key, 'unrelated', 'What it belongs to is not in Tryton.')
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

/** Files of notes hang on what the note hangs on: nobody sees those of a note. */
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
  const known = size === null ? await hold(body) : { size, bytes: body }
  if (known === null) return 'Its size is not known beforehand, and it is too large to be held.'
  // Tryton keeps no file for nothing.
  if (known.size === 0) return { id: await save(tryton, { ...values, data: null }, id), size: 0 }
  const data = { __class__: 'bytes', base64: '' }
  const params = id === null ? [[{ ...values, data }]] : [[id], { ...values, data }]
  const method = `model.ir.attachment.${id === null ? 'create' : 'write'}`
  const text = JSON.stringify({ id: 0, method, params: [...params, await tryton.context()] })
  const gap = text.lastIndexOf('"base64":""') + '"base64":"'.length
  const [head, tail] = [text.slice(0, gap), text.slice(gap)]
  const length = Buffer.byteLength(head) + 4 * Math.ceil(known.size / 3) + Buffer.byteLength(tail)
  let broken: unknown = null
  const request = Readable.from(
    (async function* () {
      yield Buffer.from(head)
      try {
        yield* toBase64(known.bytes, known.size)
      } catch (error) {
        broken = error
        throw error
      }
      yield Buffer.from(tail)
    })(),
    { objectMode: false },
  )
  try {
    const result = await tryton.send(request, length)
    return { id: id ?? Number(readIds(result, 1)[0]), size: known.size }
  } catch (error) {
    // When the source broke off, the request fails as a consequence; what happened there is what decides.
    throw broken ?? error
  } finally {
    request.on('error', () => {}).destroy()
  }
}

async function save(tryton: Tryton, values: Values, id: number | null): Promise<number> {
  if (id === null) return Number((await tryton.create('ir.attachment', [values]))[0])
  await tryton.write('ir.attachment', [id], values)
  return id
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

/** With a size, only those of so many bytes. */
async function readFiles(tryton: Tryton, wanted: readonly Wanted[], size?: number): Promise<FoundRecord[]> {
  const ids = wanted.map(({ id }) => id)
  return foundIn(byId(await tryton.rowsIn('ir.attachment', 'id', ids)), wanted, (row) => {
    if (row.resource === null || (size ?? row.data_size ?? 0) !== (row.data_size ?? 0)) return null
    const { text: description } = readMarked(row.description)
    const fields = { name: row.name ?? '', link: row.type === 'link' ? (row.link ?? '') : null, description }
    return { version: stampOf(row), fields }
  })
}
