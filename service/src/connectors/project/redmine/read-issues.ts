import type { RecordRef } from '../../../families/record.ts'
import type { Skipped } from '../../contract/contract.ts'
import { type MapContext, type MappedRecord, showsFile } from './build-record.ts'
import { toHelpdesk, toProjectTool } from './long-texts.ts'
import type { Reading } from './reader.ts'
import { type Raw, take } from './schema.ts'
import { toAttachment } from './to-project.ts'

export interface MappedPage {
  mapped: MappedRecord[]
  next: string | null
  skipped?: Skipped
}

/** Details of so many issues are asked for at once. */
const atOnce = 4
/** Of a long thread so much is handed out in one page: the whole thread is read anew for each. */
const longestThreadPart = 500

export const issueEntity = ({ family }: Reading) => (family === 'helpdesk' ? 'tickets' : 'issues')

/** Ids of issues in their order: stable while others come and go. */
async function listIssues({ api }: Reading, fromId: number, limit: number, since?: string): Promise<Raw<'issue'>[]> {
  const query = {
    status_id: '*',
    sort: 'id',
    issue_id: `>=${fromId}`,
    include: 'attachments',
    limit,
    // Redmine keeps fractions of a second and shows none: what it filters too little is filtered by us.
    ...(since === undefined ? {} : { updated_on: `>=${since.slice(0, 19)}Z` }),
  }
  const { items } = await api.list('/issues.json', 'issues', query)
  return items.map((item) => take('issue', item))
}

/** Watchers and journals come only with each issue by itself. Null when it was deleted meanwhile. */
export async function findIssue({ api }: Reading, id: number | string): Promise<unknown> {
  const include = 'journals,attachments,relations,watchers'
  return await api.find(`/issues/${encodeURIComponent(id)}.json`, 'issue', { include })
}

export async function findIssues(reading: Reading, ids: readonly (number | string)[]): Promise<unknown[]> {
  const found: unknown[] = []
  for (let start = 0; start < ids.length; start += atOnce) {
    found.push(...(await Promise.all(ids.slice(start, start + atOnce).map((id) => findIssue(reading, id)))))
  }
  return found.filter((issue) => issue !== null)
}

export async function mapIssues(reading: Reading, issues: readonly unknown[]): Promise<MappedRecord[]> {
  const context = await reading.contextFor(issues)
  const mapped: MappedRecord[] = []
  for (const issue of issues) {
    mapped.push(
      reading.family === 'helpdesk'
        ? await toHelpdesk('toTicket', context, issue)
        : await toProjectTool('toIssue', context, issue),
    )
  }
  return mapped
}

export async function readIssues(reading: Reading, cursor: string | null, since?: string): Promise<MappedPage> {
  const listed = await listIssues(reading, Number(cursor ?? 1), reading.pageSize, since)
  const issues = await findIssues(
    reading,
    listed.map(({ id }) => id),
  )
  return { mapped: await mapIssues(reading, issues), next: nextId(listed, reading.pageSize) }
}

const nextId = (listed: readonly { id: number }[], limit: number): string | null => {
  const last = listed.at(-1)
  return last === undefined || listed.length < limit ? null : String(last.id + 1)
}

/** The journals with notes after one of them, oldest first, whatever order the account likes to see them in. */
function notesAfter(issue: Raw<'issue'>, afterId: number): { note: number; journal: unknown }[] {
  const journals = [...(issue.journals ?? [])].sort((a, b) => a.id - b.id)
  return journals
    .map((journal, index) => ({ note: index + 1, journal }))
    .filter(({ journal }) => journal.id > afterId && (take('journal', journal).notes ?? '') !== '')
}

export async function mapComments(
  reading: Reading,
  given: unknown,
  afterId: number,
): Promise<{ mapped: MappedRecord[]; lastId: number | null; changes: number }> {
  const issue = take('issue', given)
  const notes = notesAfter(issue, afterId)
  const part = notes.slice(0, longestThreadPart)
  const context = await reading.contextFor(part)
  // The texts of the issue and of other notes may be long, and are none of theirs.
  const { description: _text, journals: _notes, ...about } = issue
  const mapped: MappedRecord[] = []
  for (const { note, journal } of part) {
    mapped.push(
      reading.family === 'helpdesk'
        ? await toHelpdesk('toTicketComment', context, about, note, journal)
        : await toProjectTool('toComment', context, about, note, journal),
    )
  }
  const last = part.at(-1)?.journal as { id: number } | undefined
  // Counted with the first part of a thread.
  const changes = afterId === 0 ? (issue.journals ?? []).length - notes.length : 0
  return { mapped, lastId: part.length < notes.length ? (last?.id ?? null) : null, changes }
}

/** Cursor: `issue:journal`, the first issue to look at and the last journal of it that was handed out. */
export async function readComments(reading: Reading, cursor: string | null, since?: string): Promise<MappedPage> {
  const [fromId = 1, afterId = 0] = (cursor ?? '1:0').split(':').map(Number)
  const listed = await listIssues(reading, fromId, reading.pageSize, since)
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
  const next = nextId(listed, reading.pageSize)
  return { mapped, next: next === null ? null : `${next}:0`, skipped }
}

export async function readIssueFiles(reading: Reading, cursor: string | null, since?: string): Promise<MappedPage> {
  const listed = await listIssues(reading, Number(cursor ?? 1), reading.pageSize, since)
  const withFiles = listed.filter(({ attachments = [] }) => attachments.length > 0)
  const issues = await findIssues(
    reading,
    withFiles.map(({ id }) => id),
  )
  const mapped = (await Promise.all(issues.map((issue) => mapIssueFiles(reading, issue)))).flat()
  return { mapped, next: nextId(listed, reading.pageSize) }
}

export async function mapIssueFiles(reading: Reading, given: unknown): Promise<MappedRecord[]> {
  const issue = take('issue', given)
  const context = await reading.contextFor([given])
  const parents = notesOfFiles(issue)
  return (issue.attachments ?? []).map((file) => {
    const comment = parents.get(file.id)
    const parent: RecordRef = comment
      ? { entity: 'comments', sourceId: `${issue.id}-${comment.id}` }
      : { entity: issueEntity(reading), sourceId: String(issue.id) }
    return toAttachment(context, parent, file, isShown(context, issue, file))
  })
}

/** A file that came with a note belongs to it. */
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
