import { RetryableError, UnreadableAnswerError } from '../../../errors.ts'
import { cutText } from '../../../text/cut-text.ts'
import type {
  FoundRecord,
  OutgoingFile,
  RemovableRecord,
  RemoveOutcome,
  SentRelation,
  SideRecord,
  SoughtRecord,
  WriteOutcome,
} from '../../contract/contract.ts'
import { dropBytes, safeFileName, sendForm } from '../../kit/files.ts'
import { foundFile } from '../../kit/found-parts.ts'
import type { Sent } from '../../kit/http.ts'
import { digestOf } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { once } from '../../kit/once.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { RefusedError, written } from '../../kit/outcomes.ts'
import { readAll } from '../../kit/pages.ts'
import { removeEach } from '../../kit/remove.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { accepted, errorsOf, label, largestPage, present, requestsAtOnce } from './api.ts'
import { externalOf } from './find-contacts.ts'
import { markIn, markOf, readersOf, withOrigin } from './lenses.ts'
import { conversationsOf } from './list-tickets.ts'
import type { WriteContext } from './write-people.ts'

// Files. Each is added to the article, ticket or note that it belongs to: its holder. A file has no place for our key.
// So before a file is sent, we note a digest of its name and the ids of the files that its holder has. Files of one
// holder are sent one after the other.
//
// The id of a file begins with its place, which is that of its holder: `a7` is an article, `12` a ticket, `12-34` a
// note of that ticket.

const noteKind = 'file_of_record'
/** Notes the entities to whose records Freshdesk adds no file. Their files become private notes. */
const aloneKind = 'files_as_notes'
/** The maximum number of remembered holders. */
const mostHolders = 2_000

interface Holder {
  fileIds: readonly string[]
  /** Whether people other than agents can read the holder. */
  isOpen(): Promise<boolean>
}

export const filesIn = (json: unknown): RawRecord[] => {
  const { attachments } = (json ?? {}) as { attachments?: unknown }
  return Array.isArray(attachments) ? (attachments as RawRecord[]) : []
}
const idsIn = (json: unknown) => filesIn(json).map(({ id }) => String(id))
const sizeOf = (file: RawRecord | undefined): number | null => {
  const size = file?.size ?? file?.file_size
  return typeof size === 'number' ? size : null
}
/** The address for agents. The API's file address expires within minutes. */
const fileUrl = ({ api }: WriteContext, id: unknown) => `${api.site}/helpdesk/attachments/${id}`

export const placeOf = ({ entity, destinationId }: Pick<SentRelation, 'entity' | 'destinationId'>) =>
  entity === 'articles' ? `a${destinationId}` : destinationId
/** The article or ticket of a place. */
export const rootOf = (place: string) => place.split('-')[0] ?? ''
const placeIn = (fileId: string) => fileId.slice(0, fileId.lastIndexOf('-'))
const pathOf = (place: string) => {
  const [root = '', noteId] = place.split('-')
  if (noteId !== undefined) return `/conversations/${noteId}`
  return root.startsWith('a') ? `/solutions/articles/${root.slice(1)}` : `/tickets/${root}`
}

export const messagesNow = ({ api }: WriteContext, ticketId: string): Promise<RawRecord[]> =>
  readAll(conversationsOf(api, ticketId, ['/tickets/']), largestPage)

/**
 * The holders at these places, which all belong to one article or ticket. Freshdesk shows no single note, so all notes
 * are read at once.
 */
async function readHolders(
  context: WriteContext,
  root: string,
  places: readonly string[],
): Promise<Map<string, RawRecord>> {
  const found = new Map<string, RawRecord>()
  const raw = places.includes(root)
    ? await context.api.view(pathOf(root).replace(/\/\d+$/, ''), root.replace('a', ''))
    : null
  if (raw && raw.deleted !== true) found.set(root, raw)
  const notes = places.some((place) => place !== root) ? await messagesNow(context, root) : []
  for (const note of notes) found.set(`${root}-${note.id}`, note)
  return found
}

export function openFiles(context: WriteContext): Required<Pick<WrittenEntity, 'writeFile' | 'find' | 'remove'>> {
  const { api, sides } = context
  const holders = new Map<string, Holder>()
  const alone = once(async () => new Set((await sides.list(aloneKind)).map(({ mark }) => mark)))

  async function isOpenArticle({ status, folder_id }: RawRecord): Promise<boolean> {
    if (status !== 2) return false
    const folder = await api.view('/solutions/folders', String(folder_id))
    return readersOf(folder?.visibility) === 'public'
  }

  async function findHolder(place: string): Promise<Holder | undefined> {
    if (holders.size > mostHolders) holders.clear()
    const root = rootOf(place)
    for (const [at, raw] of await readHolders(context, root, [place])) {
      const isOpen = async () => (at.startsWith('a') ? isOpenArticle(raw) : at === root || raw.private === false)
      holders.set(at, { fileIds: idsIn(raw), isOpen })
    }
    return holders.get(place)
  }

  const writtenAs = (key: string, place: string, { id }: RawRecord) =>
    written(key, `${place}-${id}`, { url: fileUrl(context, id), version: null })

  async function writeFile(file: OutgoingFile): Promise<WriteOutcome> {
    const { key, destinationId, fields } = file
    const parent = fields.parent as SentRelation
    if (destinationId !== null) {
      dropBytes(file)
      const place = placeIn(destinationId)
      const there = filesIn((await readHolders(context, rootOf(place), [place])).get(place))
      return writtenAs(key, place, present(there.find(({ id }) => `${place}-${id}` === destinationId)))
    }
    const place = placeOf(parent)
    // People may publish an article at any time. Nobody can open a private note.
    const remembered = parent.entity === 'articles' ? undefined : holders.get(place)
    const holder = remembered ?? (await findHolder(place))
    if (!holder) dropBytes(file)
    const known = present(holder)
    const isHidden = fields.is_private === true && (await known.isOpen())
    if (isHidden && parent.entity === 'articles') {
      dropBytes(file)
      throw new RefusedError('not_protected', 'Everyone can read its article, and would see this private file.')
    }
    const isAlone = isHidden || (await alone()).has(parent.entity)
    return isAlone ? writeAsNote(file, rootOf(place)) : addToHolder(file, parent.entity, place, known)
  }

  async function addToHolder(file: OutgoingFile, entity: string, place: string, holder: Holder) {
    const { key, fields } = file
    const { fileIds: before } = holder
    const fileName = safeFileName(fields.file_name)
    const version = [digestOf(fileName, 16), ...before].join(' ')
    const note = { kind: noteKind, mark: externalOf(key), destinationId: null, version }
    await sides.note(note)
    const added = (json: unknown) => filesIn(json).findLast(({ id }) => !before.includes(String(id)))
    const form = { field: 'attachments[]', fileName, storedSize: (json: unknown) => sizeOf(added(json)) }
    const sent = await sendForm(label, file, form, (sending) => api.http.send('PUT', pathOf(place), sending)).finally(
      // Without an answer nobody knows whether the file is there.
      () => holders.delete(place),
    )
    if (sent.result === 'refused') await sides.forget(note)
    if (entity !== 'articles' && isAboutHolder(sent)) {
      await sides.note({ kind: aloneKind, mark: entity, destinationId: null, version: null })
      ;(await alone()).add(entity)
      // The bytes are spent, so the engine has to send the file again.
      throw new RetryableError('Freshdesk did not add the file to its record. We send it as a note.')
    }
    const stored = added(accepted(sent))
    if (!stored) throw new UnreadableAnswerError(`${label} answered with no file`)
    // The note stays: it identifies the file if the worker is killed before the outcome is stored.
    await sides.note({ ...note, destinationId: `${place}-${stored.id}` })
    holders.set(place, { ...holder, fileIds: [...before, String(stored.id)] })
    return writtenAs(key, place, stored)
  }

  /** Our line in the note identifies the file, and nobody gets a mail. */
  async function writeAsNote(file: OutgoingFile, ticketId: string): Promise<WriteOutcome> {
    const { key, fields } = file
    const name = safeFileName(fields.file_name)
    const user = typeof fields.uploaded_by === 'string' ? { user_id: fields.uploaded_by } : {}
    const form = {
      ...{ field: 'attachments[]', fileName: name },
      words: { body: withOrigin(file, '', [cutText(name, 100)]), private: 'true', ...user },
      storedSize: (json: unknown) => sizeOf(filesIn(json)[0]),
    }
    const sent = await sendForm(label, file, form, (sending) =>
      api.http.send('POST', `/tickets/${ticketId}/notes`, sending),
    )
    const made = accepted(sent)
    const [stored] = filesIn(made)
    if (!stored) throw new UnreadableAnswerError(`${label} answered with no file`)
    return writtenAs(key, `${ticketId}-${api.one(made, 'note').id}`, stored)
  }

  return {
    writeFile,
    find: (sought) => findFiles(context, sought),
    remove: (records) => removeFiles(context, records),
  }
}

/** Whether Freshdesk refused to change the holder at all. The size and the kind of a file are reasons of the file. */
const isAboutHolder = (sent: Sent): boolean =>
  sent.result === 'refused' &&
  sent.status === 400 &&
  !errorsOf(sent.json).some(({ field }) => field.startsWith('attachments'))

/** Finds files by id, by what we noted before sending them, or by our line in their own note. */
async function findFiles(context: WriteContext, sought: readonly SoughtRecord[]): Promise<FoundRecord[]> {
  const isDoubtful = sought.some(({ destinationId }) => destinationId === null)
  const notes = isDoubtful ? await context.sides.list(noteKind) : []
  const placed = sought.map((one) => {
    const place = one.destinationId !== null ? placeIn(one.destinationId) : one.parent ? placeOf(one.parent) : ''
    return { ...one, place, root: rootOf(place) }
  })
  const groups = [...Map.groupBy(placed, ({ root }) => root)].filter(([root]) => /^a?\d+$/.test(root))
  const found = await sideBySide(groups, requestsAtOnce, async ([root, some]) => {
    const mayBeNotes = !root.startsWith('a') && some.some(({ destinationId }) => destinationId === null)
    const places = some.map(({ place }) => place)
    const holders = await readHolders(context, root, mayBeNotes ? [...places, `${root}-`] : places)
    const own: FoundRecord[] = []
    for (const { key, destinationId, place } of some) {
      const files = filesIn(holders.get(place))
      const known = files.filter(({ id }) => `${place}-${id}` === destinationId)
      const sent = destinationId === null ? await findSent(context, key, place, files, notes) : known
      own.push(...sent.map((file) => toFound(context, key, place, file)))
      for (const [at, raw] of destinationId === null ? holders : []) {
        const isNote = markIn(raw.body) === markOf(key)
        for (const file of isNote ? filesIn(raw).slice(0, 1) : []) own.push(toFound(context, key, at, file))
      }
    }
    return own
  })
  return found.flat()
}

/**
 * The files that we noted under this key: those of its name that were not there before, and that belong to no other
 * note. A single one is noted, so that it is not taken for a later file of the same name.
 */
async function findSent(
  { sides }: WriteContext,
  key: string,
  place: string,
  files: readonly RawRecord[],
  notes: SideRecord[],
): Promise<RawRecord[]> {
  const note = notes.find(({ mark }) => mark === externalOf(key))
  if (!note) return []
  const partsOf = ({ version }: SideRecord) => (version ?? '').split(' ')
  const [name, ...before] = partsOf(note)
  const added = files.filter(
    (file) => digestOf(safeFileName(file.name), 16) === name && !before.includes(String(file.id)),
  )
  const others = notes.filter((other) => other !== note && partsOf(other)[0] === name)
  const isOf = (other: SideRecord, { id }: RawRecord) => {
    if (other.destinationId !== null) return other.destinationId === `${place}-${id}`
    // A note that was made later lists one of our files as there before. Further files are its own.
    const there = partsOf(other)
    return added.some((file) => there.includes(String(file.id))) && !there.includes(String(id))
  }
  const own = added.filter((file) => !others.some((other) => isOf(other, file)))
  if (note.destinationId === null && own.length === 1) {
    note.destinationId = `${place}-${own[0]?.id}`
    await sides.note(note)
  }
  return own
}

/** Removes a second copy. Only a note of our own surely holds none of the files that people added. */
const removeFiles = (context: WriteContext, records: readonly RemovableRecord[]): Promise<RemoveOutcome[]> =>
  removeEach(records, async ({ key, destinationId }) => {
    const place = placeIn(destinationId)
    const holder = (await readHolders(context, rootOf(place), [place])).get(place)
    if (!filesIn(holder).some(({ id }) => `${place}-${id}` === destinationId)) return null
    const isOwn = markIn(holder?.body) === markOf(key)
    return isOwn ? context.api.http.send('DELETE', pathOf(place)) : 'People may have added this file.'
  })

const toFound = (context: WriteContext, key: string, place: string, file: RawRecord): FoundRecord =>
  foundFile(key, `${place}-${file.id}`, {
    ...{ parent: rootOf(place), name: file.name, size: sizeOf(file), url: fileUrl(context, file.id) },
  })
