import type { FoundRecord, SoughtRecord } from '../../contract/contract.ts'
import { RefusedError } from '../../kit/outcomes.ts'
import { present, taken } from './api.ts'
import { issues, markers } from './long-texts.ts'
import { hashKey, markOf } from './markers.ts'
import { numberOf, plainText, userIdOf } from './native-issue.ts'
import { type Raw, take } from './schema.ts'
import * as write from './writing.ts'
import { type EntityWriter, type Fields, searchMarked, type Writing } from './writing.ts'

/**
 * Redmine does not return the id of a new note, and finding it would mean reading the whole thread each time. So the
 * id is `issue-hash`, from the mark in the note. A duplicate note gets `issue-hash-journal`.
 */
const noteId = (issueId: number | string, hash: string) => `${issueId}-${hash}`

export const issueIdOf = (destinationId: string): number => Number(destinationId.split('-')[0])

type NativeComment = ReturnType<typeof toNative>

function toNative(fields: Fields, body = plainText(fields.body)) {
  return {
    issue: numberOf(fields.issue ?? fields.ticket),
    author: userIdOf(fields.author ?? fields.author_agent),
    body,
    // A note of a ticket is private unless it says that it is public. A note of an issue is public by default.
    isPrivate: fields.is_private === true || (fields.issue === undefined && fields.is_public !== true),
  }
}

export const writeComments: EntityWriter = {
  without: ['channel'],
  about: (family) => ({
    removal: 'with parent',
    // Redmine's answer to a new note is empty, without an id.
    isPlacedByFind: true,
    // Notes of one thread are written in order.
    capabilities: { lane: family === 'helpdesk' ? 'ticket' : 'issue' },
  }),

  stored: (fields) => toNative(fields),

  async write(job) {
    const { api, record, accountId } = job
    const native = toNative(record.fields, await issues('plainText', record.fields.body))
    const issue = native.issue === undefined ? null : await job.issue(native.issue)
    if (!issue?.project) throw new RefusedError('gone', 'The issue that it belongs to is no longer in Redmine.')
    await job.locks.openProject(issue.project.id)
    // If a person may not write private notes, Redmine would silently make the note public.
    const permissions = ['add_issue_notes', ...(native.isPrivate ? ['set_notes_private'] : [])]
    const author = await write.authorFor(job, native.author, issue.project.id, permissions)
    const noteOf = async (isAuthorKept: boolean) => {
      const signature = { isAuthorKept, personId: numberOf(record.fields.author_contact) }
      return { notes: await write.signText(job, native.body, signature), private_notes: native.isPrivate }
    }
    const sendAs = async (user: Raw<'user'> | null) => {
      const userId = user?.id ?? accountId
      if (!issue.watchers?.some(({ id }) => id === userId)) await job.unwatch(issue.id, userId)
      return api.change('issue', issue.id, await noteOf(user !== null), user?.login)
    }
    let isAuthorKept = false
    if (record.destinationId !== null) {
      const { raw } = present((await journalsOf(job, issue.id, record.key))[0])
      isAuthorKept = native.author !== undefined && raw.user?.id === native.author
      taken(await api.change('journal', raw.id, await noteOf(isAuthorKept)))
    } else {
      isAuthorKept = author !== null && (await sendAs(author)).isTaken
      if (!isAuthorKept) taken(await sendAs(null))
    }
    write.noteAuthor(job, native.author, isAuthorKept)
    return write.written(job, noteId(issue.id, hashKey(record.key)), `${api.base}/issues/${issue.id}`)
  },

  async findAll(writing, records) {
    const byIssue = new Map<number, SoughtRecord[]>()
    for (const record of records) {
      // The issue is known by the note's id or parent. Otherwise the mark is searched.
      const known = record.destinationId ?? record.parent?.destinationId
      const search = async () => (await searchMarked(writing, markOf(record.key), 'issues')).issueIds
      const ids = known === undefined ? await search() : [issueIdOf(known)]
      for (const id of ids) byIssue.set(id, [...(byIssue.get(id) ?? []), record])
    }
    const notes = []
    for (const [issueId, sought] of byIssue) notes.push(...(await findNotes(writing, issueId, sought)))
    return notes
  },

  async remove(call, { key, destinationId }) {
    const issueId = issueIdOf(destinationId)
    const [, , journalId] = destinationId.split('-')
    const notes = await journalsOf(call, issueId, key)
    const note = notes.find(({ raw }) => journalId === undefined || String(raw.id) === journalId)
    if (!note) return null
    if ((note.raw.details ?? []).length > 0) return 'It also records changes of the issue.'
    const issue = await call.issue(issueId)
    if (issue?.project) await call.locks.openProject(issue.project.id)
    // Redmine deletes a note that becomes empty.
    return call.api.change('journal', note.raw.id, { notes: '' })
  },
}

/** Our notes of an issue, oldest first; only those of one record if `key` is set. */
async function journalsOf({ api }: Writing, issueId: number, key?: string) {
  const journals = (await api.one('issue', issueId, { include: 'journals' }))?.journals ?? []
  const marked = []
  for (const raw of journals.map((journal) => take('journal', journal)).sort((a, b) => a.id - b.id)) {
    const { text, mark } = await markers('readMarked', raw.notes)
    if (mark && (key === undefined || mark.hash === hashKey(key))) marked.push({ raw, text, mark })
  }
  return marked
}

async function findNotes(writing: Writing, issueId: number, sought: readonly SoughtRecord[]): Promise<FoundRecord[]> {
  const keys = new Map(sought.map(({ key }) => [hashKey(key), key]))
  const seen = new Set<string>()
  return (await journalsOf(writing, issueId)).flatMap(({ raw, text, mark }) => {
    const key = keys.get(mark.hash)
    if (key === undefined) return []
    const id = noteId(issueId, mark.hash)
    const isDouble = seen.has(id)
    seen.add(id)
    const native: NativeComment = {
      issue: issueId,
      author: mark.isAuthorKept ? raw.user?.id : undefined,
      body: text,
      isPrivate: raw.private_notes ?? false,
    }
    const url = `${writing.api.base}/issues/${issueId}#change-${raw.id}`
    return [{ key, ...write.found(isDouble ? `${id}-${raw.id}` : id, url, null, native) }]
  })
}
