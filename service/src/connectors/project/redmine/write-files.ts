import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { RetryableError } from '../../../errors.ts'
import type { OutgoingFile, SentRelation, WriteOutcome } from '../../contract/contract.ts'
import { RefusedError } from '../../kit/outcomes.ts'
import { present, taken } from './api.ts'
import { hasModule } from './directory.ts'
import { hashKey, markLine, markOf, markRoom, readMarked, writeLine } from './markers.ts'
import { plainText, textOf, userIdOf } from './native-issue.ts'
import { findWikiPage, wikiPath } from './read-projects.ts'
import { take } from './schema.ts'
import { issueIdOf } from './write-comments.ts'
import { placeOf as pageOf } from './write-wiki-pages.ts'
import * as write from './writing.ts'
import { type Call, type EntityWriter, type Job, searchMarked, type WikiPlace, type Writing } from './writing.ts'

const longestLine = 90
const longestDescription = 255 - markRoom - longestLine - 4

/** Cleans a file name as Redmine does, except that a path keeps its folders in the name. */
export function toFileName(name: string): string {
  const plain = [...name.toWellFormed().replace(/[\0\\/?%*:|"'<>\n\r]+/g, '_')]
  if (plain.length <= 200) return plain.join('') || '_'
  return [...plain.slice(0, 180), ...plain.slice(-20)].join('')
}

type FileJob = Job<OutgoingFile>

export const writeFiles: EntityWriter = {
  // Everyone who sees the record sees all its files, even those of private notes.
  without: ['is_private'],
  facts: () => ({ file_name: { maxLength: 200 }, description: { maxLength: longestDescription } }),
  about: () => ({ removal: 'with parent' }),

  stored(fields) {
    const parent = fields.parent as SentRelation | undefined
    return {
      parent: parent && placeOf(parent.entity, parent.destinationId),
      name: toFileName(textOf(fields.file_name)),
      description: plainText(fields.description),
      author: userIdOf(fields.uploaded_by),
    }
  },

  write: (job) => writeFile(job as FileJob),

  async find(writing, { key, destinationId, parent }) {
    const containers = parent
      ? [await findContainer(writing, parent.entity, parent.destinationId)]
      : await searchContainers(writing, key)
    const all = []
    for (const container of containers) {
      for (const file of (await container?.files()) ?? []) {
        const { id, filename, author, description } = take('attachment', file)
        const { text, mark } = readMarked(description, 'line')
        if (mark?.hash !== hashKey(key) && String(id) !== destinationId) continue
        const kept = mark?.isAuthorKept ? author?.id : undefined
        const stored = { parent: container?.place, name: filename, description: text, author: kept }
        all.push(write.found(id, urlOf(writing, id, filename ?? ''), null, stored))
      }
    }
    return all
  },

  remove: ({ api }, { destinationId }) => api.remove('attachment', destinationId),
}

/** Streams a file. It counts as written only if Redmine stored exactly the sent bytes at the right parent. */
async function writeFile(job: FileJob): Promise<WriteOutcome> {
  const { fields, body, destinationId } = job.record
  let sourceError: Error | null = null
  body.once('error', (error) => {
    sourceError = error
  })
  try {
    if (fields.is_private === true) {
      throw new RefusedError('private_file', 'Everyone who sees the issue could see this file, which was private.')
    }
    const parent = fields.parent as SentRelation
    const container = await findContainer(job, parent.entity, parent.destinationId)
    if (!container || !(await job.locks.openProject(container.projectId))) {
      throw new RefusedError('gone', 'The record of this file is no longer in Redmine.')
    }
    return await (destinationId === null ? sendFile(job, container) : changeFile(job, destinationId))
  } catch (error) {
    // If the source broke off, the request fails because of that. The source's error is the one to report.
    throw error instanceof RefusedError ? error : (sourceError ?? error)
  } finally {
    body.destroy()
  }
}

/** Changes the name or description. Bytes and uploader never change. */
async function changeFile(job: FileJob, destinationId: string): Promise<WriteOutcome> {
  const { api, record } = job
  const now = present(await api.one('attachment', destinationId))
  const filename = toFileName(textOf(record.fields.file_name))
  const wanted = userIdOf(record.fields.uploaded_by)
  const isAuthorKept = wanted !== undefined && now.author?.id === wanted
  const description = await describeFile(job, isAuthorKept)
  taken(await api.change('attachment', destinationId, { filename, description }))
  write.noteAuthor(job, wanted, isAuthorKept)
  return write.written(job, destinationId, urlOf(job, Number(destinationId), filename))
}

/** The file's description, its author if Redmine has another one, and our mark. */
async function describeFile(job: FileJob, isAuthorKept: boolean): Promise<string> {
  const { key, fields, createdAt } = job.record
  const person = isAuthorKept ? null : await write.nameFor(job, userIdOf(fields.uploaded_by))
  const line = writeLine(person?.slice(0, 50) ?? null, createdAt).slice(0, longestLine)
  const text = plainText(fields.description).slice(0, longestDescription)
  return markLine(text, { hash: hashKey(key), isAuthorKept }, line)
}

async function sendFile(job: FileJob, container: Container): Promise<WriteOutcome> {
  const { api, record } = job
  const filename = toFileName(textOf(record.fields.file_name))
  const wanted = userIdOf(record.fields.uploaded_by)
  const author = await write.authorFor(job, wanted, container.projectId, ['add_issues'])
  const hash = createHash('sha256')
  let isWhole = false
  async function* read() {
    for await (const chunk of record.body as AsyncIterable<Buffer>) {
      hash.update(chunk)
      yield chunk
    }
    isWhole = true
  }
  const body = Readable.from(read(), { objectMode: false })
  const { id, token } = await api.upload(filename, body, record.size, author?.login)
  const sha256 = /\.([0-9a-f]{64})$/.exec(token)?.[1]
  if (!isWhole || (sha256 !== undefined && sha256 !== hash.digest('hex'))) {
    throw new RetryableError('Redmine has other bytes of a file than were sent')
  }
  const content_type = record.contentType ?? 'application/octet-stream'
  const description = await describeFile(job, author !== null)
  taken(await container.attach({ token, filename, content_type, description }))
  // Redmine reports success even if it could not keep the file.
  const isKept = (await container.files()).some((file) => take('attachment', file).id === id)
  if (!isKept) throw new RefusedError('invalid', 'Redmine did not keep the file.')
  write.noteAuthor(job, wanted, author !== null)
  return write.written(job, id, urlOf(job, id, filename))
}

/** The address of the bytes, so that texts can show the file. */
const urlOf = ({ api }: Writing, id: number, name: string) =>
  `${api.base}/attachments/download/${id}/${encodeURIComponent(name)}`

/** The parent of a file. Files of notes belong to the issue. */
type Container = ReturnType<typeof inProject>

const placeOf = (entity: string, destinationId: string): string =>
  entity === 'comments'
    ? `issue ${issueIdOf(destinationId)}`
    : `${entity.replace(/^(issues|tickets)$/, 'issue')} ${destinationId}`

function inProject({ api }: Call, projectId: number) {
  const path = `/projects/${projectId}/files.json`
  return {
    projectId,
    /** Its name for comparing. */
    place: placeOf('projects', String(projectId)),
    files: async (): Promise<unknown[]> => (await api.list(path, 'files')).items,
    attach: (upload: object) => api.send('POST', path, { file: upload }),
  }
}

const inPage = (call: Call, { projectId, title }: WikiPlace): Container => ({
  projectId,
  place: placeOf('wiki_pages', `${projectId}/${title}`),
  files: async () => (await findWikiPage(call, projectId, title))?.attachments ?? [],
  async attach(upload) {
    const page = await findWikiPage(call, projectId, title)
    // The text is sent unchanged, so Redmine makes no new version of the page.
    const wiki_page = { text: page?.text ?? '', version: page?.version, uploads: [upload] }
    return call.api.send('PUT', wikiPath(projectId, title), { wiki_page })
  },
})

async function inIssue({ api, accountId, unwatch }: Call, id: number): Promise<Container | null> {
  const issue = await api.one('issue', id)
  if (!issue?.project) return null
  return {
    projectId: issue.project.id,
    place: placeOf('issues', String(id)),
    files: async () => (await api.one('issue', id, { include: 'attachments' }))?.attachments ?? [],
    async attach(upload) {
      await unwatch(id, accountId)
      return api.change('issue', id, { uploads: [upload] })
    },
  }
}

async function findContainer(call: Call, entity: string, destinationId: string): Promise<Container | null> {
  if (entity === 'projects') return inProject(call, Number(destinationId))
  return entity === 'wiki_pages' ? inPage(call, pageOf(destinationId)) : inIssue(call, issueIdOf(destinationId))
}

/** Finds all issues, pages and projects that may hold the file with this key. */
async function searchContainers(call: Call, key: string): Promise<(Container | null)[]> {
  const found = [await searchMarked(call, markOf(key), 'issues'), await searchMarked(call, markOf(key), 'wiki_pages')]
  const issueIds = found.flatMap((one) => one.issueIds)
  const withFiles = (await call.directory.projects()).filter((project) => hasModule(project, 'files'))
  return [
    ...found.flatMap(({ pages }) => pages.map((page) => inPage(call, page))),
    ...(await Promise.all(issueIds.map((id) => inIssue(call, id)))),
    ...withFiles.map(({ id }) => inProject(call, id)),
  ]
}
