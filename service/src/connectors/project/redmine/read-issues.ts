import type { RecordRef } from '../../../families/record.ts'
import { inChunks } from '../../kit/in-chunks.ts'
import { type MapContext, type MappedRecord, showsFile } from './build-record.ts'
import { toHelpdesk, toProjectTool } from './long-texts.ts'
import { type Raw, take } from './schema.ts'
import { isNumber, type MappedPage, mapEach, type Reading, type Shelf } from './shelf.ts'
import { toAttachment } from './to-project.ts'

/** How many issues are requested at the same time. */
const atOnce = 4
/** How many notes of a long thread form a page. The whole thread is read again for each page. */
const longestThreadPart = 500

/** Lists issues by id, so that new and deleted issues do not shift the pages. */
async function listIssues({ api, pageSize }: Reading, fromId: number, since?: string): Promise<Raw<'issue'>[]> {
  const query = {
    status_id: '*',
    sort: 'id',
    issue_id: `>=${fromId}`,
    include: 'attachments',
    limit: pageSize,
    // Redmine stores fractions of a second but shows none. So we ask from the full second on and filter again
    // ourselves.
    ...(since === undefined ? {} : { updated_on: `>=${since.slice(0, 19)}Z` }),
  }
  const { items } = await api.list('/issues.json', 'issues', query)
  return items.map((item) => take('issue', item))
}

const nextId = (listed: readonly { id: number }[], { pageSize }: Reading): string | null => {
  const last = listed.at(-1)
  return last === undefined || listed.length < pageSize ? null : String(last.id + 1)
}

/**
 * Redmine sends watchers and journals only with a single issue. Null when the issue was deleted or the id is no
 * number.
 */
async function findIssue({ api }: Reading, id: number | string): Promise<unknown> {
  if (typeof id === 'string' && !isNumber(id)) return null
  return await api.find(`/issues/${id}.json`, 'issue', { include: 'journals,attachments,relations,watchers' })
}

async function findIssues(reading: Reading, ids: readonly (number | string)[]): Promise<unknown[]> {
  const found = await inChunks(ids, atOnce, (some) => Promise.all(some.map((id) => findIssue(reading, id))))
  return found.filter((issue) => issue !== null)
}

async function mapIssues(reading: Reading, ids: readonly (number | string)[]): Promise<MappedRecord[]> {
  const issues = await findIssues(reading, ids)
  const context = await reading.contextFor(issues)
  const isDesk = reading.family === 'helpdesk'
  return mapEach(issues, (issue) =>
    isDesk ? toHelpdesk('toTicket', context, issue) : toProjectTool('toIssue', context, issue),
  )
}

export const issues: Shelf = {
  kind: 'issue',
  custom: 'issue',
  count: ({ api }) => api.count('issue', { status_id: '*' }),
  async read(reading, cursor, since) {
    const listed = await listIssues(reading, Number(cursor ?? 1), since)
    const ids = listed.map(({ id }) => id)
    return { mapped: await mapIssues(reading, ids), next: nextId(listed, reading) }
  },
  after: (cursor, size) => String(Number(cursor ?? 1) + size),
  byId: (reading, id) => mapIssues(reading, [id]),
  async listed({ api }, ids) {
    const numbers = ids.filter(isNumber)
    if (numbers.length === 0) return []
    const query = { status_id: '*', sort: 'id', issue_id: numbers.join(','), limit: 100 }
    const { items } = await api.list('/issues.json', 'issues', query)
    return items.map((item) => String(take('issue', item).id))
  },
}

/** The journals with notes after a given one, oldest first, whatever order the account has set. */
function notesAfter(issue: Raw<'issue'>, afterId: number): { note: number; journal: { id: number } }[] {
  const journals = [...(issue.journals ?? [])].sort((a, b) => a.id - b.id)
  return journals
    .map((journal, index) => ({ note: index + 1, journal }))
    .filter(({ journal }) => journal.id > afterId && (take('journal', journal).notes ?? '') !== '')
}

async function mapComments(reading: Reading, given: unknown, afterId: number) {
  const issue = take('issue', given)
  const notes = notesAfter(issue, afterId)
  const part = notes.slice(0, longestThreadPart)
  const context = await reading.contextFor(part)
  // The issue's own text and its other notes can be long and are not needed here.
  const { description: _text, journals: _notes, ...about } = issue
  const isDesk = reading.family === 'helpdesk'
  const mapped = await mapEach(part, ({ note, journal }) =>
    isDesk
      ? toHelpdesk('toTicketComment', context, about, note, journal)
      : toProjectTool('toComment', context, about, note, journal),
  )
  const lastId = part.length < notes.length ? (part.at(-1)?.journal.id ?? null) : null
  // Entries of the history are counted once, with the first part of a thread.
  const changes = afterId === 0 ? (issue.journals ?? []).length - notes.length : 0
  return { mapped, lastId, changes }
}

const issueOf = (id: string) => id.split('-')[0] ?? ''

export const comments: Shelf = {
  /** Cursor: `issue:journal`, the first issue to read and its last journal that was returned. */
  async read(reading, cursor, since): Promise<MappedPage> {
    const [fromId = 1, afterId = 0] = (cursor ?? '1:0').split(':').map(Number)
    const listed = await listIssues(reading, fromId, since)
    const mapped: MappedRecord[] = []
    const skipped = { history_entries: 0 }
    for (const { id } of listed) {
      const issue = await findIssue(reading, id)
      if (issue === null) continue
      const part = await mapComments(reading, issue, id === fromId ? afterId : 0)
      mapped.push(...part.mapped)
      skipped.history_entries += part.changes
      if (part.lastId !== null) return { mapped, next: `${id}:${part.lastId}`, skipped }
      if (mapped.length >= reading.pageSize) return { mapped, next: `${id + 1}:0`, skipped }
    }
    const next = nextId(listed, reading)
    return { mapped, next: next === null ? null : `${next}:0`, skipped }
  },
  after: (cursor, size) => `${Number((cursor ?? '1:0').split(':')[0]) + size}:0`,
  /** A note exists as long as its issue. */
  path: (id) => (isNumber(issueOf(id)) ? `/issues/${issueOf(id)}.json` : null),
  async byId(reading, id) {
    const issue = await findIssue(reading, issueOf(id))
    const thread: MappedRecord[] = []
    for (let afterId: number | null = 0; issue !== null && afterId !== null; ) {
      const part: Awaited<ReturnType<typeof mapComments>> = await mapComments(reading, issue, afterId)
      thread.push(...part.mapped)
      afterId = part.lastId
    }
    return thread.filter(({ record }) => record.sourceId === id)
  },
  async under(reading, { sourceId }, place) {
    const issue = await findIssue(reading, sourceId)
    return issue === null ? { mapped: [] } : mapComments(reading, issue, place)
  },
}

export async function readIssueFiles(reading: Reading, cursor: string | null, since?: string): Promise<MappedPage> {
  const listed = await listIssues(reading, Number(cursor ?? 1), since)
  const withFiles = listed.filter(({ attachments = [] }) => attachments.length > 0).map(({ id }) => id)
  const found = await findIssues(reading, withFiles)
  const mapped = (await Promise.all(found.map((issue) => mapFiles(reading, issue)))).flat()
  return { mapped, next: nextId(listed, reading) }
}

/** Reads the files of an issue or of one of its notes. */
export async function filesOfIssue(reading: Reading, { entity, sourceId }: RecordRef): Promise<MappedRecord[]> {
  const issue = await findIssue(reading, issueOf(sourceId))
  const files = issue === null ? [] : await mapFiles(reading, issue)
  return files.filter(({ record }) => {
    const parent = record.fields.parent as RecordRef
    return parent.entity === entity && parent.sourceId === sourceId
  })
}

async function mapFiles(reading: Reading, given: unknown): Promise<MappedRecord[]> {
  const issue = take('issue', given)
  const context = await reading.contextFor([given])
  const parents = notesOfFiles(issue)
  return (issue.attachments ?? []).map((file) => {
    const comment = parents.get(file.id)
    const parent: RecordRef = comment
      ? { entity: 'comments', sourceId: `${issue.id}-${comment.id}` }
      : { entity: reading.family === 'helpdesk' ? 'tickets' : 'issues', sourceId: String(issue.id) }
    return toAttachment(context, parent, file, isShown(context, issue, file))
  })
}

/** A file that was added together with a note belongs to the note. */
function notesOfFiles(issue: Raw<'issue'>): Map<number, Raw<'journal'>> {
  const parents = new Map<number, Raw<'journal'>>()
  for (const given of issue.journals ?? []) {
    const journal = take('journal', given)
    if ((journal.notes ?? '') === '') continue
    for (const { property, name, new_value } of journal.details ?? []) {
      if (property === 'attachment' && typeof new_value === 'string') parents.set(Number(name), journal)
    }
  }
  return parents
}

/** Any text of an issue can show any of its pictures. */
function isShown({ vocabulary }: MapContext, issue: Raw<'issue'>, file: { id: number }): boolean {
  const name = take('attachment', file).filename
  const texts = [issue.description, ...(issue.journals ?? []).map((journal) => take('journal', journal).notes)]
  return name !== undefined && texts.some((text) => showsFile(text ?? '', name, vocabulary.textFormat))
}
