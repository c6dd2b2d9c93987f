import { UnreadableAnswerError } from '../../../errors.ts'
import type { FoundRecord, OutgoingFile, SentRelation, SoughtRecord, WriteOutcome } from '../../contract/contract.ts'
import { dropBytes, safeFileName, sendForm } from '../../kit/files.ts'
import { digestOf } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { RefusedError, written } from '../../kit/outcomes.ts'
import { accepted, label, present } from './api.ts'
import { externalOf } from './find-contacts.ts'
import { readersOf } from './lenses.ts'
import type { WriteContext } from './write-people.ts'

// Files of articles. A file has no place for our key. So before a file is sent, we note a digest of its name and the id
// of the article's last file. Files of one article are sent one after the other.

const noteKind = 'file_of_article'

export const articleFiles = (context: WriteContext) => ({
  writeFile: (file: OutgoingFile) => writeArticleFile(context, file),
  find: (sought: readonly SoughtRecord[]) => findArticleFiles(context, sought),
})

export const filesIn = (json: unknown): RawRecord[] => {
  const { attachments } = (json ?? {}) as { attachments?: unknown }
  return Array.isArray(attachments) ? (attachments as RawRecord[]) : []
}
export const sizeOf = (file: RawRecord | undefined): number | null => {
  const size = file?.size ?? file?.file_size
  return typeof size === 'number' ? size : null
}
/** The address for agents. The API's file address expires within minutes. */
export const fileUrl = ({ api }: WriteContext, id: unknown) => `${api.site}/helpdesk/attachments/${id}`

const numberOf = ({ id }: RawRecord) => Number(id)
const lastOf = (files: readonly RawRecord[]) => Math.max(0, ...files.map(numberOf))

async function writeArticleFile(context: WriteContext, file: OutgoingFile): Promise<WriteOutcome> {
  const { api, sides } = context
  const { key, destinationId, fields } = file
  const articleId = (fields.parent as SentRelation).destinationId
  const article = await api.view('/solutions/articles', articleId)
  const there = filesIn(article)
  const idOf = ({ id }: RawRecord) => `a${articleId}-${id}`
  const writtenAs = (one: RawRecord) => written(key, idOf(one), { url: fileUrl(context, one.id), version: null })
  if (destinationId !== null || !article) {
    dropBytes(file)
    return writtenAs(present(there.find((one) => idOf(one) === destinationId)))
  }
  if (fields.is_private === true && (await isOpen(context, article))) {
    dropBytes(file)
    throw new RefusedError('not_protected', 'Everyone can read its article, and would see this private file.')
  }
  const name = safeFileName(fields.file_name)
  const last = lastOf(there)
  const note = { kind: noteKind, mark: externalOf(key), destinationId: null, version: `${digestOf(name, 16)} ${last}` }
  await sides.note(note)
  const added = (json: unknown) => filesIn(json).find((one) => numberOf(one) > last)
  const form = {
    field: 'attachments[]',
    fileName: name,
    storedSize: (json: unknown) => sizeOf(added(json)),
  }
  const sent = await sendForm(label, file, form, (sending) =>
    api.http.send('PUT', `/solutions/articles/${articleId}`, sending),
  )
  if (sent.result === 'refused') await sides.forget(note)
  const stored = added(accepted(sent))
  if (!stored) throw new UnreadableAnswerError(`${label} answered with no file`)
  // The note stays: it identifies the file if the worker is killed before the outcome is stored.
  await sides.note({ ...note, destinationId: idOf(stored) })
  return writtenAs(stored)
}

async function isOpen({ api }: WriteContext, { status, folder_id }: RawRecord): Promise<boolean> {
  if (status !== 2) return false
  const folder = await api.view('/solutions/folders', String(folder_id))
  return readersOf(folder?.visibility) === 'public'
}

async function findArticleFiles(context: WriteContext, sought: readonly SoughtRecord[]): Promise<FoundRecord[]> {
  const articleOf = ({ destinationId, parent }: SoughtRecord) =>
    destinationId?.slice(1).split('-')[0] ?? parent?.destinationId ?? ''
  const notes = sought.length === 0 ? [] : await context.sides.list(noteKind)
  const found: FoundRecord[] = []
  for (const [articleId, some] of Map.groupBy(sought, articleOf)) {
    const files = filesIn(await context.api.view('/solutions/articles', articleId))
    for (const { key, destinationId } of some) {
      const note = notes.find(({ mark }) => mark === externalOf(key))
      const known = destinationId ?? note?.destinationId ?? null
      const [name, last] = (note?.version ?? '').split(' ')
      const isSent = (one: RawRecord) => digestOf(safeFileName(one.name), 16) === name && numberOf(one) > Number(last)
      const own = files.filter((one) => (known === null ? isSent(one) : `a${articleId}-${one.id}` === known))
      found.push(...own.map((one) => toFound(context, key, articleId, one)))
    }
  }
  return found
}

function toFound(context: WriteContext, key: string, articleId: string, file: RawRecord): FoundRecord {
  const size = sizeOf(file)
  return {
    ...{ key, customFields: {}, createdAt: null, updatedAt: null, version: null },
    ...{ destinationId: `a${articleId}-${file.id}`, url: fileUrl(context, file.id) },
    fields: { parent: `a${articleId}`, file_name: safeFileName(file.name) },
    ...(size !== null && { fileSize: size }),
  }
}
