import { createHash } from 'node:crypto'
import { RetryableError } from '../../../errors.ts'
import { tapBytes } from '../../../outbound/tap-bytes.ts'
import type { OutgoingFile, SentRelation } from '../../contract/contract.ts'
import { RefusedError } from '../../kit/outcomes.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { done, present } from './api.ts'
import { hasModule } from './directory.ts'
import { wikiId } from './link-references.ts'
import { hashKey, markLine, markOf, markRoom, readMarked, writeLine } from './markers.ts'
import { findWikiPage, splitWikiId, type WikiPlace, wikiPath } from './read-projects.ts'
import { type Raw, take } from './schema.ts'
import { issueIdOf } from './write-comments.ts'
import * as write from './writing.ts'
import { type Call, formOf, type Job, plainText, textOf, userIdOf } from './writing.ts'

const longestLine = 90
const longestDescription = 255 - markRoom - longestLine - 4

/** Cleans a file name as Redmine does, except that a path keeps its folders in the name. */
export function toFileName(name: string): string {
  const plain = [...name.toWellFormed().replace(/[\0\\/?%*:|"'<>\n\r]+/g, '_')]
  if (plain.length <= 200) return plain.join('') || '_'
  return [...plain.slice(0, 180), ...plain.slice(-20)].join('')
}

const form = formOf<HeldFile>()({
  parent: [({ parent }) => (parent ? placeOf(parent as SentRelation) : undefined), ({ place }) => place],
  name: [({ file_name }) => toFileName(textOf(file_name)), ({ filename }) => filename],
  description: [({ description }) => plainText(description), ({ description }) => readMarked(description, 'line').text],
  author: [
    ({ uploaded_by }) => userIdOf(uploaded_by),
    ({ author, description }) => (readMarked(description, 'line').mark?.isAuthorKept ? author?.id : undefined),
  ],
})

type FileJob = Job<ReturnType<typeof form.wanted>>

export const writeFiles = write.entityWriter(form, {
  // Everyone who sees the record sees all its files, even those of private notes.
  without: ['is_private'],
  facts: () => ({ file_name: { maxLength: 200 }, description: { maxLength: longestDescription } }),
  about: () => ({ removal: 'with parent' }),
  /** The address of the bytes, so that texts can show the file. */
  url: ({ api }, { id, filename = '' }) => `${api.base}/attachments/download/${id}/${encodeURIComponent(filename)}`,

  /** A file counts as written only if Redmine stored exactly the sent bytes at the right parent. */
  async write(job) {
    const { fields, destinationId } = job.record
    if (fields.is_private === true) {
      throw new RefusedError('private_file', 'Everyone who sees the issue could see this file, which was private.')
    }
    const container = await findContainer(job, fields.parent as SentRelation)
    if (!container || !(await job.locks.openProject(container.projectId))) {
      throw new RefusedError('gone', 'The record of this file is no longer in Redmine.')
    }
    return destinationId === null ? sendFile(job, container) : changeFile(job, destinationId, container)
  },

  async find(writing, { key, destinationId, parent }) {
    const containers = parent ? [await findContainer(writing, parent)] : await searchContainers(writing, key)
    const files = (await sideBySide(containers, 1, async (one) => (one ? filesIn(one) : []))).flat()
    const isOurs = ({ id, description }: HeldFile) =>
      String(id) === destinationId || readMarked(description, 'line').mark?.hash === hashKey(key)
    return files.filter(isOurs)
  },

  remove: ({ api }, { destinationId }) => api.remove('attachment', destinationId),
})

/** Changes the name or description. Bytes and uploader never change. */
async function changeFile(job: FileJob, destinationId: string, { place }: Container) {
  const { api, native } = job
  const { name: filename, author: wanted } = native
  const now = present(await api.one('attachment', destinationId))
  const isAuthorKept = wanted !== undefined && now.author?.id === wanted
  const description = await describeFile(job, isAuthorKept)
  done(await api.change('attachment', destinationId, { filename, description }))
  write.noteAuthor(job, wanted, isAuthorKept)
  return { raw: { ...now, filename, place } }
}

/** The file's description, its author if Redmine has another one, and our mark. */
async function describeFile(job: FileJob, isAuthorKept: boolean): Promise<string> {
  const { key, createdAt } = job.record
  const person = isAuthorKept ? null : await write.nameFor(job, job.native.author)
  const line = writeLine(person?.slice(0, 50) ?? null, createdAt).slice(0, longestLine)
  const text = job.native.description.slice(0, longestDescription)
  return markLine(text, { hash: hashKey(key), isAuthorKept }, line)
}

async function sendFile(job: FileJob, container: Container) {
  const { api, native } = job
  const record = job.record as OutgoingFile
  const { name: filename, author: wanted } = native
  const author = await write.authorFor(job, wanted, container.projectId, ['add_issues'])
  const hash = createHash('sha256')
  const body = tapBytes(record.body, { onPiece: (piece) => void hash.update(piece) })
  const { id, token } = await api.upload(filename, body, record.size, author?.login)
  const sha256 = /\.([0-9a-f]{64})$/.exec(token)?.[1]
  if (sha256 !== undefined && sha256 !== hash.digest('hex')) {
    throw new RetryableError('Redmine has other bytes of a file than were sent')
  }
  const content_type = record.contentType ?? 'application/octet-stream'
  const description = await describeFile(job, author !== null)
  done(await container.attach({ token, filename, content_type, description }))
  // Redmine reports success even if it could not keep the file.
  const kept = (await filesIn(container)).find((file) => file.id === id)
  if (!kept) throw new RefusedError('invalid', 'Redmine did not keep the file.')
  write.noteAuthor(job, wanted, author !== null)
  return { raw: { ...kept, filename } }
}

/** The parent of a file, by its name for comparing. Files of notes belong to the issue. */
const placeOf = ({ entity, destinationId }: Pick<SentRelation, 'entity' | 'destinationId'>): string =>
  ['issues', 'tickets', 'comments'].includes(entity)
    ? `issue ${issueIdOf(destinationId)}`
    : `${entity} ${destinationId}`

type HeldFile = Raw<'attachment'> & { place: string }
type Container = ReturnType<typeof inProject>

const filesIn = async ({ list, place }: Container): Promise<HeldFile[]> =>
  ((await list()) ?? []).map((file) => ({ ...take('attachment', file), place }))

function inProject({ api }: Call, projectId: number) {
  const path = `/projects/${projectId}/files.json`
  return {
    projectId,
    place: `projects ${projectId}`,
    list: async (): Promise<readonly unknown[] | undefined> => (await api.list(path, 'files')).items,
    attach: (upload: object) => api.send('POST', path, { file: upload }),
  }
}

const inPage = (call: Call, page: WikiPlace): Container => ({
  projectId: page.projectId,
  place: `wiki_pages ${wikiId(page.projectId, page.title)}`,
  list: async () => (await findWikiPage(call, page))?.attachments,
  async attach(upload) {
    const now = await findWikiPage(call, page)
    // The text is sent unchanged, so Redmine makes no new version of the page.
    const wiki_page = { text: now?.text ?? '', version: now?.version, uploads: [upload] }
    return call.api.send('PUT', wikiPath(page), { wiki_page })
  },
})

async function inIssue({ api, accountId, unwatch }: Call, id: number): Promise<Container | null> {
  const project = (await api.one('issue', id))?.project
  if (!project) return null
  return {
    projectId: project.id,
    place: `issue ${id}`,
    list: async () => (await api.one('issue', id, { include: 'attachments' }))?.attachments,
    async attach(upload) {
      await unwatch(id, accountId)
      return api.change('issue', id, { uploads: [upload] })
    },
  }
}

async function findContainer(call: Call, parent: Pick<SentRelation, 'entity' | 'destinationId'>) {
  const { entity, destinationId } = parent
  if (entity === 'projects') return inProject(call, Number(destinationId))
  return entity === 'wiki_pages' ? inPage(call, splitWikiId(destinationId)) : inIssue(call, issueIdOf(destinationId))
}

/** Finds all issues, pages and projects that may hold the file with this key. */
async function searchContainers(call: Call, key: string): Promise<(Container | null)[]> {
  const search = (where: 'issues' | 'wiki_pages') => write.searchMarked(call, markOf(key), where)
  const found = [await search('issues'), await search('wiki_pages')]
  const issueIds = found.flatMap((one) => one.issueIds)
  const withFiles = (await call.directory.projects()).filter((project) => hasModule(project, 'files'))
  return [
    ...found.flatMap(({ pages }) => pages.map((page) => inPage(call, page))),
    ...(await Promise.all(issueIds.map((id) => inIssue(call, id)))),
    ...withFiles.map(({ id }) => inProject(call, id)),
  ]
}
