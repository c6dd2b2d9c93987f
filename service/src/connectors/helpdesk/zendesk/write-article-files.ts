import Type from 'typebox'
import { RetryableError } from '../../../errors.ts'
import { plainType, streamForm } from '../../../outbound/stream-form.ts'
import type { FoundRecord, OutgoingFile, SentRelation, SoughtRecord, WriteOutcome } from '../../contract/contract.ts'
import { dropBytes, safeFileName, sendBytes, sendForm } from '../../kit/files.ts'
import { foundFile } from '../../kit/found-parts.ts'
import { checkShape, type Sending, type Sent } from '../../kit/http.ts'
import { digestOf } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { type RefusedAnswer, RefusedError, written } from '../../kit/outcomes.ts'
import { spoolFile } from '../../kit/spool-file.ts'
import { accepted, label, present } from './api.ts'
import { readersOf } from './entities.ts'
import { articleFiles as filesUnder } from './help-center.ts'
import { externalOf, type WriteContext } from './write-people.ts'

// Files of articles. A file has no place for our key. So before a file is sent, we note a digest of its name and the id
// of the article's last file. Files of one article are sent one after the other.

const noteKind = 'file_of_article'

export const articleFiles = (context: WriteContext) => {
  const library = openLibrary(context)
  return {
    writeFile: (file: OutgoingFile) => writeArticleFile(context, library, file),
    find: (sought: readonly SoughtRecord[]) => findArticleFiles(context, sought),
  }
}

const added = Type.Object({
  article_attachment: Type.Object({
    id: Type.Integer({ minimum: 1 }),
    size: Type.Optional(Type.Integer()),
    content_url: Type.Optional(Type.String()),
  }),
})

/** The most that Zendesk accepts in an article. */
const mostBytes = 20 * 1024 * 1024
const sizeOf = (json: unknown) =>
  (json as { article_attachment?: { size?: number } } | null)?.article_attachment?.size ?? null

const provided = Type.Object({
  upload_url: Type.Object({
    asset_upload_id: Type.String(),
    url: Type.String(),
    headers: Type.Optional(Type.Unknown()),
  }),
  headers: Type.Optional(Type.Unknown()),
})
const media = Type.Object({ media: Type.Object({ id: Type.String() }) })
const texts = Type.Record(Type.String(), Type.String())

type Library = ReturnType<typeof openLibrary>
/**
 * Zendesk's documents ask for an id of the media library with each file of an article. The bytes themselves are accepted
 * as well, which is one request instead of four. So the library is used once Zendesk asks for it.
 */
function openLibrary({ api }: WriteContext) {
  let isAsked = false
  return {
    get isAsked() {
      return isAsked
    },
    isAskedNow({ json }: RefusedAnswer): boolean {
      const isNew = !isAsked && /guide_media/.test(JSON.stringify(json ?? null))
      isAsked ||= isNew
      return isNew
    },
    async attach(file: OutgoingFile, filename: string, send: (sending: Sending) => Promise<Sent>): Promise<Sent> {
      await using cleanup = new AsyncDisposableStack()
      // The library asks for the size before the first byte.
      const { size, body } = file.size === null ? await spoolFile(file.body, cleanup) : { ...file, size: file.size }
      const content_type = plainType(file.contentType)
      const asked = await api.http.send('POST', '/guide/medias/upload_url', { json: { content_type, file_size: size } })
      const { upload_url: place, headers } = checkShape(label, provided, accepted(asked), 'an address for a file')
      const told = place.headers ?? headers ?? {}
      const all: unknown = typeof told === 'string' ? JSON.parse(told) : told
      const given = checkShape(label, texts, all, 'an address for a file')
      await sendBytes(
        label,
        { ...file, size, body },
        () => null,
        (sending) => api.putSigned(place.url, { ...sending, headers: { ...given, 'content-length': String(size) } }),
      )
      const named = { asset_upload_id: place.asset_upload_id, filename }
      const made = accepted(await api.http.send('POST', '/guide/medias', { json: named }))
      const { id } = checkShape(label, media, made, 'a file of the media library').media
      const { stream, headers: ofForm } = streamForm({ guide_media_id: id }, null)
      const sent = await send({ headers: ofForm, body: stream })
      if (sent.result === 'refused') await api.http.send('DELETE', `/guide/medias/${encodeURIComponent(id)}`)
      return sent
    },
  }
}

const filesNow = ({ api }: WriteContext, articleId: string) => filesUnder(api, { id: articleId })

/** Whether everyone can read an article. */
async function isOpen({ api }: WriteContext, articleId: string): Promise<boolean> {
  const { status, json } = await api.http.look(`/help_center/articles/${encodeURIComponent(articleId)}.json`, [404])
  const article = present(status === 404 ? null : api.one(json, 'article'))
  return article.draft === false && readersOf(article) === 'public'
}

async function writeArticleFile(context: WriteContext, library: Library, file: OutgoingFile): Promise<WriteOutcome> {
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
  if (file.size !== null && file.size > mostBytes) {
    dropBytes(file)
    throw new RefusedError('file_too_large', 'Zendesk accepts files up to 20 MB in articles.')
  }
  const name = safeFileName(fields.file_name)
  const version = `${digestOf(name, 16)} ${Math.max(0, ...there.map(numberOf))}`
  const note = { kind: noteKind, mark: externalOf(key), destinationId: null, version }
  await sides.note(note)
  const path = `/help_center/articles/${articleId}/attachments.json`
  const send = (sending: Sending) => api.http.send('POST', path, sending)
  const sent = library.isAsked
    ? await library.attach(file, name, send)
    : await sendForm(label, file, { field: 'file', fileName: name, storedSize: sizeOf }, send)
  if (sent.result === 'refused') {
    await sides.forget(note)
    if (library.isAskedNow(sent)) throw new RetryableError('Zendesk takes files of articles by its media library alone')
  }
  const { article_attachment: stored } = checkShape(label, added, accepted(sent), 'a file')
  const id = `a${articleId}-${stored.id}`
  // The note stays: it identifies the file if the worker is killed before the outcome is stored.
  await sides.note({ ...note, destinationId: id })
  return written(key, id, { url: stored.content_url ?? null, version: null })
}

async function findArticleFiles(context: WriteContext, sought: readonly SoughtRecord[]): Promise<FoundRecord[]> {
  const articleOf = ({ destinationId, parent }: SoughtRecord) =>
    destinationId?.slice(1).split('-')[0] ?? parent?.destinationId ?? ''
  const notes = await context.sides.list(
    noteKind,
    sought.map(({ key }) => externalOf(key)),
  )
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

const toFound = (key: string, articleId: string, { id, file_name: name, size, content_url }: RawRecord): FoundRecord =>
  foundFile(key, id, { parent: `a${articleId}`, name, size, url: String(content_url ?? '') || null })
