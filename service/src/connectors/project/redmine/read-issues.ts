import type { RecordRef } from '../../../families/record.ts'
import { eachById } from '../../kit/find.ts'
import { inOrder } from '../../kit/nested-pages.ts'
import { type FileShelf, isNumber, type Reading, type Shelf } from './reading.ts'
import { take } from './schema.ts'
import { type FileItem, records } from './to-records.ts'

/** How many issues are requested at the same time. */
const atOnce = 4
/** How many notes of a long thread form a page. The whole thread is read again for each page. */
const longestThreadPart = 500

/** Lists issues by id, so that new and deleted issues do not shift the pages. */
async function listIssues({ api, pageSize }: Reading, fromId: number, since?: string) {
  const query = {
    status_id: '*',
    sort: 'id',
    issue_id: `>=${fromId}`,
    include: 'attachments',
    limit: pageSize,
    // Redmine stores fractions of a second but shows none. So we ask from the full second on, and filter again.
    ...(since === undefined ? {} : { updated_on: `>=${since.slice(0, 19)}Z` }),
  }
  const listed = (await api.list('/issues.json', 'issues', query)).items.map((item) => take('issue', item))
  const last = listed.at(-1)
  return { listed, next: last === undefined || listed.length < pageSize ? null : String(last.id + 1) }
}

/** Watchers and journals come only with a single issue. Leaves out deleted issues and ids that are no numbers. */
async function findIssues({ api }: Reading, ids: readonly (number | string)[]): Promise<unknown[]> {
  const query = { include: 'journals,attachments,relations,watchers' }
  const find = eachById((id) => api.find(`/issues/${id}.json`, 'issue', query), atOnce)
  return find(ids.map(String).filter(isNumber))
}

export const issues: Shelf = {
  kind: 'issue',
  count: ({ api }) => api.count('issue', { status_id: '*' }),
  async list(reading, cursor, since) {
    const { listed, next } = await listIssues(reading, Number(cursor ?? 1), since)
    const ids = listed.map(({ id }) => id)
    return { items: await findIssues(reading, ids), next }
  },
  after: (cursor, size) => String(Number(cursor ?? 1) + size),
  byId: (reading, id) => findIssues(reading, [id]),
  async listed({ api }, ids) {
    const numbers = ids.filter(isNumber)
    if (numbers.length === 0) return []
    const query = { status_id: '*', sort: 'id', issue_id: numbers.join(','), limit: 100 }
    const { items } = await api.list('/issues.json', 'issues', query)
    return items.map((item) => String(take('issue', item).id))
  },
  map: (context, issue) => records('toIssue', context, issue),
}

type Note = ReturnType<typeof notesOf>['items'][number]

/** The notes of an issue after a given one, oldest first, whatever order the account has set. */
function notesOf(given: unknown, place: string) {
  const afterId = Number(place)
  // The issue's own text and its other notes can be long and are not needed with each note.
  const { journals = [], description: _text, custom_fields: _values, ...issue } = take('issue', given)
  const notes = [...journals]
    .sort((a, b) => a.id - b.id)
    .map((journal, index) => ({ issue, note: index + 1, journal }))
    .filter(({ journal }) => journal.id > afterId && (take('journal', journal).notes ?? '') !== '')
  const items = notes.slice(0, longestThreadPart)
  const last = items.length < notes.length ? items.at(-1)?.journal.id : undefined
  // Entries of the history are counted once, with the first part of a thread.
  return { items, last, changes: afterId === 0 ? journals.length - notes.length : 0 }
}

async function notesUnder(reading: Reading, issueId: number | string, place: string) {
  const [issue] = await findIssues(reading, [issueId])
  return issue === undefined ? { items: [], changes: 0 } : notesOf(issue, place)
}

const issueOf = (id: string) => id.split('-')[0] ?? ''

export const comments: Shelf<Note> = {
  /** Cursor: `issue:journal`, the first issue to read and its last journal that was returned. */
  async list(reading, cursor, since) {
    const { listed, next } = await listIssues(reading, Number.parseInt(cursor ?? '1', 10), since)
    const skipped = { history_entries: 0 }
    const page = await inOrder(listed, cursor, reading.pageSize, async ({ id }, place) => {
      const part = await notesUnder(reading, id, place)
      skipped.history_entries += part.changes
      return part
    })
    return { items: page.items, next: page.next ?? (next && `${next}:`), skipped }
  },
  after: (cursor, size) => `${Number((cursor ?? '1:0').split(':')[0]) + size}:0`,
  /** A note exists as long as its issue. */
  path: (id) => (isNumber(issueOf(id)) ? `/issues/${issueOf(id)}.json` : null),
  async byId(reading, id) {
    const before = Number(id.split('-')[1]) - 1
    const { items } = Number.isNaN(before) ? { items: [] } : await notesUnder(reading, issueOf(id), String(before))
    return items.filter((one) => `${one.issue.id}-${one.journal.id}` === id)
  },
  under: (reading, { sourceId }, place) => notesUnder(reading, sourceId, place),
  map: (context, { issue, note, journal }) => records('toComment', context, issue, note, journal),
}

export const issueFiles: FileShelf = {
  async list(reading, cursor, since) {
    const { listed, next } = await listIssues(reading, Number(cursor ?? 1), since)
    const withFiles = listed.filter(({ attachments = [] }) => attachments.length > 0).map(({ id }) => id)
    const found = await findIssues(reading, withFiles)
    return { items: found.flatMap((issue) => filesIn(reading, issue)), next }
  },
  /** Reads the files of an issue or of one of its notes. */
  async under(reading, { entity, sourceId }) {
    const found = await findIssues(reading, [issueOf(sourceId)])
    const files = found.flatMap((issue) => filesIn(reading, issue))
    return { items: files.filter(({ parent }) => parent.entity === entity && parent.sourceId === sourceId) }
  },
}

/** A file that was added together with a note belongs to the note. Any text of an issue can show any of its pictures. */
function filesIn({ family }: Reading, given: unknown): FileItem[] {
  const { id, description, attachments = [], ...rest } = take('issue', given)
  const journals = (rest.journals ?? []).map((journal) => take('journal', journal))
  const texts = [description, ...journals.map(({ notes }) => notes)]
  const parents = new Map<number, RecordRef>()
  for (const journal of journals.filter(({ notes }) => (notes ?? '') !== '')) {
    for (const { property, name, new_value } of journal.details ?? []) {
      if (property !== 'attachment' || typeof new_value !== 'string') continue
      parents.set(Number(name), { entity: 'comments', sourceId: `${id}-${journal.id}` })
    }
  }
  const issue: RecordRef = { entity: family === 'helpdesk' ? 'tickets' : 'issues', sourceId: String(id) }
  return attachments.map((file) => ({ file, texts, parent: parents.get(file.id) ?? issue }))
}
