import type { WriteOutcome } from '../../contract/contract.ts'
import type { Made, Refusal } from './api.ts'
import { keyFieldOf } from './custom-fields.ts'
import { describeIssues } from './describe-issues.ts'
import { findByKeyField } from './find-by-key-field.ts'
import { attributesOf, keyFieldMissing, prepareIssue } from './issue-attributes.ts'
import { issues, versionOf } from './long-texts.ts'
import { type NativeIssue, numberOf, toNativeIssue, userIdOf } from './native-issue.ts'
import { removeIssue } from './remove-issue.ts'
import { issueParts, type Raw } from './schema.ts'
import { storedCustom } from './write-custom-fields.ts'
import {
  authorFor,
  type EntityWriter,
  found,
  type Job,
  noteAuthor,
  refuse,
  refuseSent,
  type Writing,
  written,
} from './writing.ts'

const issueUrl = ({ api }: Writing, id: number | string) => `${api.base}/issues/${id}`

export const writeIssues: EntityWriter = {
  describe: describeIssues,

  stored: ({ fields }, { vocabulary, accountId }) => ({ ...toNativeIssue(fields, vocabulary, accountId) }),

  async write(job) {
    const { record, vocabulary, accountId } = job
    const native = await issues('toNativeIssue', record.fields, vocabulary, accountId)
    if (native.project === undefined) {
      return refuse(job, 'project_missing', 'An issue needs a project, and this one has none.')
    }
    if (!(await job.locks.openProject(native.project))) {
      return refuse(job, 'gone', 'The project that it belongs to is no longer in Redmine.')
    }
    const prepared = await prepareIssue(job, native, native.project)
    // A ticket without an agent as author was opened by its requester.
    const author = native.author ?? userIdOf(record.createdBy?.userId) ?? numberOf(record.fields.requester)
    return (record.destinationId === null ? createIssue : updateIssue)(job, { ...prepared, author })
  },

  async find(call, records) {
    const all = []
    for (const { key, raw: issue } of await findByKeyField(call, 'issue', records)) {
      const stored = await issues('readNativeIssue', issue, call.accountId, call.family)
      const version = await versionOf(issue, call)
      const custom = storedCustom(call, 'issue', issue)
      all.push(found(key, String(issue.id), issueUrl(call, issue.id), version, stored, custom))
    }
    return all
  },

  remove: removeIssue,
}

async function createIssue(job: Job, draft: NativeIssue): Promise<WriteOutcome> {
  const { api, accountId } = job
  const projectId = Number(draft.project)
  // If the author may not make an issue private, Redmine would silently make it public.
  const permissions = ['add_issues', ...(draft.isPrivate ? ['set_issues_private'] : [])]
  const isOwn = draft.author === accountId
  const author = isOwn ? null : await authorFor(job, draft.author, projectId, permissions)
  const post = async (as: Raw<'user'> | null) => {
    const attributes = await attributesOf(job, draft, isOwn || as !== null)
    const watchers = as === null ? { watcher_user_ids: draft.watchers } : {}
    return await api.make('issue', { project_id: projectId, ...attributes, ...watchers }, { login: as?.login })
  }
  const asAuthor = author ? await postMarked(job, () => post(author)) : null
  const isSwitched = asAuthor?.isMarked === true
  const made = asAuthor?.isMarked ? asAuthor : await postMarked(job, () => post(null))
  if (!made.sent.isTaken) return refuseSent(job, made.sent)
  const issue = made.sent.made
  // Without its key the issue could not be found again and would be written twice.
  if (!made.isMarked) throw keyFieldMissing(issue.tracker?.name)
  noteAuthor(job, draft.author, isSwitched || isOwn)
  const rest = isSwitched ? await attributesOf(job, draft, true) : {}
  const isBorn = !isSwitched && issue.status?.id === draft.status && draft.parent === undefined
  const refusal = isBorn ? null : await finish(job, issue.id, { ...rest, status_id: draft.status }, draft.parent)
  // The author may set fewer fields than our account. An incomplete issue must not count as written.
  if (refusal && isSwitched) {
    const sent = await api.change('issue', issue.id, rest)
    if (!sent.isTaken) {
      await api.remove('issue', issue.id)
      return refuseSent(job, sent)
    }
  }
  if (isSwitched) await addWatchers(job, issue.id, draft.watchers)
  await addRelations(job, issue.id, draft.relations)
  const isUntouched = isBorn && draft.relations.length === 0 && draft.watchers.length === 0
  const version = await versionOf(isUntouched ? issue : await readIssue(job, issue.id), job)
  return written(job, issue.id, issueUrl(job, issue.id), version)
}

/** Deletes a new issue that lacks its key: its author may not see the key field, or its tracker does not have it. */
async function postMarked({ api, vocabulary, record }: Job, post: () => Promise<Made<'issue'>>) {
  const sent = await post()
  if (!sent.isTaken) return { sent, isMarked: false }
  const { id, custom_fields = [] } = sent.made
  const keyField = keyFieldOf(vocabulary.fields, 'issue')
  const isMarked = custom_fields.some((custom) => custom.id === keyField?.id && custom.value === record.key)
  if (!isMarked) await api.remove('issue', id)
  return { sent, isMarked }
}

async function updateIssue(job: Job, draft: NativeIssue): Promise<WriteOutcome> {
  const { api, record, accountId, family } = job
  const before = await api.one('issue', String(record.destinationId), { include: issueParts })
  if (before === null) return refuse(job, 'gone', 'It was deleted in Redmine since it was imported.')
  const isAuthorKept = draft.author !== undefined && before.author?.id === draft.author
  noteAuthor(job, draft.author, isAuthorKept)
  const attributes = await attributesOf(job, draft, isAuthorKept)
  const moved = before.project?.id === draft.project ? {} : { project_id: draft.project }
  const change = { ...moved, ...attributes, status_id: draft.status }
  const refusal = await finish(job, before.id, change, draft.parent)
  if (refusal) return refuseSent(job, refusal)
  const { watchers, relations } = await issues('readNativeIssue', before, accountId, family)
  const [newWatchers, newRelations] = [added(draft.watchers, watchers), added(draft.relations, relations)]
  await addWatchers(job, before.id, newWatchers)
  await addRelations(job, before.id, newRelations)
  const version = await versionOf(await readIssue(job, before.id), job)
  return written(job, before.id, issueUrl(job, before.id), version)
}

const added = <T>(wanted: readonly T[], there: readonly T[]): T[] => wanted.filter((one) => !there.includes(one))

/**
 * Sends status and parent together, because Redmine refuses an open issue below a closed one. After a refusal the
 * change is sent again without the parent.
 */
async function finish(job: Job, issueId: number, change: object, parent: number | undefined): Promise<Refusal | null> {
  const { api, accountId, losses } = job
  await job.unwatch(issueId, accountId)
  if (parent !== undefined) {
    await job.unwatch(parent, accountId)
    if ((await api.change('issue', issueId, { ...change, parent_issue_id: parent })).isTaken) return null
    losses.push('parent_refused')
  }
  const sent = await api.change('issue', issueId, change)
  if (sent.isTaken) return null
  losses.push('status_refused')
  return sent
}

async function addWatchers({ api, losses }: Job, issueId: number, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return
  await api.send('POST', `/issues/${issueId}/watchers.json`, { watcher: { user_ids: userIds } })
  const { watchers = [] } = (await api.one('issue', issueId, { include: 'watchers' })) ?? {}
  if (userIds.some((id) => !watchers.some((watcher) => watcher.id === id))) losses.push('watcher_refused')
}

async function addRelations(job: Job, issueId: number, relations: readonly string[]): Promise<void> {
  const { api, accountId, notes, losses } = job
  for (const relation of relations) {
    const [relation_type, issue_to_id] = relation.split(' ')
    const otherId = Number(issue_to_id)
    const before = relation_type === 'precedes' ? await readIssue(job, otherId) : null
    const dates = before && { start_date: before.start_date ?? null, due_date: before.due_date ?? null }
    const note = dates && { kind: 'issue_dates', id: otherId, ...dates }
    await job.unwatch(issueId, accountId)
    await job.unwatch(otherId, accountId)
    if (note) await notes.note(note)
    const link = { relation: { relation_type, issue_to_id } }
    const sent = await api.send('POST', `/issues/${issueId}/relations.json`, link)
    if (!sent.isTaken) losses.push('relation_refused')
    // Redmine moves the dates of an issue that follows another one. This restores them.
    if (dates && sent.isTaken) await api.change('issue', otherId, dates)
    if (note) await notes.forget(note)
  }
}

const readIssue = async ({ api }: Writing, id: number): Promise<Raw<'issue'>> =>
  (await api.one('issue', id, { include: issueParts })) ?? { id }
