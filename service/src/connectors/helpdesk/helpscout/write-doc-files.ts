import Type from 'typebox'
import { FileMissingError } from '../../../errors.ts'
import { escapeText } from '../../../text/plain-words.ts'
import type { FoundRecord, OutgoingFile, SentRelation, SoughtRecord, WriteOutcome } from '../../contract/contract.ts'
import { dropBytes, safeFileName, sendForm } from '../../kit/files.ts'
import { foundPart } from '../../kit/found-parts.ts'
import { checkShape } from '../../kit/http.ts'
import { digestOf } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { RefusedError, written } from '../../kit/outcomes.ts'
import { accepted, type HelpscoutApi, label, present } from './api.ts'
import { isOpen, type ShelfContext, shelfViews } from './docs-shelves.ts'

// Files of articles. After an upload, Docs returns only the file's address: it neither lists files nor describes one.
// So we note the address. We also add a line with a link at the end of the article, unless the text shows the file as a
// picture.

export type FileContext = ShelfContext & Pick<HelpscoutApi, 'openPicture'>

const noteKind = 'file_of_article'

export const docFiles = (context: FileContext) => ({
  writeFile: (file: OutgoingFile) => writeDocFile(context, file),
  find: (sought: readonly SoughtRecord[]) => findDocFiles(context, sought),
})

const kept = Type.Object({ filelink: Type.String({ pattern: '^https?://' }) })
export const lineOfFile = (name: string, link: string) =>
  `<p>📎 <a href="${escapeText(link)}">${escapeText(name)}</a></p>`

async function writeDocFile(context: FileContext, file: OutgoingFile): Promise<WriteOutcome> {
  const { docs, sides } = context
  const { key, destinationId, fields } = file
  if (destinationId !== null) {
    dropBytes(file)
    const [found] = await findDocFiles(context, [{ key, destinationId, parent: null }])
    return written(key, destinationId, { url: present(found).url, version: null })
  }
  const articleId = (fields.parent as SentRelation).destinationId
  const path = `/articles/${encodeURIComponent(articleId)}`
  const article = present(await docs.one(path, 'article'))
  const reason = await reasonToLeave(context, article, fields)
  if (reason) throw new RefusedError(reason.code, reason.message)
  const name = safeFileName(fields.file_name)
  const isPicture = fields.is_inline === true
  const form = {
    ...{ field: 'file', fileName: name },
    words: { key: docs.key, articleId, assetType: isPicture ? 'image' : 'attachment', fileName: name },
  }
  const sent = await sendForm(label, file, form, (sending) => docs.send('POST', '/assets/article', sending))
  const { filelink } = checkShape(label, kept, accepted(sent), 'a file')
  const id = `a${articleId}-${digestOf(filelink, 16)}`
  const version = `${digestOf(name, 16)} ${filelink} ${isPicture ? 'picture' : 'line'}`
  await sides.note({ kind: noteKind, mark: digestOf(key), destinationId: id, version })
  if (!isPicture) {
    const now = await docs.one(path, 'article')
    const text = `${now?.text ?? article.text}${lineOfFile(name, filelink)}`
    accepted(await docs.send('PUT', path, { json: { text } }))
  }
  return written(key, id, { url: filelink, version: null })
}

async function reasonToLeave(
  context: FileContext,
  article: RawRecord,
  { is_private, is_inline }: OutgoingFile['fields'],
) {
  const view = shelfViews(context)
  const places = [`c${article.collectionId}`, ...[article.categories ?? []].flat().map(String)]
  const open = await Promise.all(places.map(async (id) => isOpen(await view(id))))
  if (is_private === true && article.status === 'published' && open.every(Boolean))
    return { code: 'not_protected', message: 'Everyone can read its article, and would see this private file.' }
  // Changing the text would delete the draft that people are writing.
  return article.hasDraft === true && is_inline !== true
    ? { code: 'has_draft', message: 'People are writing a draft of its article, which a change would delete.' }
    : null
}

/**
 * Finds files by our notes, by the line in the article, and by opening the file. A file without a note is sent again;
 * no article links to the first copy.
 */
async function findDocFiles(context: FileContext, sought: readonly SoughtRecord[]): Promise<FoundRecord[]> {
  const notes = sought.length === 0 ? [] : await context.sides.list(noteKind)
  const found: FoundRecord[] = []
  for (const { key, destinationId: known } of sought) {
    const note = notes.find(({ mark, destinationId }) =>
      known === null ? mark === digestOf(key) : destinationId === known,
    )
    const [name = '', link, kind] = (note?.version ?? '').split(' ')
    if (!note?.destinationId || link === undefined) continue
    const [articleId = ''] = note.destinationId.slice(1).split('-')
    const article = await context.docs.one(`/articles/${articleId}`, 'article')
    const isShown = kind === 'picture' || String(article?.text).includes(escapeText(link))
    const file = article && isShown ? await openOrNull(context, link) : null
    if (!file) continue
    file.body.on('error', () => {}).destroy()
    const size = file.size !== null && { fileSize: file.size }
    found.push(foundPart(key, note.destinationId, storedDocFile(articleId, name), { url: link, ...size }))
  }
  return found
}

async function openOrNull({ openPicture }: FileContext, link: string) {
  try {
    return await openPicture(link)
  } catch (error) {
    if (error instanceof FileMissingError) return null
    throw error
  }
}

const storedDocFile = (articleId: string, nameDigest: string) => ({ parent: `a${articleId}`, file_name: nameDigest })

export const storedFieldsOf = (articleId: string, name: unknown) =>
  storedDocFile(articleId, digestOf(safeFileName(name), 16))
