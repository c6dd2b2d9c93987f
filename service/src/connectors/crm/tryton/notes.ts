import { Readable } from 'node:stream'
import { RetryableError } from '../../../errors.ts'
import type { FamilyRecord } from '../../../families/record.ts'
import { retryTransfer } from '../../../outbound/stream-form.ts'
import type * as contract from '../../contract/contract.ts'
import type { Reader } from '../../contract/contract.ts'
import { inBase64 } from '../../kit/base64.ts'
import { dropBytes } from '../../kit/files.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { refused, written } from '../../kit/outcomes.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { spoolFile } from '../../kit/spool-file.ts'
import { readIds, type Values } from './api.ts'
import { listOf, originOf, textOf, toFileWish, toNoteText, toResource } from './from-family.ts'
import { type FoundRow, knownIds, type Mark, rowActs, rulesOf, type Task, writeRows } from './rows.ts'
import { readResource, stampOf } from './schema.ts'
import { markerOf, readMarked, withMarker } from './texts.ts'
import { shortcutOf } from './to-family.ts'
import type { Tryton } from './tryton.ts'

// Notes and files of parties and opportunities.

export type Child = 'ir.note' | 'ir.attachment'

/** Notes and activities. If the author has no account, the text gets the author's name. */
export function noteActs(tryton: Tryton, entity: string): Omit<WrittenEntity, 'declared'> {
  const read = async (ids: number[]): Promise<FoundRow[]> =>
    (await tryton.rowsIn('ir.note', 'id', ids)).flatMap((row) => {
      const { id, resource, message } = row
      // A note whose parent was deleted is invisible, so it counts as missing.
      if (resource === null) return []
      return { id, version: stampOf(row), fields: { resource, text: readMarked(message).text } }
    })
  const look = () => rulesOf({ model: 'ir.note', read, findMarks: (sought) => findPlaced(tryton, 'ir.note', sought) })
  return rowActs(tryton, look, async (records) => {
    const rules = look()
    const authors = new Map((await tryton.people()).map(({ id, name }) => [id, name]))
    const parentOf = ({ fields }: contract.OutgoingRecord) => listOf<contract.SentRelation>(fields.related)[0] ?? null
    const placed = records.filter(({ fields }) => toResource(fields.related) !== null)
    const known = await knownIds(rules, placed, parentOf)
    const tasks = records.map((record): Task | contract.SettledOutcome => {
      const { key, fields, createdAt } = record
      const resource = toResource(fields.related)
      const unplaced = 'This note belongs to no record, and Tryton has no place for such a note.'
      if (resource === null) return refused(key, 'unrelated', unplaced)
      const name = authors.get(textOf(fields.author ?? fields.owner))
      const createdBy = record.createdBy ?? (name === undefined ? null : { name, email: null, userId: null })
      const message = withMarker(toNoteText(entity, record), markerOf(key), originOf({ createdAt, createdBy }))
      return { key, id: known.get(key) ?? null, values: { resource, message } }
    })
    return writeRows(tryton, rules, tasks)
  })
}

export function fileActs(tryton: Tryton): Omit<WrittenEntity, 'declared'> {
  const look = () =>
    rulesOf({
      model: 'ir.attachment',
      read: (ids) => readFiles(tryton, ids),
      findMarks: (sought) => findPlaced(tryton, 'ir.attachment', sought),
    })
  return { ...rowActs(tryton, look), writeFile: (file) => sendFile(tryton, file) }
}

const findPlaced = (tryton: Tryton, model: Child, sought: readonly contract.SoughtRecord[]) =>
  findMarks(
    tryton,
    model,
    sought.map(({ key, parent }) => ({ key, resource: toResource(parent) })),
  )

/**
 * Finds notes or files by the last line of their text. If the parent is known, only its notes and files are searched:
 * Tryton compares texts one by one, and a party can have thousands.
 */
async function findMarks(tryton: Tryton, model: Child, sought: readonly { key: string; resource: string | null }[]) {
  const field = model === 'ir.note' ? 'message' : 'description'
  const groups = [...Map.groupBy(sought, ({ resource }) => resource !== null)]
  const found = await sideBySide(groups, 1, ([isPlaced, some]) => {
    // In a `like` pattern, an underscore matches any character. The whole markers are compared later.
    const patterns = ['OR', ...some.map(({ key }) => [field, 'like', `%${markerOf(key)}`])]
    const resources = [...new Set(some.map(({ resource }) => resource))]
    return tryton.search(model, isPlaced ? [['resource', 'in', resources], patterns] : patterns, [field])
  })
  return found.flat().map((row): Mark => [readMarked(textOf(row[field])).marker ?? '', row.id])
}

/** Finds people's notes and files on records. They are reasons to keep the records. */
export async function findNotesAndFiles(tryton: Tryton, model: string, ids: number[], ownNotes: number[]) {
  const resources = ids.map((id) => `${model},${id}`)
  const reasons = new Map<number, string>()
  const findBelow = async (child: Child, reason: string) => {
    for (const { id, resource } of await tryton.rowsIn(child, 'resource', resources, ['resource'])) {
      if (child !== 'ir.note' || !ownNotes.includes(id)) reasons.set(readResource(resource)?.id ?? -1, reason)
    }
  }
  await findBelow('ir.note', 'There are notes on it.')
  await findBelow('ir.attachment', 'There are files on it.')
  return reasons
}

async function sendFile(tryton: Tryton, file: contract.OutgoingFile): Promise<contract.WriteOutcome> {
  const { key, fields, destinationId } = file
  await using cleanup = new AsyncDisposableStack()
  try {
    const resource = await resourceOf(tryton, fields.parent)
    if (resource === null) return refused(key, 'unrelated', 'The record that it belongs to is not in Tryton.')
    const marked = destinationId === null ? await findMarks(tryton, 'ir.attachment', [{ key, resource }]) : []
    const known = destinationId ?? marked.find(([marker]) => marker === markerOf(key))?.[1] ?? null
    const { name, link, description: text } = toFileWish(file)
    const description = withMarker(text, markerOf(key), originOf(file))
    const values = { resource, name, type: link === null ? 'data' : 'link', link, description }
    const size = link === null ? file.size : 0
    // Tryton needs the length beforehand.
    const bytes = size === null ? await spoolFile(file.body, cleanup) : { body: file.body, size }
    const id = await sendValues(tryton, bytes, values, known === null ? null : Number(known))
    const [stored] = await readFiles(tryton, [id], bytes.size)
    if (!stored) throw new RetryableError('Tryton stored another number of bytes than it was sent')
    return written(key, id, { url: null, version: stored.version })
  } finally {
    dropBytes(file)
  }
}

/** Files of a note go to the note's parent, because Tryton's users cannot see a note's files. */
async function resourceOf(tryton: Tryton, parent: unknown): Promise<string | null> {
  const [sent] = listOf<contract.SentRelation>(parent)
  if (sent?.entity !== 'notes' && sent?.entity !== 'activities') return toResource(parent)
  const [note] = await tryton.rowsIn('ir.note', 'id', [Number(sent.destinationId)], ['resource'])
  return note?.resource ?? null
}

/** Sends a file in one request: JSON with base64 that is encoded while the bytes arrive. */
async function sendValues(
  tryton: Tryton,
  { size, body }: { size: number; body: Readable },
  values: Values,
  id: number | null,
): Promise<number> {
  const paramsOf = (all: Values) => (id === null ? [[all]] : [[id], all])
  const method = `model.ir.attachment.${id === null ? 'create' : 'write'}`
  const idIn = (result: unknown) => id ?? Number(readIds(result, 1)[0])
  if (size === 0) {
    // Tryton stores an empty file as null.
    const all = values.link === null ? { ...values, data: null } : values
    return idIn(await tryton.call(method, paramsOf(all)))
  }
  const data = { __class__: 'bytes', base64: '' }
  const params = [...paramsOf({ ...values, data }), await tryton.context()]
  const text = JSON.stringify({ id: 0, method, params })
  const gap = text.lastIndexOf('"base64":""') + '"base64":"'.length
  const [head, tail] = [text.slice(0, gap), text.slice(gap)]
  const length = Buffer.byteLength(head) + 4 * Math.ceil(size / 3) + Buffer.byteLength(tail)
  const request = Readable.from(inBase64(head, body, tail, size), { objectMode: false })
  return idIn(await tryton.send(request, length))
}

/** With `size`, only files of exactly that size count. */
async function readFiles(tryton: Tryton, ids: number[], size?: number): Promise<FoundRow[]> {
  return (await tryton.rowsIn('ir.attachment', 'id', ids)).flatMap((row) => {
    const { id, name, type, link, resource, description, data_size } = row
    // A file whose parent was deleted is invisible, so it counts as missing.
    if (resource === null || (size ?? data_size ?? 0) !== (data_size ?? 0)) return []
    const own = { name: name ?? '', link: type === 'link' ? (link ?? '') : null }
    return { id, version: stampOf(row), fields: { ...own, description: readMarked(description).text } }
  })
}

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
