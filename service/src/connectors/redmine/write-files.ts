import { createHash } from 'node:crypto'
import { pipeline, Transform } from 'node:stream'
import { RetryableError } from '../../errors.ts'
import type { WriteLoss } from '../../warnings/codes.ts'
import type { OutgoingFile, SentRelation, SoughtRecord, WriteOutcome } from '../contract.ts'
import type { Sent } from './api.ts'
import { hasModule } from './directory.ts'
import { hashKey, markLine, markRoom, readMarked, writeLine } from './markers.ts'
import { plainText, textOf, userIdOf } from './native-issue.ts'
import { type Raw, take } from './schema.ts'
import { searchMarked } from './search-marked.ts'
import { issueIdOf, markOf } from './write-comments.ts'
import { readWikiPage, splitWikiId } from './write-wiki-pages.ts'
import {
  authorFor,
  type Call,
  type EntityWriter,
  field,
  found,
  nameFor,
  refuse,
  refuseSent,
  removed,
  type Writing,
  written,
} from './writing.ts'

/** What a file hangs on. Files of notes belong to the issue. */
export type Container =
  | { kind: 'issue'; id: number; projectId: number }
  | { kind: 'page'; projectId: number; title: string }
  | { kind: 'project'; projectId: number }

const longestLine = 90
const longestDescription = 255 - markRoom - longestLine - 4

/** As Redmine would make it; but a path keeps its folders in the name. */
export function toFileName(name: string): string {
  const plain = [...name.toWellFormed().replace(/[\0\\/?%*:|"'<>\n\r]+/g, '_')]
  if (plain.length <= 200) return plain.join('') || '_'
  return [...plain.slice(0, 180), ...plain.slice(-20)].join('')
}

const placeOf = (entity: string, destinationId: string): string =>
  entity === 'comments'
    ? `issue ${issueIdOf(destinationId)}`
    : `${entity.replace(/^(issues|tickets)$/, 'issue')} ${destinationId}`

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
      is_private: field('boolean'),
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

  async find(writing, _call, records) {
    const files = []
    for (const record of records) files.push(...(await findFiles(writing, record)))
    return files
  },

  async remove({ api }, _call, { key, destinationId }) {
    return removed(key, await api.send('DELETE', `/attachments/${destinationId}.json`))
  },
}

/** Streams a file, and counts it as written only when Redmine has exactly the bytes that went out, where they belong. */
export async function writeFile(writing: Writing, call: Call, file: OutgoingFile): Promise<WriteOutcome> {
  const { key, fields, body } = file
  let sourceError: Error | null = null
  body.once('error', (error) => {
    sourceError = error
  })
  try {
    const parent = fields.parent as SentRelation
    const container = await findContainer(writing, parent.entity, parent.destinationId)
    if (!container || !(await call.locks.openProject(container.projectId))) {
      return refuse(key, 'gone', 'What the file belongs to is no longer in Redmine.')
    }
    if (fields.is_private === true && (await isPublic(writing, container.projectId))) {
      return refuse(key, 'private_file', 'In a public project everyone could see this file, which was private.')
    }
    return await sendFile(writing, call, file, container)
  } catch (error) {
    // When the source broke off, the request fails as a consequence; what happened there is what decides.
    throw sourceError ?? error
  } finally {
    body.destroy()
  }
}

async function isPublic({ directory }: Writing, projectId: number): Promise<boolean> {
  return (await directory.projects()).find(({ id }) => id === projectId)?.is_public !== false
}

async function sendFile(writing: Writing, call: Call, file: OutgoingFile, container: Container): Promise<WriteOutcome> {
  const { api } = writing
  const { key, fields } = file
  const name = toFileName(textOf(fields.file_name))
  const wanted = userIdOf(fields.uploaded_by)
  const author = await authorFor(writing, wanted, container.projectId, ['add_issues'])
  const meter = meterStream()
  pipeline(file.body, meter.stream, () => {})
  const upload = await api.upload(name, meter.stream, file.size, author?.login)
  if (!upload.isTaken) return refuseSent(key, upload)
  const { id, token } = upload.json as { id: number; token: string }
  const sha256 = /\.([0-9a-f]{64})$/.exec(token)?.[1]
  const sent = meter.finished()
  if (sent === null || (sha256 !== undefined && sha256 !== sent)) {
    throw new RetryableError('Redmine has other bytes of a file than were sent')
  }
  const person = author ? null : await nameFor(writing, file, wanted)
  const line = writeLine(person?.slice(0, 50) ?? null, file.createdAt).slice(0, longestLine)
  const mark = { hash: hashKey(key), isAuthorKept: author !== null }
  const attached = await attach(writing, call, container, {
    token,
    filename: name,
    content_type: file.contentType ?? 'application/octet-stream',
    description: markLine(plainText(fields.description).slice(0, longestDescription), mark, line),
  })
  if (!attached.isTaken) return refuseSent(key, attached)
  // Redmine also says that all went well when it could not keep the file.
  const isThere = (await filesOf(writing, container)).some((one) => one.id === id)
  if (!isThere) return refuse(key, 'invalid', 'Redmine did not keep the file.')
  const losses: WriteLoss[] = wanted !== undefined && !author ? ['author_not_kept'] : []
  return written(key, String(id), urlOf(writing, id, name), null, losses)
}

/** Where the bytes are, so that texts can show them. */
const urlOf = ({ api }: Writing, id: number, name: string) =>
  `${api.base}/attachments/download/${id}/${encodeURIComponent(name)}`

async function attach(writing: Writing, call: Call, container: Container, upload: object): Promise<Sent> {
  const { api, accountId } = writing
  if (container.kind === 'project') {
    return api.send('POST', `/projects/${container.projectId}/files.json`, { file: upload })
  }
  if (container.kind === 'issue') {
    await call.unwatch(container.id, accountId)
    return api.send('PUT', `/issues/${container.id}.json`, { issue: { uploads: [upload] } })
  }
  const { projectId, title } = container
  const page = await readWikiPage(writing, projectId, title)
  // The text goes along unchanged, which makes no new version of the page.
  const wiki_page = { text: page?.text ?? '', version: page?.version, uploads: [upload] }
  return api.send('PUT', `/projects/${projectId}/wiki/${encodeURIComponent(title)}.json`, { wiki_page })
}

async function findContainer({ api }: Writing, entity: string, destinationId: string): Promise<Container | null> {
  if (entity === 'projects') return { kind: 'project', projectId: Number(destinationId) }
  if (entity === 'wiki_pages') return { kind: 'page', ...splitWikiId(destinationId) }
  const issue = await api.find(`/issues/${issueIdOf(destinationId)}.json`, 'issue')
  const { id, project } = issue === null ? { id: 0 } : take('issue', issue)
  return project ? { kind: 'issue', id, projectId: project.id } : null
}

async function filesOf(writing: Writing, container: Container): Promise<Raw<'attachment'>[]> {
  const { api } = writing
  const read = (items: readonly unknown[]) => items.map((item) => take('attachment', item))
  if (container.kind === 'project') {
    return read((await api.list(`/projects/${container.projectId}/files.json`, 'files')).items)
  }
  if (container.kind === 'page') {
    return read((await readWikiPage(writing, container.projectId, container.title))?.attachments ?? [])
  }
  const issue = await api.find(`/issues/${container.id}.json`, 'issue', { include: 'attachments' })
  return read(issue === null ? [] : (take('issue', issue).attachments ?? []))
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
      files.push(found(key, String(raw.id), urlOf(writing, raw.id, raw.filename ?? ''), null, stored))
    }
  }
  return files
}

function placeName(container: Container): string {
  if (container.kind === 'issue') return placeOf('issues', String(container.id))
  if (container.kind === 'project') return placeOf('projects', String(container.projectId))
  return placeOf('wiki_pages', `${container.projectId}/${container.title}`)
}

async function searchContainers(writing: Writing, key: string): Promise<Container[]> {
  const places = [
    ...(await searchMarked(writing, markOf(key), 'issues')),
    ...(await searchMarked(writing, markOf(key), 'wiki_pages')),
  ]
  const projects = await writing.directory.projects()
  const pages = places.flatMap((place) => {
    if ('issueId' in place) return []
    const project = projects.find(({ identifier }) => identifier === place.projectIdentifier)
    return project ? [{ kind: 'page' as const, projectId: project.id, title: place.title }] : []
  })
  const issues = await Promise.all(
    places.flatMap((place) => ('issueId' in place ? [findContainer(writing, 'issues', String(place.issueId))] : [])),
  )
  const withFiles = projects.filter((project) => hasModule(project, 'files'))
  return [
    ...pages,
    ...issues.filter((issue) => issue !== null),
    ...withFiles.map(({ id }): Container => ({ kind: 'project', projectId: id })),
  ]
}

/** Passes bytes through, and knows their digest once the last one has passed. */
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
