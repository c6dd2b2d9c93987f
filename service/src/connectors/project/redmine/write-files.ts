import { createHash } from 'node:crypto'
import { pipeline, Transform } from 'node:stream'
import { RetryableError } from '../../../errors.ts'
import type { OutgoingFile, SentRelation, SoughtRecord, WriteOutcome } from '../../contract/contract.ts'
import type { Sent } from './api.ts'
import { type Container, filesOf, findContainer, placeName, placeOf, searchContainers } from './file-places.ts'
import { hashKey, markLine, markRoom, readMarked, writeLine } from './markers.ts'
import { plainText, textOf, userIdOf } from './native-issue.ts'
import { findWikiPage, wikiPath } from './read-wiki.ts'
import * as write from './writing.ts'
import { type Call, type EntityWriter, field, type Job, refuse, refuseSent, type Writing, written } from './writing.ts'

const longestLine = 90
const longestDescription = 255 - markRoom - longestLine - 4

/** Cleans a file name as Redmine does, except that a path keeps its folders in the name. */
export function toFileName(name: string): string {
  const plain = [...name.toWellFormed().replace(/[\0\\/?%*:|"'<>\n\r]+/g, '_')]
  if (plain.length <= 200) return plain.join('') || '_'
  return [...plain.slice(0, 180), ...plain.slice(-20)].join('')
}

export const writeFiles: Omit<EntityWriter, 'write'> = {
  describe: () => ({
    removal: 'with parent',
    customFields: [],
    fields: {
      parent: field('relation', { required: true }),
      file_name: field('text', { required: true, maxLength: 200 }),
      content_type: field('text'),
      size: field('integer'),
      is_inline: field('boolean'),
      // There is no `is_private`: everyone who sees the issue, page or project sees all its files, including those of
      // private notes.
      uploaded_by: field('user'),
      description: field('text', { maxLength: longestDescription }),
    },
  }),

  stored({ fields }) {
    const parent = fields.parent as SentRelation | undefined
    return {
      parent: parent && placeOf(parent.entity, parent.destinationId),
      name: toFileName(textOf(fields.file_name)),
      description: plainText(fields.description),
      author: userIdOf(fields.uploaded_by),
    }
  },

  async find(writing, records) {
    const files = []
    for (const record of records) files.push(...(await findFiles(writing, record)))
    return files
  },

  async remove({ api }, { key, destinationId }) {
    return write.removed(key, await api.remove('attachment', destinationId))
  },
}

type FileJob = Job<OutgoingFile>

/** Streams a file. It counts as written only if Redmine stored exactly the sent bytes at the right parent. */
export async function writeFile(job: FileJob): Promise<WriteOutcome> {
  const { fields, body, destinationId } = job.record
  let sourceError: Error | null = null
  body.once('error', (error) => {
    sourceError = error
  })
  try {
    if (fields.is_private === true) {
      return refuse(job, 'private_file', 'Everyone who sees the issue could see this file, which was private.')
    }
    const parent = fields.parent as SentRelation
    const container = await findContainer(job, parent.entity, parent.destinationId)
    if (!container || !(await job.locks.openProject(container.projectId))) {
      return refuse(job, 'gone', 'The record of this file is no longer in Redmine.')
    }
    return await (destinationId === null ? sendFile(job, container) : changeFile(job, destinationId))
  } catch (error) {
    // If the source broke off, the request fails because of that. The source's error is the one to report.
    throw sourceError ?? error
  } finally {
    body.destroy()
  }
}

/** Changes the name or description. Bytes and uploader never change. */
async function changeFile(job: FileJob, destinationId: string): Promise<WriteOutcome> {
  const { api, record } = job
  const now = await api.one('attachment', destinationId)
  if (now === null) return refuse(job, 'gone', 'It was deleted in Redmine since it was imported.')
  const filename = toFileName(textOf(record.fields.file_name))
  const wanted = userIdOf(record.fields.uploaded_by)
  const isAuthorKept = wanted !== undefined && now.author?.id === wanted
  const description = await describeFile(job, isAuthorKept)
  const sent = await api.change('attachment', destinationId, { filename, description })
  if (!sent.isTaken) return refuseSent(job, sent)
  write.noteAuthor(job, wanted, isAuthorKept)
  return written(job, destinationId, urlOf(job, Number(destinationId), filename))
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
  const name = toFileName(textOf(record.fields.file_name))
  const wanted = userIdOf(record.fields.uploaded_by)
  const author = await write.authorFor(job, wanted, container.projectId, ['add_issues'])
  const meter = meterStream()
  pipeline(record.body, meter.stream, () => {})
  const upload = await api.upload(name, meter.stream, record.size, author?.login)
  if (!upload.isTaken) return refuseSent(job, upload)
  const { id, token } = upload.json as { id: number; token: string }
  const sha256 = /\.([0-9a-f]{64})$/.exec(token)?.[1]
  const sent = meter.finished()
  if (sent === null || (sha256 !== undefined && sha256 !== sent)) {
    throw new RetryableError('Redmine has other bytes of a file than were sent')
  }
  const attached = await attach(job, container, {
    token,
    filename: name,
    content_type: record.contentType ?? 'application/octet-stream',
    description: await describeFile(job, author !== null),
  })
  if (!attached.isTaken) return refuseSent(job, attached)
  // Redmine reports success even if it could not keep the file.
  const isThere = (await filesOf(job, container)).some((one) => one.id === id)
  if (!isThere) return refuse(job, 'invalid', 'Redmine did not keep the file.')
  write.noteAuthor(job, wanted, author !== null)
  return written(job, id, urlOf(job, id, name))
}

/** The address of the bytes, so that texts can show the file. */
const urlOf = ({ api }: Writing, id: number, name: string) =>
  `${api.base}/attachments/download/${id}/${encodeURIComponent(name)}`

async function attach(call: Call, container: Container, upload: object): Promise<Sent> {
  const { api, accountId } = call
  if (container.kind === 'project') {
    return api.send('POST', `/projects/${container.projectId}/files.json`, { file: upload })
  }
  if (container.kind === 'issue') {
    await call.unwatch(container.id, accountId)
    return api.change('issue', container.id, { uploads: [upload] })
  }
  const { projectId, title } = container
  const page = await findWikiPage(call, projectId, title)
  // The text is sent unchanged, so Redmine makes no new version of the page.
  const wiki_page = { text: page?.text ?? '', version: page?.version, uploads: [upload] }
  return api.send('PUT', wikiPath(projectId, title), { wiki_page })
}

async function findFiles(writing: Writing, { key, destinationId, parent }: SoughtRecord) {
  const containers = parent
    ? [await findContainer(writing, parent.entity, parent.destinationId)]
    : await searchContainers(writing, key)
  const files = []
  for (const container of containers) {
    if (!container) continue
    for (const raw of await filesOf(writing, container)) {
      const { text, mark } = readMarked(raw.description, 'line')
      if (mark?.hash !== hashKey(key) && String(raw.id) !== destinationId) continue
      const stored = {
        parent: placeName(container),
        name: raw.filename,
        description: text,
        author: mark?.isAuthorKept ? raw.author?.id : undefined,
      }
      files.push(write.found(key, String(raw.id), urlOf(writing, raw.id, raw.filename ?? ''), null, stored))
    }
  }
  return files
}

/** Passes bytes through and computes their digest. */
function meterStream() {
  const hash = createHash('sha256')
  let sum: string | null = null
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
    flush(done) {
      sum = hash.digest('hex')
      done()
    },
  })
  return { stream, finished: () => sum }
}
