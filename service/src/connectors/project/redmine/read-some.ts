import type { RecordRef } from '../../../families/record.ts'
import type { Wanted } from '../../contract/contract.ts'
import type { MappedRecord } from './build-record.ts'
import {
  findIssue,
  findIssues,
  issueEntity,
  type MappedPage,
  mapComments,
  mapIssueFiles,
  mapIssues,
} from './read-issues.ts'
import {
  findWikiPage,
  isProjectList,
  listProjectFiles,
  mapListedById,
  mapListOf,
  mapProjectFiles,
  mapProjects,
  mapWiki,
  mapWikiFiles,
} from './read-projects.ts'
import type { Reading } from './reader.ts'
import { take } from './schema.ts'
import { toContact } from './to-helpdesk.ts'
import { toTimeEntry } from './to-project.ts'

type ReadAll = (cursor: string | null) => Promise<MappedPage>

/** Cursor: `index:place`, the wanted one that is next, and the place in it where a long thread was left. */
export async function readSome(
  reading: Reading,
  entity: string,
  wanted: Wanted,
  cursor: string | null,
  readAll: ReadAll,
): Promise<MappedPage> {
  if ('ids' in wanted && entity === 'attachments') return siftAll(wanted.ids, cursor, readAll)
  const [start = 0, place = 0] = (cursor ?? '0:0').split(':').map(Number)
  const count = 'ids' in wanted ? wanted.ids.length : wanted.parents.length
  const mapped: MappedRecord[] = []
  for (let index = start; index < count; index += 1) {
    if (mapped.length >= reading.pageSize) return { mapped, next: `${index}:0` }
    const part =
      'ids' in wanted
        ? { mapped: await readById(reading, entity, wanted.ids[index] ?? ''), lastId: null }
        : await readByParent(reading, entity, wanted.parents[index] as RecordRef, index === start ? place : 0)
    mapped.push(...part.mapped)
    if (part.lastId !== null) return { mapped, next: `${index}:${part.lastId}` }
  }
  return { mapped, next: null }
}

/** A file does not say what it hangs on, so they are found by going through everything that has some. */
async function siftAll(ids: readonly string[], cursor: string | null, readAll: ReadAll): Promise<MappedPage> {
  const { mapped, next } = await readAll(cursor)
  return { mapped: mapped.filter(({ record }) => ids.includes(record.sourceId)), next }
}

const isNumber = (id: string) => /^\d{1,9}$/.test(id)

async function readById(reading: Reading, entity: string, id: string): Promise<MappedRecord[]> {
  const { api } = reading
  if (entity === 'comments') {
    const [issueId = ''] = id.split('-')
    const thread = isNumber(issueId) ? await readThread(reading, issueId) : []
    return thread.filter(({ record }) => record.sourceId === id)
  }
  if (entity === 'wiki_pages') {
    const slash = id.indexOf('/')
    return readWikiPage(reading, id.slice(0, slash), id.slice(slash + 1))
  }
  if (!isNumber(id)) return []
  if (entity === issueEntity(reading)) return mapIssues(reading, await findIssues(reading, [id]))
  if (entity === 'projects' || entity === 'groups') return mapProjects(reading, [id])
  if (isProjectList(entity)) return mapListedById(reading, entity, id)
  if (entity === 'time_entries') {
    const entry = await api.find(`/time_entries/${id}.json`, 'time_entry')
    return entry === null ? [] : [toTimeEntry(await reading.contextFor([entry]), entry)]
  }
  const user = entity === 'contacts' ? await reading.directory.user(Number(id)) : null
  return user === null ? [] : [toContact(await reading.contextFor([user]), user, user.status === 3)]
}

async function readThread(reading: Reading, issueId: string): Promise<MappedRecord[]> {
  const issue = await findIssue(reading, issueId)
  const thread: MappedRecord[] = []
  for (let afterId: number | null = 0; issue !== null && afterId !== null; ) {
    const part: { mapped: MappedRecord[]; lastId: number | null } = await mapComments(reading, issue, afterId)
    thread.push(...part.mapped)
    afterId = part.lastId
  }
  return thread
}

async function readWikiPage(reading: Reading, projectId: string, title: string): Promise<MappedRecord[]> {
  const project = (await reading.directory.projects()).find(({ id }) => String(id) === projectId)
  const page = project && title !== '' ? await findWikiPage(reading, project.id, title) : null
  return project && page ? mapWiki(reading, project, [page]) : []
}

async function readByParent(
  reading: Reading,
  entity: string,
  parent: RecordRef,
  place: number,
): Promise<{ mapped: MappedRecord[]; lastId: number | null }> {
  if (entity === 'comments') {
    const issue = isNumber(parent.sourceId) ? await findIssue(reading, parent.sourceId) : null
    return issue === null ? { mapped: [], lastId: null } : mapComments(reading, issue, place)
  }
  if (entity === 'attachments') return { mapped: await readFilesOf(reading, parent), lastId: null }
  if (entity === 'time_entries' && isNumber(parent.sourceId)) {
    const query = { issue_id: parent.sourceId, sort: 'created_on' }
    const entries = await reading.api.listAll('/time_entries.json', 'time_entries', query)
    // The filter takes subtasks along.
    const own = entries.filter((entry) => String(take('timeEntry', entry).issue?.id) === parent.sourceId)
    const context = await reading.contextFor(own)
    return { mapped: own.map((entry) => toTimeEntry(context, entry)), lastId: null }
  }
  const project = (await reading.directory.projects()).find(({ id }) => String(id) === parent.sourceId)
  return { mapped: project && isProjectList(entity) ? await mapListOf(reading, entity, project) : [], lastId: null }
}

async function readFilesOf(reading: Reading, { entity, sourceId }: RecordRef): Promise<MappedRecord[]> {
  if (entity === 'wiki_pages') {
    const slash = sourceId.indexOf('/')
    const projectId = sourceId.slice(0, slash)
    const page = isNumber(projectId) ? await findWikiPage(reading, projectId, sourceId.slice(slash + 1)) : null
    return page ? mapWikiFiles(reading, Number(projectId), page) : []
  }
  if (entity === 'projects') {
    const project = (await reading.directory.projects()).find(({ id }) => String(id) === sourceId)
    return project ? mapProjectFiles(reading, project.id, await listProjectFiles(reading, project)) : []
  }
  const [issueId = ''] = sourceId.split('-')
  const issue = isNumber(issueId) ? await findIssue(reading, issueId) : null
  if (issue === null) return []
  const files = await mapIssueFiles(reading, issue)
  return files.filter(({ record }) => {
    const parent = record.fields.parent as RecordRef
    return parent.entity === entity && parent.sourceId === sourceId
  })
}
