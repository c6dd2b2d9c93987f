import Type from 'typebox'
import type { FoundRecord, OutgoingFile, SentRelation, SoughtRecord, WriteOutcome } from '../../contract/contract.ts'
import { dropBytes, safeFileName, sendForm } from '../../kit/files.ts'
import { checkShape } from '../../kit/http.ts'
import { digestOf } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { RefusedError, written } from '../../kit/outcomes.ts'
import { accepted, label, present } from './api.ts'
import { readersOf } from './entities.ts'
import { articleFiles as filesUnder } from './help-center.ts'
import { externalOf, type WriteContext } from './write-people.ts'

// Files of articles. A file has no place for our key. So before a file is sent, we note a digest of its name and the id
// of the article's last file. Files of one article are sent one after the other.

const noteKind = 'file_of_article'

export const articleFiles = (context: WriteContext) => ({
  writeFile: (file: OutgoingFile) => writeArticleFile(context, file),
  find: (sought: readonly SoughtRecord[]) => findArticleFiles(context, sought),
})

const added = Type.Object({
  article_attachment: Type.Object({
    id: Type.Integer({ minimum: 1 }),
    size: Type.Optional(Type.Integer()),
    content_url: Type.Optional(Type.String()),
  }),
})

const filesNow = ({ api }: WriteContext, articleId: string) => filesUnder(api, { id: articleId })

/** Whether everyone can read an article. */
async function isOpen({ api }: WriteContext, articleId: string): Promise<boolean> {
  const { status, json } = await api.http.look(`/help_center/articles/${encodeURIComponent(articleId)}.json`, [404])
  const article = present(status === 404 ? null : api.one(json, 'article'))
  return article.draft === false && readersOf(article) === 'public'
}

async function writeArticleFile(context: WriteContext, file: OutgoingFile): Promise<WriteOutcome> {
  const { api, sides } = context
  const { key, destinationId, fields } = file
  const articleId = (fields.parent as SentRelation).destinationId
  const there = await filesNow(context, articleId)
  if (destinationId !== null) {
    dropBytes(file)
    const own = present(there.find(({ id }) => id === destinationId))
    return written(key, destinationId, { url: String(own.content_url ?? '') || null, version: null })
  }
  if (fields.is_private === true && (await isOpen(context, articleId))) {
    dropBytes(file)
    throw new RefusedError('not_protected', 'Everyone can read its article, and would see this private file.')
  }
  const name = safeFileName(fields.file_name)
  const version = `${digestOf(name, 16)} ${Math.max(0, ...there.map(numberOf))}`
  const note = { kind: noteKind, mark: externalOf(key), destinationId: null, version }
  await sides.note(note)
  const sizeOf = (json: unknown) =>
    (json as { article_attachment?: { size?: number } } | null)?.article_attachment?.size ?? null
  const sent = await sendForm(label, file, { field: 'file', fileName: name, storedSize: sizeOf }, (sending) =>
    api.http.send('POST', `/help_center/articles/${articleId}/attachments.json`, sending),
  )
  if (sent.result === 'refused') await sides.forget(note)
  const { article_attachment: stored } = checkShape(label, added, accepted(sent), 'a file')
  const id = `a${articleId}-${stored.id}`
  // The note stays: it identifies the file if the worker is killed before the outcome is stored.
  await sides.note({ ...note, destinationId: id })
  return written(key, id, { url: stored.content_url ?? null, version: null })
}

async function findArticleFiles(context: WriteContext, sought: readonly SoughtRecord[]): Promise<FoundRecord[]> {
  const articleOf = ({ destinationId, parent }: SoughtRecord) =>
    destinationId?.slice(1).split('-')[0] ?? parent?.destinationId ?? ''
  const notes = sought.length === 0 ? [] : await context.sides.list(noteKind)
  const found: FoundRecord[] = []
  for (const [articleId, some] of Map.groupBy(sought, articleOf)) {
    const files = await filesNow(context, articleId)
    for (const { key, destinationId } of some) {
      const note = notes.find(({ mark }) => mark === externalOf(key))
      const known = destinationId ?? note?.destinationId ?? null
      const [name, last] = (note?.version ?? '').split(' ')
      const isSent = (file: RawRecord) =>
        digestOf(safeFileName(file.file_name), 16) === name && numberOf(file) > Number(last)
      const own = files.filter((file) => (known === null ? isSent(file) : file.id === known))
      found.push(...own.map((file) => toFound(key, articleId, file)))
    }
  }
  return found
}

const numberOf = ({ id }: RawRecord) => Number(String(id).split('-').at(-1))

const toFound = (key: string, articleId: string, file: RawRecord): FoundRecord => ({
  ...{ key, customFields: {}, createdAt: null, updatedAt: null, version: null },
  ...{ destinationId: String(file.id), url: String(file.content_url ?? '') || null },
  fields: { parent: `a${articleId}`, file_name: safeFileName(file.file_name) },
  ...(typeof file.size === 'number' && { fileSize: file.size }),
})
