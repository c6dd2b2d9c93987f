import type { SoughtRecord } from '../../contract/contract.ts'
import { RefusedError } from '../../kit/outcomes.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { done, present } from './api.ts'
import { hashKey, markers, markOf } from './markers.ts'
import { type Raw, take } from './schema.ts'
import * as write from './writing.ts'
import { formOf, numberOf, plainText, userIdOf } from './writing.ts'

/** Redmine does not return the id of a new note, so the mark's hash is used. A duplicate gets `issue-hash-journal`. */
const noteId = (issueId: number | string, hash: string) => `${issueId}-${hash}`

export const issueIdOf = (destinationId: string): number => Number(destinationId.split('-')[0])

type Note = Awaited<ReturnType<typeof journalsOf>>[number]

const form = formOf<Note>()({
  issue: [({ issue, ticket }) => numberOf(issue ?? ticket), ({ issueId }) => issueId],
  author: [
    ({ author, author_agent }) => userIdOf(author ?? author_agent),
    ({ raw, mark }) => (mark.isAuthorKept ? raw.user?.id : undefined),
  ],
  body: [({ body }) => plainText(body), ({ text }) => text],
  // A note of a ticket is private unless it says that it is public. A note of an issue is public by default.
  isPrivate: [
    ({ issue, is_private, is_public }) => is_private === true || (issue === undefined && is_public !== true),
    ({ raw }) => raw.private_notes ?? false,
  ],
})

export const writeComments = write.entityWriter(form, {
  without: ['channel'],
  about: (family) => ({
    removal: 'with parent',
    // Redmine's answer to a new note is empty, without an id.
    isPlacedByFind: true,
    // Notes of one thread are written in order.
    capabilities: { lane: family === 'helpdesk' ? 'ticket' : 'issue' },
  }),
  url: ({ api }, { issueId, raw }) => `${api.base}/issues/${issueId}#change-${raw.id}`,

  async write(job) {
    const { api, record, native, accountId } = job
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
      done(await api.change('journal', raw.id, await noteOf(isAuthorKept)))
    } else {
      isAuthorKept = author !== null && (await sendAs(author)).result === 'done'
      if (!isAuthorKept) done(await sendAs(null))
    }
    write.noteAuthor(job, native.author, isAuthorKept)
    return { raw: null, id: noteId(issue.id, hashKey(record.key)), url: `${api.base}/issues/${issue.id}` }
  },

  async findAll(writing, records) {
    const byIssue = new Map<number, SoughtRecord[]>()
    for (const record of records) {
      // The issue is known by the note's id or parent. Otherwise the mark is searched.
      const known = record.destinationId ?? record.parent?.destinationId
      const search = async () => (await write.searchMarked(writing, markOf(record.key), 'issues')).issueIds
      const ids = known === undefined ? await search() : [issueIdOf(known)]
      for (const id of ids) byIssue.set(id, [...(byIssue.get(id) ?? []), record])
    }
    const found = await sideBySide([...byIssue], 1, ([issueId, sought]) => findNotes(writing, issueId, sought))
    return found.flat()
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
})

/** Our notes of an issue, oldest first; only those of one record if `key` is set. */
async function journalsOf({ api }: write.Writing, issueId: number, key?: string) {
  const journals = (await api.one('issue', issueId, { include: 'journals' }))?.journals ?? []
  const marked = []
  for (const { notes, ...raw } of journals.map((journal) => take('journal', journal)).sort((a, b) => a.id - b.id)) {
    const { text, mark } = await markers('readMarked', notes)
    if (mark && (key === undefined || mark.hash === hashKey(key))) marked.push({ issueId, raw, text, mark })
  }
  return marked
}

async function findNotes(writing: write.Writing, issueId: number, sought: readonly SoughtRecord[]) {
  const keys = new Map(sought.map(({ key }) => [hashKey(key), key]))
  const seen = new Set<string>()
  return (await journalsOf(writing, issueId)).flatMap((note) => {
    const key = keys.get(note.mark.hash)
    if (key === undefined) return []
    const isDouble = seen.has(key)
    seen.add(key)
    const id = noteId(issueId, note.mark.hash)
    return [{ key, raw: note, id: isDouble ? `${id}-${note.raw.id}` : id }]
  })
}
